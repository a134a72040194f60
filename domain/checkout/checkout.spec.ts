import { describe, expect, it } from 'vitest';
import { given } from '#tests/kit/given-when-then.ts';
import { type CheckoutCommand, checkout } from './checkout.ts';
import type { CheckoutEvent, ClosingReason, Quote } from './events.ts';
import { evolve, initial, liveAttempt } from './state.ts';

const at = '2026-11-21T12:00:00.000Z';
const until = '2026-11-21T12:15:00.000Z';
const quote: Quote = {
  unitPrice: 2850,
  quantity: 2,
  discount: 0,
  total: 5700,
  currency: 'gbp',
  promotion: null,
};
const free: Quote = { ...quote, discount: 5700, total: 0, promotion: { promotionId: 7, code: 'GUEST' } };

const facts = (attempt: string, bookingId: number, price = quote) => ({
  attempt,
  bookingId,
  reference: `BK${bookingId}`,
  userId: 'ann',
  listingId: 1,
  quote: price,
  startsAt: '2026-12-24T20:00:00.000Z',
  until,
});
const opened = (attempt: string, bookingId: number, price = quote): CheckoutEvent => ({
  type: 'CheckoutOpened',
  data: facts(attempt, bookingId, price),
});
const attached = (attempt: string, intentId: string): CheckoutEvent => ({
  type: 'IntentAttached',
  data: { attempt, intentId, amount: 5700 },
});
const paid = (attempt: string, intentId: string, late = false): CheckoutEvent => ({
  type: 'PaymentReceived',
  data: { attempt, intentId, amount: 5700, late },
});
const closing = (attempt: string, why: ClosingReason = 'expired'): CheckoutEvent => ({
  type: 'CheckoutClosing',
  data: { attempt, why },
});
const closed = (attempt: string, why: ClosingReason = 'expired'): CheckoutEvent => ({
  type: 'CheckoutClosed',
  data: { attempt, why },
});
const completed = (attempt: string, bookingId: number): CheckoutEvent => ({
  type: 'CheckoutCompleted',
  data: { attempt, bookingId },
});
const unfilled = (attempt: string, bookingId: number): CheckoutEvent => ({
  type: 'CheckoutUnfilled',
  data: { attempt, bookingId, why: 'sold_out' },
});

const open = (
  attempt: string,
  bookingId: number,
  more: { price?: Quote; at?: string; settled?: string; lastBookingId?: number | null } = {},
): CheckoutCommand => ({
  type: 'OpenCheckout',
  ...facts(attempt, bookingId, more.price),
  at: more.at ?? at,
  settled: more.settled,
  lastBookingId: more.lastBookingId,
});
const pay = (
  attempt: string,
  intentId: string | null,
  more: { amount?: number; currency?: string } = {},
): CheckoutCommand => ({
  type: 'RecordPayment',
  attempt,
  intentId,
  amount: more.amount ?? 5700,
  currency: more.currency ?? 'gbp',
});

