/**
 * Commands a second through the lane, codec and PostgreSQL log included (fsync on), in one process: on one hot stream, on many
 * streams, and whole purchases (six commands, six events, on three streams). And what sealing costs.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLane, type Lane } from '#command-api/lane/lane.ts';
import { createPostgresSnapshots } from '#command-api/lane/snapshots.ts';
import { allEvents } from '#domain/all-events.ts';
import { booking } from '#domain/booking/booking.ts';
import { checkout } from '#domain/checkout/checkout.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { REFUND_POLICY } from '#domain/kernel/policy.ts';
import { type Codec, createCodec } from '#infra/event-log/codec.ts';
import { PostgresEventLog } from '#infra/event-log/postgres.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { createPostgresKeyStore } from '#infra/keys/postgres.ts';
import { openDatabase } from '#infra/postgres/database.ts';
import { startEmbedded } from '#infra/postgres/embedded.ts';
import { migrate } from '#infra/postgres/migrate.ts';

export interface LaneFigures {
  /** Commands a second, each with one event: holds and sales in turn on one inventory. */
  readonly hotStream: number;
  /** Commands a second, each opening a stream of its own. */
  readonly manyStreams: number;
  /** Purchases a second on one listing. */
  readonly purchases: number;
  /** Microseconds: an event without personal fields; one with four of them; a command's meta with its address sealed. */
  readonly encodePlain: number;
  readonly encodeSealed: number;
  readonly encodeMeta: number;
}

export interface LaneBenchOptions {
  /** PostgreSQL to use; its database is filled. Default: a server of its own in a temporary folder. */
  readonly url?: string;
  /** Callers at once. Default 64. */
  readonly callers?: number;
  /** Milliseconds a figure. Default 4,000. */
  readonly duration?: number;
  readonly appendsInFlight?: number;
}

const AT = '2026-11-21T10:00:00.000Z';
const UNTIL = '2026-11-21T10:15:00.000Z';
const STARTS_AT = '2027-01-21T20:00:00.000Z';
const userContext = (id: string): Context => ({
  commandId: randomUUID(),
  correlationId: randomUUID(),
  actor: { kind: 'user', id, role: 'user', ip: '192.0.2.77' },
  at: AT,
});

/** Calls `work` over and over from so many callers; resolves to calls a second after a short warm-up. */
const rate = async (callers: number, duration: number, work: () => Promise<void>): Promise<number> => {
  let calls = 0;
  let until = performance.now() + duration / 4;
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      await work();
      calls++;
    }
  };
  const all = () => Promise.all(Array.from({ length: callers }, caller));
  await all();
  calls = 0;
  const started = performance.now();
  until = started + duration;
  await all();
  return calls / ((performance.now() - started) / 1_000);
};

const succeed = (outcome: { readonly ok: boolean }): void => {
  if (!outcome.ok) throw new Error(`a command was refused: ${JSON.stringify(outcome)}`);
};

const quote = {
  unitPrice: 4_500,
  quantity: 1,
  discount: 0,
  total: 4_500,
  currency: 'gbp',
  promotion: null,
} as const;
/** Booking ids of their own even where the database has been used before. */
let bookings = Date.now();

/** What the two calls of a purchase ask of the lane. */
const purchase = async (lane: Lane, listingId: number): Promise<void> => {
  const userId = randomUUID();
  const attempt = randomUUID();
  const bookingId = ++bookings;
  const ids = { attempt, bookingId, userId, listingId };
  const checkoutId = `${userId}-${listingId}`;
  const intentId = `pi_${bookingId}`;
  const reference = `BK${bookingId}`;
  const first = userContext(userId);
  succeed(
    await lane.execute(
      checkout,
      checkoutId,
      { type: 'OpenCheckout', ...ids, reference, quote, startsAt: STARTS_AT, until: UNTIL, at: AT },
      first,
    ),
  );
  succeed(
    await lane.execute(
      inventory,
      listingId,
      { type: 'HoldTickets', ...ids, quantity: 1, until: UNTIL },
      first,
    ),
  );
  succeed(
    await lane.execute(
      checkout,
      checkoutId,
      { type: 'AttachIntent', attempt, intentId, amount: 4_500 },
      first,
    ),
  );
  const second = userContext(userId);
  const paid = { type: 'RecordPayment', attempt, intentId, amount: 4_500, currency: 'gbp' } as const;
  succeed(await lane.execute(checkout, checkoutId, paid, second));
  succeed(await lane.execute(inventory, listingId, { type: 'SellTickets', ...ids, quantity: 1 }, second));
  const facts = {
    ...ids,
    reference,
    quote,
    intentId,
    policy: REFUND_POLICY,
    startsAt: STARTS_AT,
  };
  succeed(await lane.execute(booking, bookingId, { type: 'PlaceBooking', ...facts }, second));
};

