import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRejection } from '#domain/kernel/decider.ts';
import { fold } from '#tests/kit/fold.ts';
import { sweep } from '#tests/kit/sweep.ts';
import { type CheckoutCommand, checkout } from './checkout.ts';
import type { CheckoutEvent, Quote } from './events.ts';
import { type CheckoutState, initial } from './state.ts';

const quote = (quantity: number): Quote => ({
  unitPrice: 1000,
  quantity,
  discount: 0,
  total: 1000 * quantity,
  currency: 'gbp',
  promotion: null,
});

const until = '2026-11-21T12:15:00.000Z';
const attempt = fc.constantFrom('a', 'b', 'c', 'd');
const intentId = attempt.map((name) => `pi_${name}`);
const amount = fc.constantFrom(1000, 2000);
const why = fc.constantFrom('expired', 'repriced', 'abandoned');

const command: fc.Arbitrary<CheckoutCommand> = fc.oneof(
  fc.record({
    type: fc.constant('OpenCheckout' as const),
    attempt,
    bookingId: fc.constant(10),
    reference: fc.constant('BK10'),
    userId: fc.constant('ann'),
    listingId: fc.constant(1),
    quote: fc.constantFrom(1, 2).map(quote),
    startsAt: fc.constant('2026-12-24T20:00:00.000Z'),
    until: fc.constant(until),
    at: fc.constantFrom('2026-11-21T12:00:00.000Z', until),
    settled: fc.option(attempt, { nil: undefined }),
  }),
  fc.record({ type: fc.constant('AttachIntent' as const), attempt, intentId, amount }),
  fc.record({
    type: fc.constant('RecordPayment' as const),
    attempt,
    intentId: fc.option(intentId),
    amount,
    currency: fc.constantFrom('gbp', 'gbp', 'eur'),
  }),
  fc.record({ type: fc.constant('BeginClosing' as const), attempt, why }),
  fc.record({ type: fc.constant('FinishClosing' as const), attempt, intentId: fc.option(intentId) }),
  fc.record({ type: fc.constant('Complete' as const), attempt }),
  fc.record({ type: fc.constant('MarkUnfilled' as const), attempt, why: fc.constant('sold_out' as const) }),
);

/** Where each event stands in the history of an attempt; -1 for none. */
const places = (events: readonly CheckoutEvent[], name: string) => {
  const own = events.filter((event) => event.data.attempt === name);
  const place = (type: CheckoutEvent['type']) => own.findIndex((event) => event.type === type);
  return { own, place };
};

const holdsFor = (events: readonly CheckoutEvent[], name: string): void => {
  const { own, place } = places(events, name);
  // Each fact at most once, the opening first.
  expect(new Set(own.map(({ type }) => type)).size).toBe(own.length);
  if (own.length > 0) expect(own[0]?.type).toBe('CheckoutOpened');
  const [money, closing, closed] = [
    place('PaymentReceived'),
    place('CheckoutClosing'),
    place('CheckoutClosed'),
  ];
  if (closed >= 0) expect(closing >= 0 && closing < closed).toBe(true);
  const payment = own[money];
  if (payment?.type === 'PaymentReceived') {
    const before = closing >= 0 && closing < money;
    expect(payment.data.late).toBe(before);
    // Closing never begins after the money.
    if (closing >= 0) expect(closing).toBeLessThan(money);
    const first = own[0];
    if (first?.type === 'CheckoutOpened') expect(payment.data.amount).toBe(first.data.quote.total);
  }
  const [completed, unfilled] = [place('CheckoutCompleted'), place('CheckoutUnfilled')];
  expect(completed >= 0 && unfilled >= 0).toBe(false);
  for (const settled of [completed, unfilled])
    if (settled >= 0) expect(money >= 0 && money < settled).toBe(true);
};

/** When one opens, every earlier attempt is closed, completed or unfilled, but for one that was overtaken by late money. */
const oneLive = (events: readonly CheckoutEvent[]): void => {
  const live = new Set<string>();
  for (const { type, data } of events) {
    if (type === 'CheckoutOpened') {
      expect([...live]).toEqual([]);
      live.add(data.attempt);
    }
    if (type === 'CheckoutClosed' || type === 'CheckoutCompleted' || type === 'CheckoutUnfilled')
      live.delete(data.attempt);
  }
};

it('a checkout has at most one live attempt and never closes a paid one, for any commands in any order', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60, size: 'max' }), (commands) => {
      let state: CheckoutState = initial;
      const events: CheckoutEvent[] = [];
      for (const one of commands) {
        const decision = checkout.decide(state, one);
        if (isRejection(decision)) continue;
        events.push(...decision);
        state = fold(checkout, decision, state);
        // What was just asked and granted is already so.
        if (one.type !== 'OpenCheckout') expect(checkout.decide(state, one)).toEqual([]);
      }
      for (const name of ['a', 'b', 'c', 'd']) holdsFor(events, name);
      oneLive(events);
    }),
    { numRuns: sweep(150, 1000) },
  );
});