describe('opening a checkout', () => {
  it('records all ids of the attempt', () => {
    given(checkout, [])
      .when(open('a', 10))
      .then([opened('a', 10)]);
    given(checkout, [opened('a', 10)])
      .when(open('a', 10))
      .thenNothing();
  });

  it('keeps the live attempt if the quote is the same', () => {
    const after = given(checkout, [opened('a', 10)]).when(open('b', 11));
    after.thenNothing();
    expect(liveAttempt(after.state)?.attempt).toBe('a');
  });

  it.each<[string, CheckoutCommand, CheckoutEvent[], ClosingReason]>([
    ['another quote', open('b', 11, { price: { ...quote, unitPrice: 3000, total: 6000 } }), [], 'repriced'],
    ['another quantity', open('b', 11, { price: { ...quote, quantity: 1, total: 2850 } }), [], 'repriced'],
    [
      'a promotion at no other price',
      open('b', 11, { price: { ...quote, promotion: free.promotion } }),
      [],
      'repriced',
    ],
    ['a hold that is over', open('b', 11, { at: until }), [], 'expired'],
    ['one that is being closed', open('b', 11), [closing('a', 'abandoned')], 'abandoned'],
  ])('asks to close the live attempt first for %s', (_, command, more, why) => {
    given(checkout, [opened('a', 10), ...more])
      .when(command)
      .then({ rejected: 'CHECKOUT_OPEN', details: { attempt: 'a', why } });
  });

  it('is refused for an hour to buyers who do not know their last booking', () => {
    const history = [opened('a', 10), attached('a', 'pi_1'), paid('a', 'pi_1'), completed('a', 10)];
    const opens = (lastBookingId: number | null | undefined, when = '2026-06-01T12:59:59.999Z') =>
      given(checkout, history).when(open('b', 11, { at: when, lastBookingId }));
    opens(null).then({ rejected: 'JUST_BOUGHT', details: { bookingId: 10 } });
    opens(9).thenRejected('JUST_BOUGHT');
    opens(10).then([opened('b', 11)]);
    opens(undefined).thenNotRejected();
    opens(null, '2026-06-01T13:00:00.000Z').thenNotRejected();
  });

  it('is refused to buyers who do not know that an older attempt was paid late', () => {
    const history = [opened('a', 10), closing('a'), closed('a'), opened('b', 11), paid('a', 'pi_1', true)];
    given(checkout, history)
      .when(open('c', 12, { at: '2026-06-01T12:00:01.000Z', lastBookingId: null }))
      .then({ rejected: 'JUST_BOUGHT', details: { bookingId: 10 } });
  });

  it('is possible after another attempt was closed', () => {
    given(checkout, [opened('a', 10), closing('a'), closed('a')])
      .when(open('b', 11))
      .then([opened('b', 11)]);
  });

  it('is refused after a paid attempt until that is settled', () => {
    const history = [opened('a', 10), attached('a', 'pi_1'), paid('a', 'pi_1')];
    const details = { attempt: 'a', bookingId: 10 };
    given(checkout, history).when(open('b', 11)).then({ rejected: 'ALREADY_PAID', details });
    given(checkout, history)
      .when(open('b', 11, { settled: 'z' }))
      .then({ rejected: 'ALREADY_PAID', details });
    given(checkout, history)
      .when(open('b', 11, { settled: 'a' }))
      .then([completed('a', 10), opened('b', 11)]);
    given(checkout, [...history, completed('a', 10)])
      .when(open('b', 11))
      .then([opened('b', 11)]);
    given(checkout, [...history, unfilled('a', 10)])
      .when(open('b', 11))
      .then([opened('b', 11)]);
  });

  it('is refused after an attempt that was paid late', () => {
    given(checkout, [opened('a', 10), closing('a'), closed('a'), paid('a', 'pi_1', true)])
      .when(open('b', 11))
      .thenRejected('ALREADY_PAID');
  });

  describe('after several holds without a purchase', () => {
    const later = (minutes: number) => new Date(Date.parse(at) + minutes * 60_000).toISOString();
    /** Opened and closed, each so many minutes after the first. */
    const held = (name: string, from: number, to: number, why: ClosingReason = 'expired') =>
      [
        [opened(name, from), from],
        [closing(name, why), to],
        [closed(name, why), to],
      ] as const;
    const asks = (history: readonly (readonly [CheckoutEvent, number])[], minutes: number) => {
      const state = history.reduce((before, [event, then]) => evolve(before, event, later(then)), initial);
      const unpaidHolds = { most: 3, pause: 15 * 60_000 };
      const asked: CheckoutCommand = {
        type: 'OpenCheckout',
        ...facts('z', 99),
        at: later(minutes),
        unpaidHolds,
      };
      return checkout.decide(state, asked);
    };
    const twice = [...held('a', 0, 15), ...held('b', 15, 30)];
    const thrice = [...twice, ...held('c', 30, 45)];

    it('is paused for a while', () => {
      expect(asks(twice, 30)).toHaveLength(1);
      expect(asks(thrice, 45)).toEqual({
        rejected: 'HELD_TOO_OFTEN',
        details: { until: '2026-11-21T13:00:00.000Z' },
      });
      expect(asks(thrice, 60)).toHaveLength(1);
      expect(asks([...thrice, ...held('d', 60, 70, 'abandoned')], 71)).toHaveProperty('rejected');
      expect(asks([...held('a', 0, 10), ...held('b', 15, 20), ...held('c', 69, 70)], 71)).toHaveLength(1);
    });

    it('allows a change of quantity, but does not prolong the hold', () => {
      expect(asks([...twice, ...held('c', 30, 34, 'repriced')], 35)).toHaveLength(1);
      expect(asks([...twice, ...held('c', 30, 35, 'repriced')], 36)).toHaveProperty('rejected');
      expect(asks([...twice, ...held('c', 30, 31, 'sold_out')], 36)).toHaveLength(1);
    });

    it('keeps the held tickets if no others could be held instead', () => {
      const data = { ...facts('c', 30, free), until: later(45) };
      const live = [{ type: 'CheckoutOpened', data }, 30] as const;
      expect(asks([...twice, live], 34)).toMatchObject({ rejected: 'CHECKOUT_OPEN' });
      expect(asks([...twice, live], 35)).toEqual({
        rejected: 'HELD_TOO_OFTEN',
        details: { until: later(50), keeps: true },
      });
      expect(asks([...twice, live], 45)).toMatchObject({ rejected: 'CHECKOUT_OPEN' });
      expect(asks([...held('b', 15, 30), live], 36)).toMatchObject({ rejected: 'CHECKOUT_OPEN' });
    });

    it('is possible again after a purchase', () => {
      const bought = [
        [opened('c', 30), 30],
        [paid('c', 'pi_1'), 31],
        [completed('c', 30), 32],
      ] as const;
      expect(asks([...twice, ...bought, ...held('d', 33, 40)], 41)).toHaveLength(1);
    });
  });

  it('refuses a total below the smallest charge', () => {
    given(checkout, [])
      .when(open('a', 10, { price: { ...quote, discount: 5671, total: 29 } }))
      .then({ rejected: 'AMOUNT_TOO_SMALL' });
  });
});

