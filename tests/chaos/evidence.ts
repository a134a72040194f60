/** Everything that a round's oracle judges by: the whole log, decoded and folded, and the provider's own tables. */
import type { BookingEvent, BookingFacts } from '#domain/booking/events.ts';
import type { CheckoutEvent } from '#domain/checkout/events.ts';
import type { InventoryEvent } from '#domain/inventory/events.ts';
import { evolve, initial } from '#domain/inventory/state.ts';
import type { DomainEvent } from '#domain/kernel/decider.ts';
import { START } from '#infra/event-log/event-log.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';

export interface Payment {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly attempt: string;
  readonly bookingId: number;
  /** Paid back, in refunds that succeeded. */
  readonly refunded: number;
}

export type Evidence = Awaited<ReturnType<typeof gather>>;

const isOf = <Event extends DomainEvent>(recorded: Recorded, prefix: string): recorded is Recorded<Event> =>
  recorded.stream.startsWith(prefix);

const paymentsOf = async ({ database }: Foundation): Promise<readonly Payment[]> => {
  const { rows } = await database.pool.query<Payment>(
    `select i.id, i.status, i.amount, i.metadata->>'attempt' as attempt,
       (i.metadata->>'bookingId')::int as "bookingId",
       coalesce((select sum(r.amount) from app.sandbox_refund r
                  where r.intent_id = i.id and r.status = 'succeeded'), 0)::int as refunded
       from app.sandbox_intent i`,
  );
  return rows;
};

export const gather = async (foundation: Foundation, listingId: number) => {
  const { log, codec } = foundation;
  const events: Recorded[] = [];
  for await (const batch of log.readAll(START)) events.push(...(await codec.decode(batch.events)));
  let inventory = initial;
  /** The most tickets that were sold and held at any moment. */
  let mostTaken = 0;
  /** How often each booking's tickets were sold. */
  const sales = new Map<number, number>();
  const bookings = new Map<number, BookingFacts>();
  const unfilled = new Set<number>();
  /** Attempts whose money the log knows of, by attempt. */
  const paid = new Map<string, number>();
  /** Whose checkout each intent belongs to. */
  const intents = new Map<string, string>();
  for (const recorded of events) {
    if (recorded.stream === `inventory-${listingId}` && isOf<InventoryEvent>(recorded, 'inventory-')) {
      const { event } = recorded;
      inventory = evolve(inventory, event);
      mostTaken = Math.max(mostTaken, inventory.sold + inventory.held);
      if (event.type === 'TicketsSold')
        sales.set(event.data.bookingId, (sales.get(event.data.bookingId) ?? 0) + 1);
    } else if (isOf<BookingEvent>(recorded, 'booking-')) {
      const { event } = recorded;
      if (event.type === 'BookingPlaced') bookings.set(event.data.bookingId, event.data);
      if (event.type === 'BookingUnfilled') unfilled.add(event.data.bookingId);
    } else if (isOf<CheckoutEvent>(recorded, 'checkout-')) {
      const { event, stream } = recorded;
      if (event.type === 'PaymentReceived') paid.set(event.data.attempt, event.data.amount);
      if (event.type === 'IntentAttached') intents.set(event.data.intentId, stream);
    }
  }
  const payments = await paymentsOf(foundation);
  return { events, inventory, mostTaken, sales, bookings, unfilled, paid, intents, payments };
};

/** What keeps a round from being judged: money or read models that are still on their way. Empty once all has settled. */
export const unsettled = async (foundation: Foundation, listingId: number): Promise<readonly string[]> => {
  const { pool } = foundation.database;
  const waiting: string[] = [];
  const { bookings, payments } = await gather(foundation, listingId);
  const paid = payments.filter(({ status, amount, refunded }) => status === 'succeeded' && refunded < amount);
  const open = paid.filter(({ bookingId }) => !bookings.has(bookingId));
  if (open.length > 0) waiting.push(`${open.length} payments have neither booking nor refund`);
  const { rows } = await pool.query<{ position: string }>('select position from read.checkpoint');
  const head = await foundation.log.head();
  if (rows[0]?.position !== head)
    waiting.push(`the read models are at ${rows[0]?.position}, the log at ${head}`);
  const { rows: refunds } = await pool.query<{ count: number }>(
    `select count(*)::int as count from app.job where kind in ('refund', 'refund-notice', 'attempt', 'intent', 'provider-refund')
      and due_at <= now()`,
  );
  if ((refunds[0]?.count ?? 0) > 0) waiting.push(`${refunds[0]?.count} jobs are due`);
  return waiting;
};
