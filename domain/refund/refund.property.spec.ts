import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRejection } from '#domain/kernel/decider.ts';
import { fold } from '#tests/kit/fold.ts';
import { isWhole, sweep } from '#tests/kit/sweep.ts';
import type { RefundEvent } from './events.ts';
import { type RefundCommand, refund } from './refund.ts';
import { initial, type RefundState } from './state.ts';

const paid = 5700;
const attempt = fc.integer({ min: 1, max: 4 });
const cancellation = fc.integer({ min: 1, max: 3 });
const amount = fc.constantFrom(0, 4560, 5700, 5701, 9000);

const command: fc.Arbitrary<RefundCommand> = fc.oneof(
  fc.record({
    type: fc.constant('RequestRefund' as const),
    bookingId: fc.constant(10),
    userId: fc.constant('ann'),
    listingId: fc.constant(1),
    intentId: fc.constant('pi_1'),
    amount,
    paid: fc.constant(paid),
    reason: fc.constant('We can not come after all'),
    processingType: fc.constantFrom('auto_approved', 'auto_denied', 'manual'),
    cancellation,
  }),
  fc.constant({ type: 'Approve' as const, notes: '' }),
  fc.constant({ type: 'Deny' as const, reason: 'Not covered' }),
  fc.record({ type: fc.constant('Withdraw' as const), cancellation }),
  fc.constant({ type: 'Reset' as const }),
  fc.record({ type: fc.constant('PutBack' as const), withdrawal: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant('Submit' as const), attempt }),
  fc.record({ type: fc.constant('Submit' as const), attempt }),
  fc.record({ type: fc.constant('Succeed' as const), attempt, providerRefundId: fc.constant('re'), amount }),
  fc.record({
    type: fc.constant('Fail' as const),
    attempt,
    providerRefundId: fc.constant('re'),
    why: fc.constant('account closed'),
  }),
);

/** What the provider may have paid back at the worst: every attempt that was submitted and not reported failed. */
const atWorst = (events: readonly RefundEvent[]): number => {
  const out = new Map<number, number>();
  for (const event of events) {
    if (event.type === 'RefundSubmitted') out.set(event.data.attempt, event.data.amount);
    if (event.type === 'RefundSucceeded') out.set(event.data.attempt, event.data.amount);
    if (event.type === 'RefundFailed') out.delete(event.data.attempt);
  }
  return [...out.values()].reduce((sum, one) => sum + one, 0);
};

it('a refund never pays back more than was paid, for any commands in any order', () => {
  let submittedTwice = 0;
  fc.assert(
    fc.property(fc.array(command, { maxLength: 80, size: 'max' }), (commands) => {
      let state: RefundState = initial;
      const events: RefundEvent[] = [];
      for (const one of commands) {
        const decision = refund.decide(state, one);
        if (isRejection(decision)) continue;
        events.push(...decision);
        state = fold(refund, decision, state);
        expect(atWorst(events)).toBeLessThanOrEqual(paid);
        expect(state.refunded).toBeLessThanOrEqual(paid);
        // What was just asked and granted is already so.
        expect(refund.decide(state, one)).toEqual([]);
      }
      const attempts = events.filter((event) => event.type === 'RefundSubmitted');
      expect(attempts.map((event) => event.data.attempt)).toEqual(attempts.map((_, index) => index + 1));
      if (attempts.length > 1) submittedTwice += 1;
    }),
    { numRuns: sweep(300, 3000) },
  );
  // The whole property would say nothing if no run ever got that far; a few runs may not.
  if (isWhole) expect(submittedTwice).toBeGreaterThan(20);
});
