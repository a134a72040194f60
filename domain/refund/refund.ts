import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { RefundEvent, RefundRequest } from './events.ts';
import { adminStatus, approvalAmount, evolve, initial, type RefundState } from './state.ts';

/** The status that the superuser saw; the amount may differ since. */
interface Seen {
  readonly status?: ReturnType<typeof adminStatus>['status'] | undefined;
}

/** Pence. `cancellation` counts from 1. */
export type RefundCommand =
  | ({ readonly type: 'RequestRefund' } & RefundRequest)
  | ({ readonly type: 'Approve'; readonly notes: string } & Seen)
  | ({ readonly type: 'Deny'; readonly reason: string } & Seen)
  /** For a reinstatement. REFUND_NOT_FOUND if that cancellation has not yet requested a refund. */
  | { readonly type: 'Withdraw'; readonly cancellation: number }
  /** The reinstatement failed for good. Does nothing for an older withdrawal. */
  | { readonly type: 'PutBack'; readonly withdrawal: number }
  | ({ readonly type: 'Reset' } & Seen)
  | { readonly type: 'Submit'; readonly attempt: number }
  | {
      readonly type: 'Succeed';
      readonly attempt: number;
      readonly providerRefundId: string;
      readonly amount: number;
      readonly byHand?: number;
    }
  | {
      readonly type: 'Fail';
      readonly attempt: number;
      readonly providerRefundId: string | null;
      readonly why: string;
    };

type Command<Type extends RefundCommand['type']> = Extract<RefundCommand, { type: Type }>;

/**
 * Superusers may approve, deny and reset until submission (REFUND_IN_PROGRESS, once paid REFUND_SETTLED),
 * unless withdrawn (REFUND_WITHDRAWN) or decided since (CONFLICT). A new attempt needs the last to have
 * failed. Never pays back more than was paid (REFUND_TOO_LARGE).
 */
const decide = (state: RefundState, command: RefundCommand): Decision<RefundEvent> => {
  if (command.type === 'RequestRefund') return request(state, command);
  const { bookingId, userId } = state;
  if (bookingId === null || userId === null) return reject('REFUND_NOT_FOUND');
  const whose = { bookingId, userId };
  switch (command.type) {
    case 'Approve':
      return approve(state, whose, command);
    case 'Deny':
      return deny(state, whose, command);
    case 'Withdraw':
      return withdraw(state, whose, command);
    case 'PutBack': {
      const last = state.withdrawn && state.withdrawals === command.withdrawal;
      return last ? [{ type: 'RefundReset', data: { bookingId } }] : [];
    }
    case 'Reset':
      return reset(state, bookingId, command);
    case 'Submit':
      return submit(state, bookingId, command);
    case 'Succeed':
      return succeed(state, bookingId, command);
    case 'Fail':
      return fail(state, bookingId, command);
  }
};

const request = (
  state: RefundState,
  { type: _, ...data }: Command<'RequestRefund'>,
): Decision<RefundEvent> => {
  if (data.cancellation <= state.cancellation) return [];
  if (state.phase !== 'none' && state.phase !== 'denied') return reject('REFUND_IN_PROGRESS');
  if (data.amount > data.paid) return reject('REFUND_TOO_LARGE', { paid: data.paid });
  const { bookingId, userId, amount, processingType } = data;
  const whose = { bookingId, userId };
  const requested: RefundEvent = { type: 'RefundRequested', data };
  if (processingType === 'auto_approved') {
    return [requested, { type: 'RefundApproved', data: { ...whose, amount, notes: '', by: 'rule' } }];
  }
  if (processingType === 'auto_denied') {
    return [requested, { type: 'RefundDenied', data: { ...whose, reason: RULE_GIVES_NOTHING, by: 'rule' } }];
  }
  return [requested];
};

const RULE_GIVES_NOTHING = 'Cancelled less than 24 hours before the start';

const outOfReach = ({ phase }: RefundState) => {
  if (phase === 'submitted') return reject('REFUND_IN_PROGRESS');
  return phase === 'succeeded' ? reject('REFUND_SETTLED') : undefined;
};

