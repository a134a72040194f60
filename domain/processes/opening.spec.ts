import { describe, expect, it } from 'vitest';
import { booking } from '#domain/booking/booking.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { HOLD_FOR } from '#domain/kernel/policy.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { stopAnywhere, type Walker } from '#tests/kit/processes.ts';
import { LISTING, PROMOTION, quoteOf, Sale } from '#tests/kit/sale.ts';
import type { OpeningHints, Wanted } from './opening.ts';

const OTHER = LISTING + 1;
const plain = quoteOf(2, 2000, false);
const promoted = quoteOf(2, 1800, true);
const SPRING = { promoCode: 'SPRING', amount: 1800 };

const held = (sale: Sale, quote = plain): Attempt => {
  const attempt = sale.open('ann', quote);
  if (!attempt) throw new Error('it did not open');
  expect(sale.purchase(attempt).run()).toBe('waiting-for-payment');
  return attempt;
};
const paid = (sale: Sale, quote = plain): Attempt => {
  const attempt = held(sale, quote);
  sale.pay(attempt);
  const { intents } = sale;
  const {
    id: intentId,
    amount,
    currency,
  } = intents.get(`pi_${attempt.attempt}`) ?? { id: '', amount: 0, currency: '' };
  const payment = { attempt: attempt.attempt, intentId, amount, currency };
  sale.must(checkout, checkoutId('ann', LISTING), { type: 'RecordPayment', ...payment });
  return attempt;
};
const takeTickets = (sale: Sale, quantity: number): void => {
  const other = { attempt: 'other', bookingId: 999_999, userId: 'other', quantity };
  sale.must(inventory, LISTING, { type: 'SellTickets', ...other });
};
const edit = (sale: Sale, terms: object): void => {
  const before = sale.state(promotion, PROMOTION).terms;
  if (!before) throw new Error('no promotion');
  sale.must(promotion, PROMOTION, { type: 'EditPromotion', code: 'SPRING', terms: { ...before, ...terms } });
};
const elsewhere = (sale: Sale): Walker => {
  sale.offer(OTHER, 9);
  return sale.opening('ann', { listingId: OTHER }, sale.ids('ann'), LIMITED);
};

const LIMITED = { limits: { live: 1, unpaid: { most: 2, pause: 15 * 60_000 } } };

interface Story {
  readonly capacity?: number;
  readonly usageLimit?: number;
  readonly before?: (sale: Sale) => unknown;
  readonly wanted?: Partial<Wanted>;
  readonly hints?: OpeningHints;
  readonly limited?: true;
  /** Where the first request rests. */
  readonly ends: object;
  /** What it leaves of the attempt before: null while it is open. */
  readonly leaves?: object;
}

const OPENED = { opened: { attempt: expect.anything(), intent: { intentId: expect.anything() } } };
const PAYABLE = { ...OPENED, clientSecret: expect.stringContaining('secret of pi_ann') };
const refused = (rejected: string, details?: object) => ({
  refused: details ? { rejected, details } : { rejected },
});

