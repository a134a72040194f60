import { describe, expect, it } from 'vitest';
import type { PromotionTerms } from '#domain/promotion/events.ts';
import type { Past } from './past.ts';
import { playSale, type SaleChanges } from './sale.ts';
import { type SaleEvent, saleScript } from './sale-script.ts';
import type { SaleFigures } from './sale-tally.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const MINUTE = 60_000;
const listingId = 7;
const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();
const happened = (minutes: number, event: SaleEvent): Past<SaleEvent> => ({ event, at: at(minutes) });

const opened = (capacity: number) =>
  happened(-60, { type: 'InventoryOpened', data: { listingId, capacity } });

interface Try {
  readonly userId: string;
  readonly quantity?: number;
  /** A fixed discount in pence, with a code. */
  readonly discount?: number;
}

/** Somebody opens a checkout at £10 a ticket; what follows is added by its minutes. */
const attempt = (bookingId: number, minutes: number, { userId, quantity = 2, discount = 0 }: Try) => {
  const ids = { attempt: `a${bookingId}`, bookingId, userId, listingId };
  const quote = {
    ...{ unitPrice: 1000, quantity, discount, total: 1000 * quantity - discount, currency: 'gbp' as const },
    promotion: discount ? { promotionId: 3, code: 'HALF' } : null,
  };
  const until = at(minutes + 15);
  const facts = { ...ids, quote, reference: `BK${bookingId}`, startsAt: at(9999), until };
  const open = happened(minutes, { type: 'CheckoutOpened', data: facts });
  const named = { attempt: ids.attempt };
  const release = (later: number, why: 'expired' | 'refused', held: number) =>
    happened(later, {
      type: 'HoldReleased',
      data: { listingId, ...named, quantity: held, why, at: at(later) },
    });
  return {
    held: [open, happened(minutes, { type: 'TicketsHeld', data: { ...ids, quantity, until } })],
    refused: [
      open,
      happened(minutes, { type: 'CheckoutClosing', data: { ...named, why: 'sold_out' } }),
      release(minutes, 'refused', 0),
    ],
    paid: (later: number, held = true) => [
      happened(later, { type: 'TicketsSold', data: { ...ids, quantity, held } }),
    ],
    lapsed: (later: number) => [release(later, 'expired', quantity)],
    cancelled: (later: number, percent: number, refund: number) => [
      happened(later, {
        type: 'BookingCancelled',
        data: { bookingId, userId, listingId, quantity, by: 'customer', reason: '', refund, percent },
      }),
      happened(later, { type: 'TicketsReturned', data: { listingId, bookingId, quantity } }),
    ],
  };
};

const scriptOf = (...past: readonly (Past<SaleEvent> | readonly Past<SaleEvent>[])[]) => {
  const script = saleScript(past.flat());
  if (!script) throw new Error('there is no script');
  return script;
};
const rehearsed = (script: ReturnType<typeof scriptOf>, changes: SaleChanges = {}): SaleFigures => {
  const last = [...playSale(script, changes)].at(-1);
  if (!last) throw new Error('nothing was played');
  return last.figures();
};

/** Four tickets: Ann buys two, Bea lets two lapse, Cay is refused meanwhile, and Dan buys those that came back. */
const ann = attempt(1, 0, { userId: 'ann' });
const bea = attempt(2, 1, { userId: 'bea' });
const cay = attempt(3, 2, { userId: 'cay' });
const dan = attempt(4, 20, { userId: 'dan' });
const script = scriptOf(
  opened(4),
  ann.held,
  bea.held,
  cay.refused,
  ann.paid(8),
  bea.lapsed(16),
  dan.held,
  dan.paid(22),
);

