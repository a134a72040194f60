import { SESSION_ENDED } from '#domain/contracts/admin-overview.ts';
import { askWhoIsSignedIn } from './auth.ts';
import { waitBefore } from './live.ts';

/** A path of the site as the address of a socket. Browsers take a path alone only since 2024 (Safari 17.3, Firefox 124, Chrome 125). */
const socketAt = (path: string): string => new URL(path, location.href.replace(/^http/, 'ws')).href;

/**
 * Follows a WebSocket of the site, and connects again for as long as it takes. A connection that never opened may have been refused, of
 * which a browser says no more than of one without a network: then the server is asked who is signed in, which pages go by.
 * @returns ends it
 */
export const followSocket = <Message>(
  path: string,
  {
    tell,
    lost,
    ended,
  }: {
    /** A message has come. */
    tell: (message: Message) => void;
    /** The connection is gone, or was not to be had. */
    lost: () => void;
    /**
     * The server says that the session has ended or has other rights, or that it can't tell any more. The page asks anew, and is left where
     * that is so; otherwise it connects again once this has resolved.
     */
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
