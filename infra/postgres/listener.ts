/** LISTEN on a connection of its own, which is made again whenever it breaks. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { QUICK, STAYS_OPEN } from './database.ts';

export interface ListenerOptions {
  readonly url: string;
  readonly channel: string;
  /** A notification came. */
  onNotify(payload: string): void;
  /**
   * The connection stands, the first time and after every break. What was sent meanwhile is lost, so whoever
   * waits polls at once.
   */
  onConnect(): void;
  /** A connection broke or could not be made; the next try follows by itself. */
  onError?(error: Error): void;
}

/** Listens until closed. */
export interface Listener {
  /** Resolves when LISTEN stands for the first time. Rejects only if closed before. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

/** Starts to listen. Never throws: it tries until closed, with growing pauses up to 2 s. */
export const listen = ({ url, channel, onNotify, onConnect, onError }: ListenerOptions): Listener => {
  const closing = new AbortController();
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => undefined /* nobody has to wait for it */);
  let current: pg.Client | undefined;

  const session = async (onStands: () => void): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: `reprise listen ${channel}`,
      connectionTimeoutMillis: 5_000,
      ...QUICK,
      ...STAYS_OPEN,
    });
    const ended = Promise.withResolvers<void>();
    client.on('error', (error) => ended.reject(error));
    client.on('end', () => ended.resolve());
    client.on('notification', ({ payload }) => onNotify(payload ?? ''));
    ended.promise.catch(() => undefined /* awaited below, unless connecting fails first */);
    try {
      await client.connect();
      // Ending a client that still connects may never come to an end, so a `close` meanwhile is seen to here.
      if (closing.signal.aborted) return;
      current = client;
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      onStands();
      await ended.promise;
    } finally {
      current = undefined;
      await client.end().catch(() => undefined /* it is broken already */);
    }
  };

  const loop = async (): Promise<void> => {
    let wait = FIRST_RETRY_MS;
    while (!closing.signal.aborted) {
      try {
        await session(() => {
          wait = FIRST_RETRY_MS;
          first.resolve();
          onConnect();
        });
      } catch (error) {
        if (!closing.signal.aborted) onError?.(error instanceof Error ? error : new Error(String(error)));
      }
      if (closing.signal.aborted) break;
      await pause(wait, undefined, { signal: closing.signal }).catch(
        () => undefined /* it is being closed */,
      );
      wait = Math.min(wait * 2, LAST_RETRY_MS);
    }
    first.reject(new Error('closed before it could listen'));
  };
  const finished = loop();

  return {
    ready: first.promise,
    close: async () => {
      closing.abort();
      await current?.end().catch(() => undefined /* it is broken already */);
      await finished;
    },
  };
};
