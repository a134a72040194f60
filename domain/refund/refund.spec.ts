import { describe, expect, it } from 'vitest';
import { fold } from '#tests/kit/fold.ts';
import { given } from '#tests/kit/given-when-then.ts';
import type { ProcessingType, RefundEvent } from './events.ts';
import { sayParts } from './events.ts';
import { type RefundCommand, refund } from './refund.ts';
import { adminStatus, approvalAmount, customerStatus } from './state.ts';

const bookingId = 10;
const facts = (processingType: ProcessingType, amount: number, cancellation = 1) => ({
  bookingId,
  userId: 'ann',
  listingId: 1,
  intentId: 'pi_1',
  amount,
  paid: 5700,
  reason: 'We can not come after all',
  processingType,
  cancellation,
});
const ask = (processingType: ProcessingType, amount: number, cancellation = 1): RefundCommand => ({
  type: 'RequestRefund',
  ...facts(processingType, amount, cancellation),
});
const requested = (processingType: ProcessingType, amount: number, cancellation = 1): RefundEvent => ({
  type: 'RefundRequested',
  data: facts(processingType, amount, cancellation),
});
const approved = (amount: number, by: 'rule' | 'superuser' = 'rule'): RefundEvent => ({
  type: 'RefundApproved',
  data: { bookingId, userId: 'ann', amount, notes: by === 'rule' ? '' : 'Approved by admin', by },
});
const denied = (reason: string, by: 'rule' | 'superuser' | 'reinstatement'): RefundEvent => ({
  type: 'RefundDenied',
  data: { bookingId, userId: 'ann', reason, by },
});
const reset: RefundEvent = { type: 'RefundReset', data: { bookingId } };
const submitted = (attempt: number, amount: number): RefundEvent => ({
  type: 'RefundSubmitted',
  data: { bookingId, attempt, amount },
});
const succeeded = (attempt: number, amount: number): RefundEvent => ({
  type: 'RefundSucceeded',
  data: { bookingId, attempt, providerRefundId: `re_${attempt}`, amount },
});
const failed = (attempt: number): RefundEvent => ({
  type: 'RefundFailed',
  data: { bookingId, attempt, providerRefundId: `re_${attempt}`, why: 'account closed' },
});

const approve: RefundCommand = { type: 'Approve', notes: 'Approved by admin' };
const deny: RefundCommand = { type: 'Deny', reason: 'Not covered' };
const submit = (attempt: number): RefundCommand => ({ type: 'Submit', attempt });
const succeed = (attempt: number, amount: number): RefundCommand => ({
  type: 'Succeed',
  attempt,
  providerRefundId: `re_${attempt}`,
  amount,
});
const fail = (attempt: number): RefundCommand => ({
  type: 'Fail',
  attempt,
  providerRefundId: `re_${attempt}`,
  why: 'account closed',
});

const rule = [requested('auto_approved', 4560), approved(4560)];
const byRuleDenied = [
  requested('auto_denied', 0),
  denied('Cancelled less than 24 hours before the start', 'rule'),
];
const manual = [requested('manual', 5700)];

describe('requesting a refund', () => {
  it('is decided by the rule at once or waits for review', () => {
    given(refund, []).when(ask('auto_approved', 4560)).then(rule);
    given(refund, []).when(ask('auto_denied', 0)).then(byRuleDenied);
    given(refund, []).when(ask('manual', 5700)).then(manual);
  });

  it('happens once for each cancellation', () => {
    given(refund, rule).when(ask('auto_approved', 4560)).thenNothing();
    given(refund, rule)
      .when(ask('auto_approved', 5700, 2))
      .then({ rejected: 'REFUND_IN_PROGRESS' });
    given(refund, [...rule, denied('The booking was reinstated', 'reinstatement')])
      .when(ask('auto_approved', 5700, 2))
      .then([requested('auto_approved', 5700, 2), approved(5700)]);
  });

  it('is refused for more than was paid', () => {
    given(refund, [])
      .when(ask('manual', 5701))
      .then({ rejected: 'REFUND_TOO_LARGE', details: { paid: 5700 } });
  });
});