describe('a sale rehearsed', () => {
  it('with nothing changed ends as it did', () => {
    expect(script.inFact).toMatchObject({
      ...{ capacity: 4, sold: 4, bookings: 2, takings: 4000, paidBack: 0 },
      ...{ soldOut: 1, otherwise: 0, lapsed: 1, mostHeld: 4, soldOutAt: at(1) },
      busiest: { at: at(0), count: 1 },
    });
    expect(rehearsed(script)).toEqual(script.inFact);
  });

  it('refuses whom it refused in fact, though a ticket came back before the log tells of it', () => {
    const [open, ...told] = attempt(3, 15, { userId: 'cay' }).refused;
    const late = told.map(({ event }) => happened(16, event));
    const close = scriptOf(opened(2), bea.held, open ?? [], bea.lapsed(16), late);
    expect(rehearsed(close)).toEqual(close.inFact);
  });

  it('with more tickets sells to those who were refused', () => {
    expect(rehearsed(script, { capacity: 6 })).toMatchObject({
      ...{ capacity: 6, sold: 6, bookings: 3, takings: 6000, soldOut: 0, mostHeld: 6 },
    });
  });

  it('with fewer refuses more', () => {
    expect(rehearsed(script, { capacity: 2 })).toMatchObject({
      ...{ sold: 2, bookings: 1, takings: 2000, soldOut: 3, lapsed: 0 },
    });
  });

  it('with a shorter hold frees tickets for those who come after', () => {
    const soon = scriptOf(opened(2), bea.held, attempt(3, 7, { userId: 'cay' }).refused, bea.lapsed(16));
    expect(soon.inFact).toMatchObject({ sold: 0, soldOut: 1, lapsed: 1 });
    expect(rehearsed(soon, { hold: 5 * MINUTE })).toMatchObject({ sold: 2, soldOut: 0, lapsed: 1 });
  });

  it('lets those who pay after a shorter hold have what is left', () => {
    const slow = scriptOf(opened(4), ann.held, ann.paid(8));
    expect(rehearsed(slow, { hold: 5 * MINUTE })).toMatchObject({ sold: 2, lapsed: 1, soldOut: 0 });
    const full = scriptOf(opened(2), ann.held, attempt(3, 6, { userId: 'cay' }).refused, ann.paid(8));
    expect(rehearsed(full, { hold: 5 * MINUTE })).toMatchObject({ sold: 2, bookings: 1, soldOut: 1 });
  });

  it('with a longer hold keeps the tickets of those who never pay, one hold a person', () => {
    const later = rehearsed(script, { hold: 30 * MINUTE });
    expect(later).toMatchObject({ sold: 2, bookings: 1, lapsed: 1, soldOut: 2 });
    const again = attempt(5, 18, { userId: 'bea' });
    const twice = scriptOf(opened(2), bea.held, bea.lapsed(16), again.held, again.paid(19));
    expect(rehearsed(twice, { hold: 30 * MINUTE })).toMatchObject({ sold: 2, lapsed: 0, mostHeld: 2 });
  });

  it('with the hold that it had ends as it did', () => {
    expect(rehearsed(script, { hold: 15 * MINUTE })).toEqual(script.inFact);
  });

  it('with another price keeps what promotions take off, and what cancellations give back', () => {
    const terms: PromotionTerms = {
      discountType: 'percentage',
      ...{ name: 'Half', description: '', discountValue: 50, usageLimit: null },
      ...{ validFrom: at(-99), validUntil: at(99), isActive: true },
    };
    const created = happened(-50, {
      type: 'PromotionCreated',
      data: { promotionId: 3, code: 'HALF', ...terms },
    });
    const half = attempt(1, 0, { userId: 'ann', discount: 1000 });
    const priced = scriptOf(opened(4), created, half.held, half.paid(3), half.cancelled(9, 80, 800));
    expect(priced.inFact).toMatchObject({ sold: 0, takings: 1000, paidBack: 800 });
    expect(rehearsed(priced, { price: 3000 })).toMatchObject({ sold: 0, takings: 3000, paidBack: 2400 });
    expect(rehearsed(priced, { price: 20 })).toMatchObject({ bookings: 0, takings: 0, otherwise: 1 });
    expect(rehearsed(priced, { price: 0 })).toMatchObject({ bookings: 1, takings: 0 });
  });

  it('of a past that was written later has it in the order of its moments', () => {
    const late = attempt(1, 300, { userId: 'ann' });
    const mixed = scriptOf(opened(9), late.held, late.paid(301), dan.held, dan.paid(22));
    expect([...playSale(mixed, {})].map((moment) => new Date(moment.at).toISOString())).toEqual(
      [20, 22, 300, 301].map(at),
    );
  });

  it('needs an inventory', () => {
    expect(saleScript([])).toBeUndefined();
  });
});
