/** The client of EventStoreDB, used so that what goes wrong in it stays with the call that it happened to. */
import { randomUUID } from 'node:crypto';
import { binaryEvent, EventStoreDBClient, WrongExpectedVersionError } from '@eventstore/db-client';
import { LogUnavailable, OutcomeUnknown } from './event-log.ts';
import { decode, encode, IDENTITY } from './eventstoredb-events.ts';

/** Every call asks for the leader: a follower may lag, and what it answers would be taken for the log's last word. */
export const LEADER = { requiresLeader: true } as const;

/**
 * Appends under way at once. The client's stream takes 16 before it asks its writer to wait; what waits inside the client when
 * the connection breaks is rejected outside of any call, which would end the process.
 */
const AT_ONCE = 15;

/** A shared client, counted by its users. */
export class SharedClient {
  readonly client: EventStoreDBClient;
  users = 0;
  #running = 0;
  readonly #queue: (() => void)[] = [];

  constructor(url: string) {
    this.client = EventStoreDBClient.connectionString(url);
  }

  /** Does the work once fewer than `AT_ONCE` others are under way, in order of arrival. */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#queue.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      // The turn passes on, or ends.
      if (next) next();
      else this.#running -= 1;
    }
  }
}

/**
 * One client a process and address: an error on one client's batch stream rejects the pending appends of every other
 * client in the process, and a reply that comes after that throws outside of any call.
 */
const clients = new Map<string, SharedClient>();

export const borrowClient = (url: string): SharedClient => {
  const shared = clients.get(url) ?? new SharedClient(url);
  shared.users += 1;
  clients.set(url, shared);
  return shared;
};

/** Ends a client that nobody uses any more. */
export const returnClient = (url: string): void => {
  const shared = clients.get(url);
  if (!shared) return;
  shared.users -= 1;
  if (shared.users > 0) return;
  clients.delete(url);
  // It cancels its streams at once, but may wait for ever for the batch stream to say so.
  shared.client.dispose().catch(() => undefined);
};

/** The client's own limit is 10 s. */
const TIMEOUT_MS = 12_000;

/** A write to a connection that just broke may never settle, whatever the deadline. @throws OutcomeUnknown after `ms` */
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

/** The log's id, given to it the first time. @throws LogUnavailable */
export const identify = async (shared: SharedClient, timeoutMs?: number): Promise<string> => {
  const { client } = shared;
  const event = binaryEvent({ type: 'LogNamed', data: encode(randomUUID()) });
  const name = () => client.appendToStream(IDENTITY, event, { ...LEADER, expectedRevision: 'no_stream' });
  try {
    await shared
      .inTurn(() => inTime(name(), timeoutMs))
      .catch((error) => {
        // Named before, or by another process at this moment: what stands is read below.
        if (!(error instanceof WrongExpectedVersionError)) throw error;
      });
    for await (const { event: named } of client.readStream(IDENTITY, { ...LEADER, maxCount: 1 }))
      if (named?.data instanceof Uint8Array) return decode(named.data);
  } catch (cause) {
    throw new LogUnavailable('the store of the log is away', { cause });
  }
  throw new Error('the log has lost its id');
};