describe('a superuser', () => {
  it('approves a waiting refund, and pays the whole amount of a denied one', () => {
    given(refund, manual)
      .when(approve)
      .then([approved(5700, 'superuser')]);
    given(refund, byRuleDenied)
      .when(approve)
      .then([approved(5700, 'superuser')]);
    given(refund, [...byRuleDenied, reset])
      .when(approve)
      .then([approved(5700, 'superuser')]);
    given(refund, [...rule, reset])
      .when(approve)
      .then([approved(4560, 'superuser')]);
    expect(approvalAmount(fold(refund, byRuleDenied))).toBe(5700);
  });

  it('denies with a reason', () => {
    given(refund, manual)
      .when(deny)
      .then([denied('Not covered', 'superuser')]);
    given(refund, manual).when({ type: 'Deny', reason: '  ' }).thenRejected('BAD_INPUT');
    given(refund, rule)
      .when(deny)
      .then([denied('Not covered', 'superuser')]);
  });

  it('returns a refund to review', () => {
    given(refund, rule).when({ type: 'Reset' }).then([reset]);
    given(refund, byRuleDenied).when({ type: 'Reset' }).then([reset]);
    given(refund, manual).when({ type: 'Reset' }).thenNothing();
  });

  it('cannot decide on a refund whose status has changed since they saw it', () => {
    for (const command of [approve, deny, { type: 'Reset' }] as const)
      for (const [history, status] of [
        [manual, 'denied'],
        [byRuleDenied, 'processing'],
      ] as const) {
        const outcome = refund.decide(fold(refund, history), { ...command, status });
        // What is so already is no news.
        const same =
          (command === deny && history === byRuleDenied) || (command.type === 'Reset' && history === manual);
        expect(outcome).toMatchObject(same ? [] : { rejected: 'CONFLICT' });
      }
    given(refund, byRuleDenied)
      .when({ ...approve, status: 'denied' })
      .then([approved(5700, 'superuser')]);
    given(refund, manual)
      .when({ ...deny, status: 'processing' })
      .then([denied('Not covered', 'superuser')]);
  });

  it('cannot change a refund once the provider has it or has paid it', () => {
    const sent = [...rule, submitted(1, 4560)];
    for (const command of [deny, { type: 'Reset' }, { type: 'Withdraw', cancellation: 1 }] as const) {
      given(refund, sent).when(command).then({ rejected: 'REFUND_IN_PROGRESS' });
      given(refund, [...sent, succeeded(1, 4560)])
        .when(command)
        .then({ rejected: 'REFUND_SETTLED' });
    }
    given(refund, sent).when(approve).thenNothing();
    given(refund, [...sent, succeeded(1, 4560)])
      .when(approve)
      .then({ rejected: 'REFUND_SETTLED' });
  });

  it('may decide again after the provider has failed', () => {
    const history = [...rule, submitted(1, 4560), failed(1)];
    given(refund, history)
      .when(deny)
      .then([denied('Not covered', 'superuser')]);
    given(refund, history).when({ type: 'Reset' }).then([reset]);
    given(refund, history)
      .when(approve)
      .then([approved(4560, 'superuser')]);
  });

  it('cannot decide on a refund before one was requested', () => {
    given(refund, []).when(approve).then({ rejected: 'REFUND_NOT_FOUND' });
  });
});

describe('withdrawing a refund for a reinstated booking', () => {
  it('denies the refund once the cancellation has requested it', () => {
    given(refund, rule)
      .when({ type: 'Withdraw', cancellation: 1 })
      .then([denied('The booking was reinstated', 'reinstatement')]);
    given(refund, []).when({ type: 'Withdraw', cancellation: 1 }).then({ rejected: 'REFUND_NOT_FOUND' });
    given(refund, [...rule, denied('The booking was reinstated', 'reinstatement')])
      .when({ type: 'Withdraw', cancellation: 2 })
      .then({ rejected: 'REFUND_NOT_FOUND' });
  });

  it('can be reversed by the reinstatement only', () => {
    const withdrawn = denied('The booking was reinstated', 'reinstatement');
    const history = [...rule, withdrawn];
    for (const command of [approve, { type: 'Reset' }] as const) {
      given(refund, history).when(command).then({ rejected: 'REFUND_WITHDRAWN' });
    }
    given(refund, history).when(deny).thenNothing();
    given(refund, history).when({ type: 'PutBack', withdrawal: 1 }).then([reset]);
    given(refund, [...history, reset, withdrawn])
      .when({ type: 'PutBack', withdrawal: 1 })
      .thenNothing();
    given(refund, [...history, reset, approved(4560, 'superuser')])
      .when({ type: 'PutBack', withdrawal: 1 })
      .thenNothing();
  });

  it('withdraws a denied refund too, because a superuser could still approve it', () => {
    given(refund, byRuleDenied)
      .when({ type: 'Withdraw', cancellation: 1 })
      .then([denied('The booking was reinstated', 'reinstatement')]);
  });

  it('does not affect the refund of a later cancellation', () => {
    given(refund, [
      ...rule,
      denied('The booking was reinstated', 'reinstatement'),
      requested('manual', 5700, 2),
    ])
      .when({ type: 'Withdraw', cancellation: 1 })
      .thenNothing();
  });
});