/** Mean microseconds of a call. */
const microseconds = async (work: () => unknown): Promise<number> => {
  const ROUNDS = 20_000;
  for (let i = 0; i < ROUNDS / 4; i++) await work();
  const started = performance.now();
  for (let i = 0; i < ROUNDS; i++) work();
  return ((performance.now() - started) * 1_000) / ROUNDS;
};

const encodingCosts = async (codec: Codec) => {
  const accountId = randomUUID();
  const context = userContext(accountId);
  const meta = await codec.encodeMeta(context);
  const held = {
    type: 'TicketsHeld',
    data: { listingId: 1, attempt: accountId, bookingId: 1, userId: accountId, quantity: 2, until: UNTIL },
  };
  const registered = {
    type: 'AccountRegistered',
    data: {
      accountId,
      email: 'ann@example.org',
      firstName: 'Ann',
      lastName: 'Other',
      profileImageUrl: null,
      via: 'password',
      role: 'user',
    },
  };
  return {
    encodePlain: await microseconds(() => codec.encode(held, accountId, 'inventory-1', context, meta)),
    encodeSealed: await microseconds(() => codec.encode(registered, accountId, 'account-1', context, meta)),
    encodeMeta: await microseconds(() => codec.encodeMeta({ ...context, actor: { ...context.actor } })),
  };
};

/** Measures everything once. */
export const run = async (options: LaneBenchOptions = {}): Promise<LaneFigures> => {
  const { callers = 64, duration = 4_000, appendsInFlight } = options;
  const folder = options.url ? undefined : await mkdtemp(join(tmpdir(), 'reprise-bench-'));
  // Reachable by the account that PostgreSQL runs as, so that its data lie here and go with the folder.
  if (folder) await chmod(folder, 0o711);
  const server = folder ? await startEmbedded({ dataDir: join(folder, 'server') }) : undefined;
  const url = options.url ?? server?.url ?? '';
  await migrate(url);
  const database = openDatabase(url);
  const masterKey = new Uint8Array(32).fill(7);
  const keys = createPostgresKeyStore({ pool: database.pool, masterKey });
  const codec = createCodec(keys, allEvents);
  const log = await PostgresEventLog.open({ url });
  const snapshots = createPostgresSnapshots(database.pool, masterKey);
  const lane = createLane({ log, codec, snapshots, ...(appendsInFlight ? { appendsInFlight } : {}) });
  const base = Math.floor(Date.now() / 1_000);
  const openInventory = async (listingId: number): Promise<void> =>
    succeed(
      await lane.execute(
        inventory,
        listingId,
        { type: 'OpenInventory', listingId, capacity: 10_000_000 },
        userContext('root'),
      ),
    );
  try {
    await openInventory(base);
    await openInventory(base + 1);
    const hotHalves = await rate(callers, duration, async () => {
      const userId = randomUUID();
      const ids = { attempt: userId, bookingId: ++bookings, userId, quantity: 1 };
      succeed(
        await lane.execute(
          inventory,
          base,
          { type: 'HoldTickets', ...ids, until: UNTIL },
          userContext(userId),
        ),
      );
      succeed(await lane.execute(inventory, base, { type: 'SellTickets', ...ids }, userContext(userId)));
    });
    const manyStreams = await rate(callers, duration, async () => {
      const userId = randomUUID();
      const ids = { attempt: userId, bookingId: ++bookings, userId, listingId: base, reference: 'BK' };
      const open = {
        type: 'OpenCheckout',
        ...ids,
        quote,
        startsAt: STARTS_AT,
        until: UNTIL,
        at: AT,
      } as const;
      succeed(await lane.execute(checkout, `${userId}-${base}`, open, userContext(userId)));
    });
    const purchases = await rate(callers, duration, () => purchase(lane, base + 1));
    const costs = await encodingCosts(codec);
    await lane.drain();
    return { hotStream: hotHalves * 2, manyStreams, purchases, ...costs };
  } finally {
    await log.close();
    await keys.close();
    await database.close();
    await server?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) {
  const [callers, appendsInFlight, url] = process.argv.slice(2);
  console.table(
    await run({
      ...(callers ? { callers: Number(callers) } : {}),
      ...(appendsInFlight ? { appendsInFlight: Number(appendsInFlight) } : {}),
      ...(url ? { url } : {}),
    }),
  );
}
