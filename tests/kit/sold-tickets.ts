/** Bookings of a prepared sale, written straight into the log: for what begins at the door. */
import { randomUUID } from 'node:crypto';
import { TICKET_LIFETIME_AFTER_START } from '#domain/admission/ticket-token.ts';
import { REFUND_POLICY } from '#domain/kernel/policy.ts';
import type { NewEvent } from '#infra/event-log/event-log.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import { PRICE, type Sale } from './prepared-sale.ts';

/** How many bookings are appended at a time. */
const TOGETHER = 500;

/** Sells so many tickets, each in a booking of its own, with ids from 1. Resolves to their codes, in this order. */
export const sellTickets = async (
  { log, codec, signer }: Foundation,
  { buyers: [buyer], listingId }: Sale,
  tickets: number,
): Promise<readonly string[]> => {
  if (!buyer) throw new Error('nobody bought');
  const startsAt = new Date(Date.now() + 86_400_000).toISOString();
  const expiresAt = Math.floor((Date.parse(startsAt) + TICKET_LIFETIME_AFTER_START) / 1_000);
  const price = { unitPrice: PRICE, quantity: 1, discount: 0, total: PRICE };
  const quote = { ...price, currency: 'gbp' as const, promotion: null };
  const tokens: string[] = [];
  let waiting: { stream: string; expected: 'none'; events: NewEvent[] }[] = [];
  for (let bookingId = 1; bookingId <= tickets; bookingId++) {
    const ids = { commandId: randomUUID(), correlationId: randomUUID() };
    const context = { ...ids, actor: { kind: 'system', id: 'bench' }, at: new Date().toISOString() } as const;
    const data = {
      ...{ bookingId, reference: `BK${String(bookingId).padStart(8, '0')}`, userId: buyer.id, listingId },
      ...{ attempt: randomUUID(), quote, intentId: 'pi_bench', policy: REFUND_POLICY, startsAt },
    };
    const stream = `booking-${bookingId}`;
    const meta = await codec.encodeMeta(context);
    const event = await codec.encode({ type: 'BookingPlaced', data }, randomUUID(), stream, context, meta);
    waiting.push({ stream, expected: 'none', events: [event] });
    if (waiting.length === TOGETHER || bookingId === tickets) {
      await log.append(waiting);
      waiting = [];
    }
    tokens.push(signer.sign({ bookingId, page: 1, listingId, quantity: 1, epoch: 1, expiresAt }));
  }
  return tokens;
};
