import { type Aggregate, type Decision, reject } from '#domain/kernel/decider.ts';
import type { RefundEvent, RefundRequest } from './events.ts';
import { adminStatus, approvalAmount, evolve, initial, type RefundState } from './state.ts';

/** What a superuser's decision was made on. Another one may have decided since, and then it may pay another amount. */
interface Seen {
  readonly status?: ReturnType<typeof adminStatus>['status'] | undefined;
}

/** The commands of a refund. Amounts are in pence. `cancellation` is the number of the booking's cancellation, from 1. */
export type RefundCommand =
  | ({ readonly type: 'RequestRefund' } & RefundRequest)
  | ({ readonly type: 'Approve'; readonly notes: string } & Seen)
  | ({ readonly type: 'Deny'; readonly reason: string } & Seen)
  /** The booking is being reinstated: nothing is paid back. REFUND_NOT_FOUND until that cancellation has requested a refund. */
  | { readonly type: 'Withdraw'; readonly cancellation: number }
  /** The booking could not be reinstated, and that is decided: the refund goes back to review. Does nothing for an older withdrawal. */
  | { readonly type: 'PutBack'; readonly withdrawal: number }
  | ({ readonly type: 'Reset' } & Seen)
  /** `attempt` is one more than the state's. */
  | { readonly type: 'Submit'; readonly attempt: number }
  | {
      readonly type: 'Succeed';
      readonly attempt: number;
      readonly providerRefundId: string;
      readonly amount: number;
      /** How much of the amount somebody paid back at the provider itself. */
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
 * The rules of a refund. A superuser may approve, deny and reset it until it is submitted (after that REFUND_IN_PROGRESS, once it is paid
 * REFUND_SETTLED), but not once it is withdrawn for a reinstatement (REFUND_WITHDRAWN): the booking is about to stand; nor on what somebody else has decided since (CONFLICT). A new attempt begins only after the last one has failed, unless all of it was paid back by hand meanwhile. Never more is paid back than was paid (REFUND_TOO_LARGE).
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
  // Only a withdrawn or denied refund can be requested again, with the booking's next cancellation.
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

/** Why a superuser can't change a refund any more; undefined if they can. */
const outOfReach = ({ phase }: RefundState) => {
  if (phase === 'submitted') return reject('REFUND_IN_PROGRESS');
  return phase === 'succeeded' ? reject('REFUND_SETTLED') : undefined;
};

/** Why a decision can't stand: the refund is not any more what it was decided on. Undefined if it can. */
const decidedSince = ({ phase }: RefundState, { status }: Seen) =>
  status && phase !== 'none' && adminStatus(phase).status !== status ? reject('CONFLICT') : undefined;

/** Which refund it is, and whose: notes and reasons are sealed with that person's key. */
type Whose = { readonly bookingId: number; readonly userId: string };

const approve = (state: RefundState, whose: Whose, command: Command<'Approve'>): Decision<RefundEvent> => {
  if (state.phase === 'succeeded') return reject('REFUND_SETTLED');
  if (state.withdrawn) return reject('REFUND_WITHDRAWN');
  // A failed refund is approved again, to be tried again. An approved or submitted one is approved already.
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
  // The cancellation has not requested its refund yet. It must be complete before it can be undone.
  if (cancellation > state.cancellation) return reject('REFUND_NOT_FOUND');
  if (state.withdrawn) return [];
  // One that was denied is withdrawn, too: a superuser could still approve it.
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
  // A refund that has succeeded may still fail: the bank may return the money.
  if (attempt !== state.attempt || (state.phase !== 'submitted' && state.phase !== 'succeeded')) {
    return reject('CONFLICT');
  }
  return [{ type: 'RefundFailed', data: { bookingId, attempt, providerRefundId, why } }];
};

/** The refund aggregate. Its stream is `refund-{bookingId}`. */
export const refund: Aggregate<RefundState, RefundCommand, RefundEvent> = {
  name: 'refund',
  names: ({ userId }) => userId,
  initial,
  evolve,
  decide,
};
