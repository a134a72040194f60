import { describe, expect, it } from 'vitest';
import { account } from '#domain/account/account.ts';
import { booking } from '#domain/booking/booking.ts';
import { initial as noBooking } from '#domain/booking/state.ts';
import type { ClosingReason, Quote } from '#domain/checkout/events.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { reject } from '#domain/kernel/decider.ts';
import { HOLD_FOR, HOLD_GRACE } from '#domain/kernel/policy.ts';
import { listing } from '#domain/listing/listing.ts';
import { stopAnywhere } from '#tests/kit/processes.ts';
import { LISTING, quoteOf, Sale } from '#tests/kit/sale.ts';
import { type PurchaseView, purchase } from './purchase.ts';

interface Story {
  readonly capacity: number;
  readonly quote: Quote;
  /** What the booking is where nothing was stopped. */
  readonly ends: 'confirmed' | 'unfilled' | 'none';
  /** Before the walker goes on, by the number of the move. */
  meanwhile?(sale: Sale, attempt: Attempt, move: number): void;
}

const plain = quoteOf(2, 2000, false);
const promoted = quoteOf(2, 1800, true);
const opened = (sale: Sale, quote: Quote): Attempt => {
  const attempt = sale.open('ann', quote);
  if (!attempt) throw new Error('it did not open');
  return attempt;
};
const now = (sale: Sale): Attempt => sale.attempts()[0] ?? opened(sale, plain);
const othersTakeAll = (sale: Sale): void => {
  const { capacity, sold, held } = sale.state(inventory, LISTING);
  const quantity = capacity - sold - held;
  const other = { attempt: 'other', bookingId: 999_999, userId: 'other', quantity };
  if (quantity > 0) sale.do(inventory, LISTING, { type: 'SellTickets', ...other });
};
const late = (sale: Sale): void => {
  sale.now = sale.openedAt + HOLD_FOR + 1;
};

const stories: Record<string, Story> = {
  'a purchase': {
    capacity: 2,
    ends: 'confirmed',
    quote: plain,
    meanwhile: (sale, attempt) => sale.pay(attempt),
  },
  'a purchase with a promotion': {
    capacity: 2,
    ends: 'confirmed',
    quote: promoted,
    meanwhile: (sale, attempt) => sale.pay(attempt),
  },
  'one with nothing to pay': { capacity: 2, ends: 'confirmed', quote: quoteOf(2, 0, true) },
  'one that nobody pays': {
    capacity: 2,
    ends: 'none',
    quote: promoted,
    meanwhile: (sale, _, move) => move > 20 && late(sale),
  },
  'one without tickets': { capacity: 1, ends: 'none', quote: promoted },
  'one that the provider refuses': {
    capacity: 2,
    ends: 'none',
    quote: promoted,
    meanwhile: (sale) => {
      sale.refusesIntents = true;
    },
  },
  'late money, tickets left': {
    capacity: 2,
    ends: 'confirmed',
    quote: promoted,
    meanwhile: (sale, attempt, move) => {
      if (move > 20) late(sale);
      if (move > 22) sale.pay(attempt);
    },
  },
  'money that comes while it closes, others waiting': {
    capacity: 2,
    ends: 'confirmed',
    quote: promoted,
    meanwhile: (sale, attempt, move) => {
      if (move > 20) late(sale);
      if (move > 22) sale.pay(attempt);
      if (move > 6) othersTakeAll(sale);
    },
  },
  'late money, no tickets left': {
    capacity: 2,
    ends: 'unfilled',
    quote: promoted,
    meanwhile: (sale, attempt, move) => {
      if (move > 20) late(sale);
      // The provider neither cancels nor confirms, until the tickets are let go.
      if (move > 20) sale.pay(attempt, 'processing');
      if (move > 30) sale.now = sale.openedAt + HOLD_FOR + HOLD_GRACE + 1;
      if (move > 60) othersTakeAll(sale);
    },
  },
  'late money in a process that remembers the attempt as open, once the event has started': {
    capacity: 2,
    ends: 'unfilled',
    quote: plain,
    meanwhile: (sale, attempt, move) => {
      if (move > 20) late(sale);
      if (move > 20) sale.pay(attempt, 'processing');
      if (move > 50) sale.now = Date.parse(sale.startsAt);
      if (move > 50) sale.confirm(attempt);
    },
  },
  'late money, once the event has started': {
    capacity: 2,
    ends: 'unfilled',
    quote: plain,
    meanwhile: (sale, attempt, move) => {
      if (move > 20) late(sale);
      if (move > 20) sale.pay(attempt, 'processing');
      if (move > 50) sale.now = Date.parse(sale.startsAt);
    },
  },
  'sales that close under a paid one': {
    capacity: 2,
    ends: 'unfilled',
    quote: promoted,
    meanwhile: (sale, attempt, move) => {
      sale.pay(attempt);
      if (move > 13) sale.do(inventory, LISTING, { type: 'CloseSales', why: 'archived' });
    },
  },
};

