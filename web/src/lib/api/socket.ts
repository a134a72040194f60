import { SESSION_ENDED } from '#domain/contracts/admin-overview.ts';
import { waitBefore } from './live.ts';
import { askWhoIsSignedIn } from './session.ts';

/** WebSocket accepts relative URLs only since Safari 17.3, Firefox 124 and Chrome 125. */
const socketAt = (path: string): string => new URL(path, location.href.replace(/^http/, 'ws')).href;

/**
 * Reconnects indefinitely. Browsers don't distinguish a refused connection from a lost network, so after one
 * that never opened the session is refetched.
 * @returns closes it
 */
export const followSocket = <Message>(
  path: string,
  {
    tell,
    lost,
    ended,
  }: {
    tell: (message: Message) => void;
    lost: () => void;
    /** The session ended, changed its rights or can't be checked. Reconnects after this resolves. */
    ended: () => Promise<void>;
  },
): (() => void) => {
  let socket: WebSocket | undefined;
  let attempt = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  const connect = (): void => {
    const made = new WebSocket(socketAt(path));
    let opened = false;
    socket = made;
    made.onopen = () => {
      opened = true;
    };
    made.onmessage = ({ data }: MessageEvent<string>) => {
      attempt = 0;
      tell(JSON.parse(data));
    };
    made.onclose = async ({ code }) => {
      if (socket !== made) return;
      lost();
      if (code === SESSION_ENDED) await ended();
      else if (!opened) askWhoIsSignedIn();
      if (socket !== made) return;
      again = setTimeout(connect, waitBefore(attempt));
      attempt += 1;
    };
  };
  connect();
  return () => {
    const closing = socket;
    socket = undefined;
    clearTimeout(again);
    closing?.close();
  };
};
