/** The oracle of a round: what must be so whatever was killed. */
import { type EventLog, START } from '#infra/event-log/event-log.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import { findViolations } from '#infra/read-models/invariants.ts';
import { openProjectorPool } from '#projector/engine/schema.ts';
import { projections } from '#projector/projections/all.ts';
import { describeComparison } from '#projector/rebuild/compare.ts';
import { listParked } from '#projector/rebuild/parked.ts';
import { compareWithRebuild } from '#projector/rebuild/rebuild.ts';
import type { Sale } from '#tests/kit/prepared-sale.ts';
import type { Acknowledged } from './buyer.ts';
import { type Evidence, gather } from './evidence.ts';

/** At most a few of a long list, so that a failure can be read. */
const some = (items: readonly unknown[]): string =>
  `${items.slice(0, 5).map(String).join(', ')}${items.length > 5 ? ` and ${items.length - 5} more` : ''}`;

const soldRight = (
  { inventory, mostTaken, sales, bookings }: Evidence,
  { capacity }: Sale,
  soldOut: boolean,
): string[] => {
  const wrong: string[] = [];
  if (soldOut && inventory.sold !== capacity) wrong.push(`${inventory.sold} of ${capacity} tickets are sold`);
  if (mostTaken > capacity)
    wrong.push(`${mostTaken} of ${capacity} tickets were sold and held at one moment`);
  const twice = [...sales].filter(([, times]) => times > 1).map(([id]) => id);
  if (twice.length > 0) wrong.push(`sold twice: the tickets of bookings ${some(twice)}`);
  const unbooked = [...sales.keys()].filter((id) => !bookings.has(id));
  if (unbooked.length > 0) wrong.push(`sold without a booking: ${some(unbooked)}`);
  const empty = [...bookings.keys()].filter((id) => !sales.has(id));
  if (empty.length > 0) wrong.push(`booked without tickets: ${some(empty)}`);
  return wrong;
};

const paidRight = ({ bookings, paid, payments }: Evidence): string[] => {
  const wrong: string[] = [];
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  for (const { bookingId, attempt, intentId, quote } of bookings.values()) {
    const payment = byId.get(intentId ?? '');
    const fits =
      payment?.status === 'succeeded' && payment.amount === quote.total && payment.attempt === attempt;
    if (!fits || paid.get(attempt) !== quote.total)
      wrong.push(`booking ${bookingId} has no payment that fits`);
    if (payment && payment.refunded > 0)
      wrong.push(`booking ${bookingId} has its tickets and ${payment.refunded} pence back`);
  }
  for (const { id, status, amount, bookingId, refunded } of payments) {
    if (refunded > amount) wrong.push(`payment ${id}: ${refunded} of ${amount} pence were paid back`);
    if (status === 'succeeded' && !bookings.has(bookingId) && refunded !== amount)
      wrong.push(`payment ${id} of ${amount} pence has no booking, and ${refunded} pence were paid back`);
  }
  return wrong;
};

const keptPromises = (
  { events, bookings, intents }: Evidence,
  acknowledged: readonly Acknowledged[],
  { listingId }: Sale,
  logId: string,
): string[] => {
  const wrong: string[] = [];
  const at = new Map(events.map(({ position, stream }) => [position, stream]));
  for (const { what, userId, position, intentId, bookingId } of acknowledged) {
    const [log, place = ''] = position.split(':');
    const own = [`checkout-${userId}-${listingId}`, `inventory-${listingId}`, `booking-${bookingId}`];
    // The hold is counted beside the opening of the checkout, and may be the last event of the call.
    if (what === 'intent') own.push(`holds-${userId}`);
    if (log !== logId || !own.includes(at.get(place) ?? ''))
      wrong.push(
        `acknowledged at ${position}, where there is ${at.get(place) ?? 'nothing'}: ${what} of ${userId}`,
      );
    if (intentId !== null && intents.get(intentId) !== `checkout-${userId}-${listingId}`)
      wrong.push(`intent ${intentId} was acknowledged, and is not in the log`);
    if (bookingId !== null && bookings.get(bookingId)?.userId !== userId)
      wrong.push(`booking ${bookingId} was acknowledged, and is not in the log`);
  }
  return wrong;
};

/** Streams without a hole, and in PostgreSQL positions without a gap. */
export const logInOrder = async ({ config, log, database }: Foundation): Promise<string[]> => {
  if (config.eventStoreUrl) return streamsInOrder(log);
  const { rows } = await database.pool.query<{ count: number; first: number; last: number; streams: number }>(
    `select count(*)::int as count, min(position)::int as first, max(position)::int as last,
       (select count(*)::int from (select 1 from log.event group by stream
          having count(*) <> max(revision) + 1 or min(revision) <> 0) as holed) as streams
       from log.event`,
  );
  const [row] = rows;
  const wrong: string[] = [];
  if (row?.first !== 1 || row.last !== row.count) wrong.push(`positions have a gap: ${JSON.stringify(row)}`);
  if (row && row.streams > 0) wrong.push(`${row.streams} streams lack a revision`);
  return wrong;
};

/** Each stream's events one after the other, and each position after the one before. */
const streamsInOrder = async (log: EventLog): Promise<string[]> => {
  const wrong: string[] = [];
  const last = new Map<string, number>();
  let before = START;
  for await (const { events } of log.readAll(START))
    for (const { stream, revision, position } of events) {
      if (revision !== (last.get(stream) ?? -1) + 1) wrong.push(`${stream} lacks what is before ${revision}`);
      if (position <= before) wrong.push(`${position} comes after ${before}`);
      last.set(stream, revision);
      before = position;
    }
  return wrong;
};

/** Whether the live read models equal a rebuild from zero, row by row. */
export const readModelsRight = async ({ databaseUrl, log, codec }: Foundation): Promise<string[]> => {
  const pool = openProjectorPool(databaseUrl, () => undefined);
  try {
    const parked = await listParked(pool);
    const comparison = await compareWithRebuild({ pool, log, codec, projections });
    return [
      ...parked.map(
        ({ position, type, error }) => `parked: ${type} at ${position}: ${error ?? 'behind another'}`,
      ),
      ...(comparison.equal ? [] : [`read models differ from a rebuild: ${describeComparison(comparison)}`]),
    ];
  } finally {
    await pool.end();
  }
};

/**
 * Judges a round that has settled. `soldOut`: every ticket must be sold. `onlyTickets`: the control's question is how many
 * were sold, nothing else.
 */
export const verify = async (
  foundation: Foundation,
  sale: Sale,
  acknowledged: readonly Acknowledged[],
  { onlyTickets = false, soldOut = true } = {},
): Promise<{ readonly wrong: readonly string[]; readonly evidence: Evidence }> => {
  const evidence = await gather(foundation, sale.listingId);
  if (onlyTickets) return { wrong: soldRight(evidence, sale, soldOut), evidence };
  const violations = await findViolations(foundation.database.pool, { settleAfter: 0, now: new Date() });
  const wrong = [
    ...soldRight(evidence, sale, soldOut),
    ...paidRight(evidence),
    ...keptPromises(evidence, acknowledged, sale, foundation.log.id),
    ...(await logInOrder(foundation)),
    ...violations.map(({ rule, of, detail }) => `${rule}: ${of}: ${detail}`),
    ...(await readModelsRight(foundation)),
  ];
  return { wrong, evidence };
};