const stories: Record<string, Story> = {
  'a first one': { ends: PAYABLE },
  'one that counts its hold': { limited: true, ends: PAYABLE },
  'one with a promotion': { wanted: SPRING, ends: PAYABLE },
  'one that costs nothing': {
    before: (sale) => edit(sale, { discountValue: 100 }),
    wanted: { promoCode: 'SPRING', amount: 0 },
    ends: { opened: { quote: { total: 0 }, intent: null }, clientSecret: null },
  },
  'one at another price than the page shows': {
    wanted: { amount: 1 },
    ends: refused('PRICE_CHANGED', { amount: 2000 }),
  },
  'the same again': {
    before: held,
    ends: { ...PAYABLE, opened: { attempt: 'ann1' } },
    leaves: { closing: null },
  },
  'the same again, which counts its hold': {
    before: held,
    limited: true,
    ends: { ...PAYABLE, opened: { attempt: 'ann1' } },
    leaves: { closing: null },
  },
  'the same again, whose intent was cancelled at the provider': {
    before: (sale) => {
      const { id, ...intent } = sale.intents.get(`pi_${held(sale).attempt}`) ?? { id: '' };
      sale.intents.set(id, {
        ...(intent as typeof intent & { attempt: string; amount: number; currency: string }),
        id,
        status: 'canceled',
      });
    },
    ends: { opened: { attempt: 'ann2' } },
    leaves: { closing: 'abandoned', closed: true },
  },
  'the same again, which was paid meanwhile': {
    before: (sale) => sale.pay(held(sale)),
    ends: refused('ALREADY_PAID', { bookingId: 1 }),
    leaves: { payment: { amount: 2000 } },
  },
  'another number of tickets': {
    before: held,
    wanted: { quantity: 1 },
    ends: { opened: { attempt: 'ann2' } },
    leaves: { closing: 'repriced', closed: true },
  },
  'more tickets than there are': {
    capacity: 3,
    before: held,
    wanted: { quantity: 4 },
    ends: refused('SOLD_OUT', { available: 3 }),
    leaves: { closing: null },
  },
  'another number of tickets, while the one before is being paid': {
    before: (sale) => sale.pay(held(sale), 'processing'),
    wanted: { quantity: 1 },
    ends: refused('CHECKOUT_OPEN'),
    leaves: { closing: 'repriced', closed: false },
  },
  'another number of tickets, when the one before was paid a moment ago': {
    before: (sale) => sale.pay(held(sale)),
    wanted: { quantity: 1 },
    ends: refused('ALREADY_PAID', { bookingId: 1 }),
    leaves: { payment: { amount: 2000, late: true } },
  },
  'one after the time to pay ran out': {
    before: (sale) => {
      held(sale);
      sale.now += HOLD_FOR;
    },
    ends: { opened: { attempt: 'ann2' } },
    leaves: { closing: 'expired', closed: true },
  },
  'one before the booking that was paid is made': {
    before: paid,
    ends: refused('ALREADY_PAID', { bookingId: 1 }),
    leaves: { payment: { amount: 2000 } },
  },
  'one more after a booking': {
    before: (sale) => sale.booked('ann', plain),
    ends: { opened: { attempt: 'ann2' } },
    leaves: { outcome: 'completed' },
  },
  'one more after a booking that the process remembers': {
    before: (sale) => sale.booked('ann', promoted),
    hints: { attempt: 'ann1', settled: 'ann1' },
    ends: { opened: { attempt: 'ann2' } },
    leaves: { outcome: 'completed' },
  },
  'one by a buyer who does not know of their booking': {
    before: (sale) => sale.booked('ann', plain),
    wanted: { lastBookingId: null },
    ends: refused('JUST_BOUGHT', { bookingId: 1 }),
    leaves: { outcome: null },
  },
  'one by a buyer who does not know that they have paid': {
    before: paid,
    wanted: { lastBookingId: null },
    ends: refused('JUST_BOUGHT', { bookingId: 1 }),
    leaves: { payment: { amount: 2000 } },
  },
  'one when no tickets are left': {
    before: (sale) => takeTickets(sale, 5),
    ends: refused('SOLD_OUT', { available: 1 }),
  },
  'one when the tickets ran out a moment ago': {
    before: (sale) => takeTickets(sale, 5),
    hints: { ranOut: true },
    ends: refused('SOLD_OUT', { available: 1 }),
  },
  'one when the tickets ran out a moment ago, and came back': { hints: { ranOut: true }, ends: PAYABLE },
  'one that the provider refuses': {
    before: (sale) => {
      sale.refusesIntents = true;
    },
    ends: { closed: { attempt: 'ann1', closing: 'payment_refused' } },
  },
  'one with a promotion that is used up': {
    usageLimit: 1,
    before: (sale) => sale.booked('bob', promoted),
    wanted: SPRING,
    ends: refused('PROMO_USED_UP'),
  },
  'the same again, with the last use of its promotion': {
    usageLimit: 1,
    before: (sale) => held(sale, promoted),
    wanted: SPRING,
    ends: { ...PAYABLE, opened: { attempt: 'ann1' } },
    leaves: { closing: null },
  },
  'one with a promotion whose last use is in a booking that is not made yet': {
    usageLimit: 1,
    before: (sale) => paid(sale, promoted),
    wanted: SPRING,
    ends: refused('ALREADY_PAID', { bookingId: 1 }),
    leaves: { outcome: 'completed' },
  },
  'one with a promotion whose last use is in a booking': {
    usageLimit: 1,
    before: (sale) => sale.booked('ann', promoted),
    wanted: SPRING,
    ends: refused('PROMO_USED_UP'),
  },
  'the same again, whose promotion has ended': {
    before: (sale) => {
      held(sale, promoted);
      edit(sale, { isActive: false });
    },
    wanted: SPRING,
    ends: { ...PAYABLE, opened: { attempt: 'ann1' } },
    leaves: { closing: null },
  },
  'one with a promotion that has ended': {
    before: (sale) => {
      held(sale);
      edit(sale, { isActive: false });
    },
    wanted: SPRING,
    ends: refused('PROMO_INVALID'),
    leaves: { closing: null },
  },
  'one beside tickets of another event, where one is the limit': {
    before: (sale) => elsewhere(sale).run(),
    limited: true,
    ends: refused('TOO_MANY_HOLDS', { listingIds: [OTHER] }),
  },
  'the same again, beside tickets of another event': {
    before: (sale) => {
      held(sale);
      elsewhere(sale).run();
    },
    limited: true,
    ends: refused('TOO_MANY_HOLDS', { listingIds: [OTHER] }),
    leaves: { closing: null },
  },
  'one after tickets of another event were given up': {
    before(sale) {
      elsewhere(sale).run();
      for (const attempt of sale.attempts()) sale.purchase(attempt, { close: 'abandoned' }).run();
    },
    limited: true,
    ends: { opened: { attempt: 'ann2' } },
  },
  'one beside a hold of another event that is counted, and about to be opened': {
    before(sale) {
      sale.turn = 1;
      elsewhere(sale).run(5);
      sale.turn = 0;
    },
    limited: true,
    ends: refused('TOO_MANY_HOLDS', { listingIds: [OTHER] }),
  },
  'one after two that were not paid': {
    before(sale) {
      for (const _ of [1, 2]) {
        sale.purchase(held(sale), { close: 'abandoned' }).run();
        sale.now += 1_000;
      }
    },
    limited: true,
    ends: refused('HELD_TOO_OFTEN', { until: expect.anything() }),
  },
};