describe('the provider of a refund', () => {
  it('is asked once for each attempt, and only for an approved refund', () => {
    given(refund, rule)
      .when(submit(1))
      .then([submitted(1, 4560)]);
    given(refund, [...rule, submitted(1, 4560)])
      .when(submit(1))
      .thenNothing();
    given(refund, manual).when(submit(1)).then({ rejected: 'CONFLICT' });
    given(refund, byRuleDenied).when(submit(1)).then({ rejected: 'CONFLICT' });
  });

  it('is asked again only after the last attempt has failed', () => {
    const sent = [...rule, submitted(1, 4560)];
    given(refund, sent).when(submit(2)).then({ rejected: 'CONFLICT' });
    given(refund, [...sent, failed(1)])
      .when(submit(2))
      .then([submitted(2, 4560)]);
    given(refund, [...sent, failed(1)])
      .when(submit(1))
      .thenNothing();
    given(refund, [...sent, failed(1)])
      .when(submit(3))
      .then({ rejected: 'CONFLICT' });
  });

  it('reports its payment once', () => {
    const sent = [...rule, submitted(1, 4560)];
    given(refund, sent)
      .when(succeed(1, 4560))
      .then([succeeded(1, 4560)]);
    given(refund, [...sent, succeeded(1, 4560)])
      .when(succeed(1, 4560))
      .thenNothing();
    given(refund, sent).when(succeed(1, 4561)).thenRejected('REFUND_TOO_LARGE');
    given(refund, sent).when(succeed(2, 4560)).then({ rejected: 'CONFLICT' });
    given(refund, rule).when(succeed(0, 4560)).then({ rejected: 'CONFLICT' });
  });

  it('reports how much was paid back by hand, also after the last attempt has failed', () => {
    const sent = [...rule, submitted(1, 4560)];
    const by = (byHand: number): RefundCommand => ({ ...succeed(1, 4560), byHand }) as RefundCommand;
    const done = (byHand: number): RefundEvent =>
      ({ type: 'RefundSucceeded', data: { ...succeeded(1, 4560).data, byHand } }) as RefundEvent;
    given(refund, sent)
      .when(by(1200))
      .then([done(1200)]);
    given(refund, [...sent, failed(1)])
      .when(by(4560))
      .then([done(4560)]);
    given(refund, [...sent, failed(1)])
      .when(by(1200))
      .then({ rejected: 'CONFLICT' });
    const parts = [1200, 4560].map((byHand) => sayParts(fold(refund, [...sent, done(byHand)])));
    expect(parts).toEqual(['£12.00 of it was paid back separately.', null]);
    expect(fold(refund, [...sent, failed(1), done(4560), failed(1)])).toMatchObject({
      byHand: 0,
      refunded: 0,
    });
  });

  it('can report a failure after a success, and is then asked again', () => {
    const history = [...rule, submitted(1, 4560), succeeded(1, 4560)];
    given(refund, history)
      .when(fail(1))
      .then([failed(1)]);
    given(refund, [...history, failed(1)])
      .when(fail(1))
      .thenNothing();
    given(refund, [...history, failed(1)])
      .when(submit(2))
      .then([submitted(2, 4560)]);
    given(refund, rule).when(fail(1)).then({ rejected: 'CONFLICT' });
  });
});

describe('a refund’s status', () => {
  it.each([
    ['requested', 'processing', null, 'pending'],
    ['approved', 'processing', null, 'processing'],
    ['submitted', 'processing', 'With the provider', 'processing'],
    ['failed', 'processing', 'The provider could not pay it back', 'processing'],
    ['succeeded', 'completed', null, 'completed'],
    ['denied', 'denied', null, 'denied'],
  ] as const)('for %s is %s to admins (%s) and %s to the customer', (phase, status, note, customer) => {
    expect(adminStatus(phase)).toEqual({ status, note });
    expect(customerStatus(phase)).toBe(customer);
  });
});
