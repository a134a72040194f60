import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { QUICK, STAYS_OPEN } from './database.ts';

export interface ListenerOptions {
  readonly url: string;
  readonly channel: string;
  onNotify(payload: string): void;
  /** Also after every break: notifications sent meanwhile are lost, so poll at once. */
  onConnect(): void;
  onError?(error: Error): void;
}

export interface Listener {
  /** Resolves once LISTEN is active. Rejects only if closed before. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

/** Never throws: it retries until closed, with growing pauses up to 2 s. */
export const listen = ({ url, channel, onNotify, onConnect, onError }: ListenerOptions): Listener => {
  const closing = new AbortController();
  const first = Promise.withResolvers<void>();
  first.promise.catch(() => undefined /* may have no awaiter */);
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
      // Ending a client that is still connecting may never finish.
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