const worldOf = ({ capacity = 6, usageLimit, before }: Story): Sale => {
  const sale = new Sale(capacity, usageLimit ?? null);
  before?.(sale);
  return sale;
};
const decide = (sale: Sale, { wanted = {}, hints = {}, limited }: Story, own = sale.ids('ann')): Walker =>
  sale.opening('ann', wanted, own, { hints, ...(limited ? LIMITED : {}) });
const attemptNamed = (sale: Sale, name: string): Attempt | undefined =>
  sale.attempts().find(({ attempt }) => attempt === name);

describe('opening a checkout', () => {
  for (const [name, story] of Object.entries(stories)) {
    it(`answers ${name}`, () => {
      const sale = worldOf(story);
      expect(decide(sale, story).run()).toMatchObject(story.ends);
      if (story.leaves) expect(attemptNamed(sale, 'ann1')).toMatchObject(story.leaves);
    });
  }
});

describe('opening a checkout, stopped anywhere and repeated, leaves nothing half done', () => {
  for (const [name, story] of Object.entries(stories)) {
    it(name, () =>
      stopAnywhere({
        world() {
          const sale = worldOf(story);
          return Object.assign(sale, { own: sale.ids('ann') });
        },
        start: (sale) => decide(sale, story, sale.own),
        end(sale) {
          const [one, other] = [decide(sale, story, sale.own), decide(sale, story, sale.ids('ann'))];
          for (let n = 0; n < 300 && (one.rest === undefined || other.rest === undefined); n++) {
            one.step();
            if (n % 3 !== 0) other.step();
          }
          for (const { rest } of [one, other])
            expect(Object.keys(rest as object)[0]).toMatch(/^(opened|closed|refused)$/);
          sale.settle();
        },
        holds: (sale) => sale.expectFinishedOrUndone(),
      }),
    );
  }
});

describe('tickets in opening a checkout', () => {
  it('are not held before the hold is counted', () => {
    const sale = worldOf({ ends: {}, before: (before) => elsewhere(before).run() });
    decide(sale, { ends: {}, limited: true }).run();
    expect(sale.types(`inventory-${LISTING}`)).not.toContain('TicketsHeld');
    expect(sale.types(`checkout-ann-${LISTING}`)).toEqual([
      'CheckoutOpened',
      'CheckoutClosing',
      'CheckoutClosed',
    ]);
  });

  it('that have just sold out are checked before anything is written', () => {
    const sale = worldOf({ ends: {}, before: (before) => takeTickets(before, 5) });
    const before = sale.eventCount();
    decide(sale, { ends: {}, hints: { ranOut: true } }).run();
    expect(sale.eventCount()).toBe(before);
    decide(sale, { ends: {} }).run();
    expect(sale.eventCount()).toBe(before + 4);
  });
});

describe('an outdated hint', () => {
  it('has no effect: an unsettled attempt is finished first', () => {
    const sale = worldOf({ ends: {}, before: paid });
    const hints = { attempt: 'ann7', settled: 'ann7', ranOut: true };
    expect(decide(sale, { ends: {}, hints }).run()).toMatchObject(refused('ALREADY_PAID', { bookingId: 1 }));
    expect(sale.state(booking, 1).status).toBe('confirmed');
  });
});
