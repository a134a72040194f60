/** The client of EventStoreDB, used in such a way that an error of one call reaches that call alone. */
import { randomUUID } from 'node:crypto';
import { binaryEvent, EventStoreDBClient, WrongExpectedVersionError } from '@eventstore/db-client';
import { Turns } from '#infra/turns.ts';
import { LogUnavailable, OutcomeUnknown } from './event-log.ts';
import { decode, encode, IDENTITY } from './eventstoredb-events.ts';

/** An option of every call: only the leader may answer. A follower may lag, and its answer would miss the newest events. */
export const LEADER = { requiresLeader: true } as const;

/**
 * How many appends may run at once. The client's stream takes 16 before it makes its writer wait. If the connection breaks while
 * appends wait inside the client, they are rejected outside of any call, and that would end the process.
 */
const AT_ONCE = 15;

/** A client with its queue of appends. All logs of this process that are open at the same address share it. */
export interface SharedClient {
  readonly client: EventStoreDBClient;
  readonly appends: Turns;
  /** How many logs use it. */
  users: number;
}

/**
 * The clients by address. A process has one for each address: an error on the batch stream of one client rejects the pending
 * appends of every other client of the process, and a reply that comes after that throws outside of any call.
 */
const clients = new Map<string, SharedClient>();

/** The client for an address. Give it back with `returnClient`. */
export const borrowClient = (url: string): SharedClient => {
  const shared = clients.get(url) ?? {
    client: EventStoreDBClient.connectionString(url),
    appends: new Turns(AT_ONCE),
    users: 0,
  };
  shared.users += 1;
  clients.set(url, shared);
  return shared;
};

/** Gives a client back. The last user closes it. */
export const returnClient = (url: string): void => {
  const shared = clients.get(url);
  if (!shared) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  clients.delete(url);
  // Not awaited: it cancels its streams at once, but may wait for ever for the batch stream to confirm.
  shared.client.dispose().catch(() => undefined);
};

/** How long an answer may take, in milliseconds. The client's own limit is 10 s. */
const TIMEOUT_MS = 12_000;

/** Waits for an answer. A write to a connection that just broke may never settle, in spite of the client's deadline. @throws OutcomeUnknown after `ms` */
export const inTime = async <Result>(work: Promise<Result>, ms: number = TIMEOUT_MS): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutcomeUnknown('no answer in time')), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** The log's id. The first call makes it. @throws LogUnavailable */
export const identify = async (shared: SharedClient, timeoutMs?: number): Promise<string> => {
  const { client } = shared;
  const event = binaryEvent({ type: 'LogNamed', data: encode(randomUUID()) });
  const name = () => client.appendToStream(IDENTITY, event, { ...LEADER, expectedRevision: 'no_stream' });
  try {
    await shared.appends
      .take(() => inTime(name(), timeoutMs))
      .catch((error) => {
        // The log has an id already, or another process gave it one at this moment: it is read below.
        if (!(error instanceof WrongExpectedVersionError)) throw error;
      });
    for await (const { event: named } of client.readStream(IDENTITY, { ...LEADER, maxCount: 1 }))
      if (named?.data instanceof Uint8Array) return decode(named.data);
  } catch (cause) {
    throw new LogUnavailable('the store of the log is away', { cause });
  }
  throw new Error('the log has lost its id');
};