describe('a purchase that is stopped anywhere and continued is finished or undone', () => {
  for (const [name, { capacity, quote, ends, meanwhile }] of Object.entries(stories)) {
    it(name, () =>
      stopAnywhere({
        world() {
          const sale = new Sale(capacity);
          opened(sale, quote);
          return sale;
        },
        start(sale) {
          const attempt = now(sale);
          return attempt.payment ? sale.purchase(attempt) : sale.claim(attempt);
        },
        meanwhile: (sale, move) => meanwhile?.(sale, now(sale), move),
        end: (sale) => sale.settle(),
        holds(sale, whole) {
          sale.expectFinishedOrUndone();
          const { status, unfilled } = sale.state(booking, now(sale).bookingId);
          if (whole) expect(unfilled ? 'unfilled' : status).toBe(ends);
        },
      }),
    );
  }
});

const blank = { userId: 'ann', listingId: LISTING, attempt: 'a', at: '2026-11-21T12:00:00.000Z' };
const viewOf = (quote: Quote, more: Partial<Attempt>): PurchaseView => {
  const attempt = opened(new Sale(2), quote);
  return { ...blank, attempt: attempt.attempt, checkout: { ...attempt, ...more } };
};

describe('a slow purchase run', () => {
  const intent = { id: 'pi_1', status: 'open', amount: 2000, currency: 'gbp' } as const;

  it('releases its hold if the attempt closes for a reason known only to a newer program', () => {
    const view = viewOf(plain, { closing: 'venue_flooded' as ClosingReason });
    expect(purchase.request(view, { do: 'release-hold' })).toMatchObject({ command: { why: 'refused' } });
  });

  it('records an intent that it made while the attempt was closing, so that it is cancelled', () => {
    expect(purchase.next({ ...viewOf(plain, { closing: 'expired' }), intent })).toEqual([
      {
        do: 'attach-intent',
        intent,
      },
    ]);
    const attached = { intentId: 'pi_1', amount: 2000 };
    expect(purchase.next({ ...viewOf(plain, { closing: 'expired', intent: attached }), intent })).toEqual([
      {
        do: 'cancel-intent',
        intentId: 'pi_1',
      },
    ]);
  });

  it('cancels an intent that it made after the attempt was closed, or records its payment', () => {
    const closed = { ...viewOf(plain, { closing: 'expired', closed: true }), intent };
    expect(purchase.next(closed)).toEqual([{ do: 'cancel-intent', intentId: 'pi_1' }]);
    expect(purchase.next({ ...closed, cancelled: { ...intent, status: 'canceled' } })).toBe('done');
    const paid = { ...intent, status: 'succeeded' } as const;
    expect(purchase.next({ ...closed, cancelled: paid })).toEqual([{ do: 'record-payment', intent: paid }]);
    expect(purchase.next({ ...closed, cancelled: intent })).toBe('waiting-for-provider');
  });
});

describe('a payment reported by the provider', () => {
  const paid = { id: 'pi_1', status: 'succeeded', amount: 2000, currency: 'gbp' } as const;
  const attached = { intent: { intentId: 'pi_1', amount: 2000 } };
  const both = [{ do: 'record-payment', intent: paid }, { do: 'sell' }];
  const alone = both.slice(0, 1);

  it('is recorded while the tickets are sold, if it matches an open attempt', () => {
    expect(purchase.next({ ...viewOf(plain, attached), paid })).toEqual(both);
    expect(purchase.next({ ...blank, paid })).toEqual(alone);
    expect(purchase.next({ ...viewOf(plain, {}), paid })).toEqual(alone);
    expect(purchase.next({ ...viewOf(plain, { ...attached, closing: 'expired' }), paid })).toEqual(alone);
    expect(purchase.next({ ...viewOf(plain, attached), paid: { ...paid, amount: 1 } })).toHaveLength(1);
  });

  it('is recorded once, and is late if the attempt was closing, even if its tickets were sold', () => {
    const payment = { intentId: 'pi_1', amount: 2000, late: true };
    const late: PurchaseView = {
      ...viewOf(plain, { ...attached, closing: 'expired', payment }),
      ...{ paid, recorded: 'now', booking: noBooking, inventory: 'sold', gone: false },
    };
    expect(purchase.next(late)).toEqual([{ do: 'look-at-listing' }]);
    expect(purchase.next({ ...late, started: false })).toEqual([{ do: 'place-booking' }]);
    expect(purchase.next({ ...late, started: true })).toEqual([
      { do: 'place-unfilled', why: 'sales_closed' },
    ]);
  });
});