const decidedSince = ({ phase }: RefundState, { status }: Seen) =>
  status && phase !== 'none' && adminStatus(phase).status !== status ? reject('CONFLICT') : undefined;

type Whose = { readonly bookingId: number; readonly userId: string };

const approve = (state: RefundState, whose: Whose, command: Command<'Approve'>): Decision<RefundEvent> => {
  if (state.phase === 'succeeded') return reject('REFUND_SETTLED');
  if (state.withdrawn) return reject('REFUND_WITHDRAWN');
  // A failed refund is approved again for another attempt.
  if (state.phase === 'approved' || state.phase === 'submitted') return [];
  const amount = approvalAmount(state);
  const data = { ...whose, amount, notes: command.notes, by: 'superuser' } as const;
  return decidedSince(state, command) ?? [{ type: 'RefundApproved', data }];
};

const deny = (state: RefundState, whose: Whose, command: Command<'Deny'>): Decision<RefundEvent> => {
  const reason = command.reason.trim();
  if (reason === '') return reject('BAD_INPUT', { fields: { notes: 'Denial reason is required' } });
  if (state.phase === 'denied') return [];
  const data = { ...whose, reason, by: 'superuser' } as const;
  return outOfReach(state) ?? decidedSince(state, command) ?? [{ type: 'RefundDenied', data }];
};

const withdraw = (
  state: RefundState,
  whose: Whose,
  { cancellation }: Command<'Withdraw'>,
): Decision<RefundEvent> => {
  if (cancellation < state.cancellation) return [];
  // The cancellation must request its refund before it can be undone.
  if (cancellation > state.cancellation) return reject('REFUND_NOT_FOUND');
  if (state.withdrawn) return [];
  // Withdraw a denied refund too: a superuser could still approve it.
  const reason = 'The booking was reinstated';
  return outOfReach(state) ?? [{ type: 'RefundDenied', data: { ...whose, reason, by: 'reinstatement' } }];
};

const reset = (state: RefundState, bookingId: number, command: Command<'Reset'>): Decision<RefundEvent> => {
  if (state.phase === 'requested') return [];
  if (state.withdrawn) return reject('REFUND_WITHDRAWN');
  return outOfReach(state) ?? decidedSince(state, command) ?? [{ type: 'RefundReset', data: { bookingId } }];
};

const submit = (
  state: RefundState,
  bookingId: number,
  { attempt }: Command<'Submit'>,
): Decision<RefundEvent> => {
  if (attempt <= state.attempt) return [];
  if (state.phase !== 'approved' && state.phase !== 'failed') return reject('CONFLICT');
  if (attempt !== state.attempt + 1) return reject('CONFLICT');
  return [{ type: 'RefundSubmitted', data: { bookingId, attempt, amount: state.amount } }];
};

const succeed = (
  state: RefundState,
  bookingId: number,
  { attempt, providerRefundId, amount, byHand = 0 }: Command<'Succeed'>,
): Decision<RefundEvent> => {
  if (attempt !== state.attempt) return reject('CONFLICT');
  if (state.phase === 'succeeded') return [];
  const gaveUp = state.phase === 'failed' && byHand === amount;
  if (state.phase !== 'submitted' && !gaveUp) return reject('CONFLICT');
  if (amount > state.amount) return reject('REFUND_TOO_LARGE', { paid: state.paid });
  const data = { bookingId, attempt, providerRefundId, amount, ...(byHand > 0 ? { byHand } : {}) };
  return [{ type: 'RefundSucceeded', data }];
};

const fail = (
  state: RefundState,
  bookingId: number,
  { attempt, providerRefundId, why }: Command<'Fail'>,
): Decision<RefundEvent> => {
  if (attempt < state.attempt || (attempt === state.attempt && state.phase === 'failed')) return [];
  // The bank may return a paid refund.
  if (attempt !== state.attempt || (state.phase !== 'submitted' && state.phase !== 'succeeded')) {
    return reject('CONFLICT');
  }
  return [{ type: 'RefundFailed', data: { bookingId, attempt, providerRefundId, why } }];
};

export const refund: Aggregate<RefundState, RefundCommand, RefundEvent> = {
  name: 'refund',
  names: ({ userId }) => userId,
  initial,
  evolve,
  decide,
};