describe('a payment intent', () => {
  const attach = (intentId: string, amount = 5700): CheckoutCommand => ({
    type: 'AttachIntent',
    attempt: 'a',
    intentId,
    amount,
  });

  it('is attached once, with the quoted amount', () => {
    given(checkout, [opened('a', 10)])
      .when(attach('pi_1'))
      .then([attached('a', 'pi_1')]);
    given(checkout, [opened('a', 10), attached('a', 'pi_1')])
      .when(attach('pi_1'))
      .thenNothing();
    given(checkout, [opened('a', 10), attached('a', 'pi_1')])
      .when(attach('pi_2'))
      .then({ rejected: 'CONFLICT' });
    given(checkout, [opened('a', 10)])
      .when(attach('pi_1', 5699))
      .then({ rejected: 'PAYMENT_MISMATCH' });
    given(checkout, []).when(attach('pi_1')).then({ rejected: 'CHECKOUT_NOT_FOUND' });
  });

  it('is still recorded while the attempt is closing, so that it gets cancelled', () => {
    given(checkout, [opened('a', 10), closing('a')])
      .when(attach('pi_1'))
      .then([attached('a', 'pi_1')]);
    given(checkout, [opened('a', 10), closing('a'), attached('a', 'pi_1')])
      .when({ type: 'FinishClosing', attempt: 'a', intentId: null })
      .then({ rejected: 'CONFLICT' });
    given(checkout, [opened('a', 10), closing('a'), closed('a')])
      .when(attach('pi_1'))
      .then({ rejected: 'CHECKOUT_EXPIRED' });
  });
});