describe('another run that decided otherwise before', () => {
  it('makes the slower run read the booking or the checkout again', () => {
    const payment = { intentId: 'pi_1', amount: 2000, late: false };
    const view: PurchaseView = { ...viewOf(plain, { payment }), booking: noBooking, inventory: 'sold' };
    expect(purchase.next(view)).toEqual([{ do: 'place-booking' }]);
    const lost = purchase.apply(view, { do: 'place-booking' }, reject('CONFLICT'));
    expect(purchase.next(lost)).toEqual([{ do: 'look-at-booking' }]);
    const closing = purchase.apply(view, { do: 'begin-closing', why: 'expired' }, reject('ALREADY_PAID'));
    expect(purchase.next(closing)).toEqual([{ do: 'look-at-checkout' }]);
  });
});

describe('an attempt completed by the next one', () => {
  it('still redeems its promotion', () => {
    const payment = { intentId: 'pi_1', amount: 1800, late: false };
    const view = viewOf(promoted, { payment, outcome: 'completed' });
    expect(purchase.next(view)).toEqual([{ do: 'redeem' }]);
    expect(purchase.next({ ...view, promotion: 'redeemed' })).toBe('done');
  });
});

describe('a rejection that no step can repair', () => {
  it('stops the process and is named', () => {
    const intent = { id: 'pi_1', status: 'succeeded', amount: 1, currency: 'gbp' } as const;
    const after = purchase.apply(blank, { do: 'record-payment', intent }, reject('PAYMENT_MISMATCH'));
    expect(after.stuck).toBe('PAYMENT_MISMATCH');
    expect(purchase.next(after)).toBe('stuck');
  });

  it('does not include ERASED: the refund is requested without a reason', () => {
    const after = purchase.apply(blank, { do: 'request-refund' }, reject('ERASED'));
    expect(after).toMatchObject({ erased: true });
    expect(after.stuck).toBeUndefined();
    expect(purchase.apply(after, { do: 'request-refund' }, reject('ERASED')).stuck).toBe('ERASED');
  });
});

describe('the log of a purchase', () => {
  const bought = (quote: Quote) => {
    const sale = new Sale(9);
    const before = sale.eventCount();
    const attempt = opened(sale, quote);
    expect(sale.purchase(attempt).run()).toBe('waiting-for-payment');
    sale.pay(attempt);
    expect(sale.hear(attempt).run()).toBe('done');
    return { sale, attempt, events: sale.eventCount() - before };
  };

  it('has six events', () => {
    const { sale, attempt, events } = bought(plain);
    expect(events).toBe(6);
    const checkout = ['CheckoutOpened', 'IntentAttached', 'PaymentReceived'];
    expect(sale.types(`checkout-ann-${LISTING}`)).toEqual(checkout);
    expect(sale.types(`inventory-${LISTING}`)).toEqual(['InventoryOpened', 'TicketsHeld', 'TicketsSold']);
    expect(sale.types(`booking-${attempt.bookingId}`)).toEqual(['BookingPlaced']);
  });

  it('has the use of a promotion and the completion, too', () => {
    const { sale, events } = bought(promoted);
    expect(events).toBe(9);
    expect(sale.types(`checkout-ann-${LISTING}`).at(-1)).toBe('CheckoutCompleted');
  });

  it('is not read for a booking if the payment was just recorded', () => {
    const sale = new Sale(9);
    const attempt = opened(sale, plain);
    sale.purchase(attempt).run();
    sale.pay(attempt);
    // Record and sell together, place, and nothing else: four moves, three, and one to see that it is done.
    expect(sale.claim(now(sale)).run(8)).toBe('done');
  });

  it('is read for the account and the listing only for a late payment', () => {
    const payment = { intentId: 'pi_1', amount: 2000, late: false };
    const view = { ...viewOf(plain, { payment }), booking: noBooking };
    expect(purchase.next(view)).toEqual([{ do: 'sell' }]);
    const late = { ...viewOf(plain, { payment: { ...payment, late: true } }), booking: noBooking };
    expect(purchase.request(late, { do: 'look-at-account' })).toMatchObject({
      aggregate: account,
      id: 'ann',
    });
    expect(purchase.next(late)).toEqual([{ do: 'look-at-account' }]);
    const present = { ...late, gone: false };
    expect(purchase.request(present, { do: 'look-at-listing' })).toMatchObject({ aggregate: listing });
    expect(purchase.next(present)).toEqual([{ do: 'look-at-listing' }]);
    expect(purchase.next({ ...late, gone: true })).toMatchObject([{ do: 'place-unfilled' }]);
  });
});