describe('a payment', () => {
  const history = [opened('a', 10), attached('a', 'pi_1')];

  it('is recorded once', () => {
    given(checkout, history)
      .when(pay('a', 'pi_1'))
      .then([paid('a', 'pi_1')]);
    given(checkout, [...history, paid('a', 'pi_1')])
      .when(pay('a', 'pi_1'))
      .thenNothing();
  });

  it('is recorded even if its intent was not attached', () => {
    given(checkout, [opened('a', 10)])
      .when(pay('a', 'pi_1'))
      .then([paid('a', 'pi_1')]);
  });

  it.each<[string, CheckoutCommand]>([
    ['another amount', pay('a', 'pi_1', { amount: 5699 })],
    ['another currency', pay('a', 'pi_1', { currency: 'eur' })],
    ['another intent', pay('a', 'pi_2')],
    ['no intent, though there was something to pay', pay('a', null)],
  ])('is refused if it does not match the attempt: %s', (_, command) => {
    given(checkout, history).when(command).then({ rejected: 'PAYMENT_MISMATCH' });
  });

  it('is late once closing has begun, and late for older attempts', () => {
    given(checkout, [...history, closing('a')])
      .when(pay('a', 'pi_1'))
      .then([paid('a', 'pi_1', true)]);
    given(checkout, [...history, closing('a'), closed('a'), opened('b', 11)])
      .when(pay('a', 'pi_1'))
      .then([paid('a', 'pi_1', true)]);
  });

  it('for a free quote needs no intent and cannot come late', () => {
    given(checkout, [opened('a', 10, free)])
      .when(pay('a', null, { amount: 0 }))
      .then([{ type: 'PaymentReceived', data: { attempt: 'a', intentId: null, amount: 0, late: false } }]);
    given(checkout, [opened('a', 10, free), closing('a')])
      .when(pay('a', null, { amount: 0 }))
      .then({ rejected: 'CHECKOUT_EXPIRED' });
    given(checkout, [opened('a', 10, free)])
      .when(pay('a', 'pi_1', { amount: 0 }))
      .then({ rejected: 'PAYMENT_MISMATCH' });
  });
});

describe('closing an attempt', () => {
  const begin = { type: 'BeginClosing', attempt: 'a', why: 'expired' } as const;
  const finish = (intentId: string | null): CheckoutCommand => ({
    type: 'FinishClosing',
    attempt: 'a',
    intentId,
  });

  it('begins once', () => {
    given(checkout, [opened('a', 10)])
      .when(begin)
      .then([closing('a')]);
    given(checkout, [opened('a', 10), closing('a', 'repriced')])
      .when(begin)
      .thenNothing();
  });

  it('never begins after the payment', () => {
    given(checkout, [opened('a', 10), paid('a', 'pi_1')])
      .when(begin)
      .then({ rejected: 'ALREADY_PAID', details: { attempt: 'a', bookingId: 10 } });
  });

  it('finishes once, with the reason that it began with', () => {
    const history = [opened('a', 10), attached('a', 'pi_1'), closing('a', 'repriced')];
    given(checkout, history)
      .when(finish('pi_1'))
      .then([closed('a', 'repriced')]);
    given(checkout, [...history, closed('a', 'repriced')])
      .when(finish('pi_1'))
      .thenNothing();
    given(checkout, [opened('a', 10)])
      .when(finish(null))
      .then({ rejected: 'CONFLICT' });
  });
});

describe('settling an attempt', () => {
  const history = [opened('a', 10), paid('a', 'pi_1')];
  const complete = { type: 'Complete', attempt: 'a' } as const;
  const markUnfilled = { type: 'MarkUnfilled', attempt: 'a', why: 'sold_out' } as const;

  it('completes it or leaves it unfilled, once', () => {
    given(checkout, history)
      .when(complete)
      .then([completed('a', 10)]);
    given(checkout, history)
      .when(markUnfilled)
      .then([unfilled('a', 10)]);
    given(checkout, [...history, completed('a', 10)])
      .when(complete)
      .thenNothing();
    given(checkout, [...history, unfilled('a', 10)])
      .when(markUnfilled)
      .thenNothing();
    given(checkout, [...history, unfilled('a', 10)])
      .when(complete)
      .then({ rejected: 'CONFLICT' });
    given(checkout, [...history, completed('a', 10)])
      .when(markUnfilled)
      .then({ rejected: 'CONFLICT' });
  });

  it('requires a payment', () => {
    given(checkout, [opened('a', 10)])
      .when(complete)
      .then({ rejected: 'PAYMENT_INCOMPLETE' });
    given(checkout, [opened('a', 10)])
      .when(markUnfilled)
      .then({ rejected: 'PAYMENT_INCOMPLETE' });
  });
});
