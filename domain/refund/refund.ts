import { type Aggregate, type Decision, reject } from '#domain/decider.ts';
import type { Personal } from '#domain/personal.ts';
import type { ProcessingType, RefundEvent } from './events.ts';
import { approvalAmount, evolve, initial, type RefundState } from './state.ts';

/** What can be asked of a refund. Amounts in pence. `cancellation`: which of the booking's it belongs to, from 1. */
export type RefundCommand =
  | {
      readonly type: 'RequestRefund';
      readonly bookingId: number;
      readonly userId: string;
      readonly listingId: number;
      readonly intentId: string | null;
      readonly amount: number;
      readonly paid: number;
      readonly reason: Personal<string>;
      /** `auto_approved` is approved by the rule at once, `auto_denied` denied at once, `manual` waits for review. */
      readonly processingType: ProcessingType;
      readonly cancellation: number;
    }
  | { readonly type: 'Approve'; readonly notes: string }
  | { readonly type: 'Deny'; readonly reason: string }
  /** The booking is being reinstated: nothing is to be paid back. REFUND_NOT_FOUND until that cancellation has asked for one. */
  | { readonly type: 'Withdraw'; readonly cancellation: number }
  | { readonly type: 'Reset' }
  /** `attempt`: one more than the state's. */
  | { readonly type: 'Submit'; readonly attempt: number }
  | {
      readonly type: 'Succeed';
      readonly attempt: number;
      readonly providerRefundId: string;
      readonly amount: number;
    }
  | {
      readonly type: 'Fail';
      readonly attempt: number;
      readonly providerRefundId: string | null;
      readonly why: string;
    };

type Command<Type extends RefundCommand['type']> = Extract<RefundCommand, { type: Type }>;

/**
 * The rules of paying back. A superuser may approve, deny and reset until it is submitted (then
 * REFUND_IN_PROGRESS, once paid REFUND_SETTLED); a new attempt starts only after the last was reported failed;
 * never more goes back than was paid (REFUND_TOO_LARGE).
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
    case 'Reset':
      return reset(state, bookingId);
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
  // Only what was withdrawn or denied can be asked for again, with the booking's next cancellation.
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

/** Why a superuser can't change it any more, if so. */
const outOfReach = ({ phase }: RefundState) => {
  if (phase === 'submitted') return reject('REFUND_IN_PROGRESS');
  return phase === 'succeeded' ? reject('REFUND_SETTLED') : undefined;
};

/** Which refund, and whose: whatever was said about it is sealed with that person's key. */
type Whose = { readonly bookingId: number; readonly userId: string };

const approve = (state: RefundState, whose: Whose, { notes }: Command<'Approve'>): Decision<RefundEvent> => {
  if (state.phase === 'succeeded') return reject('REFUND_SETTLED');
  // One that the provider could not pay is tried again; what is approved or with the provider already is so.
  if (state.phase === 'approved' || state.phase === 'submitted') return [];
  const amount = approvalAmount(state);
  return [{ type: 'RefundApproved', data: { ...whose, amount, notes, by: 'superuser' } }];
};

const deny = (state: RefundState, whose: Whose, command: Command<'Deny'>): Decision<RefundEvent> => {
  const reason = command.reason.trim();
  if (reason === '') return reject('BAD_INPUT', { fields: { notes: 'Denial reason is required' } });
  if (state.phase === 'denied') return [];
  return outOfReach(state) ?? [{ type: 'RefundDenied', data: { ...whose, reason, by: 'superuser' } }];
};

const withdraw = (
  state: RefundState,
  whose: Whose,
  { cancellation }: Command<'Withdraw'>,
): Decision<RefundEvent> => {
  if (cancellation < state.cancellation) return [];
  // The cancellation has not come as far as its refund: it has to end before it can be undone.
  if (cancellation > state.cancellation) return reject('REFUND_NOT_FOUND');
  if (state.phase === 'denied') return [];
  const reason = 'The booking was reinstated';
  return outOfReach(state) ?? [{ type: 'RefundDenied', data: { ...whose, reason, by: 'reinstatement' } }];
};

const reset = (state: RefundState, bookingId: number): Decision<RefundEvent> => {
  if (state.phase === 'requested') return [];
  return outOfReach(state) ?? [{ type: 'RefundReset', data: { bookingId } }];
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
  { attempt, providerRefundId, amount }: Command<'Succeed'>,
): Decision<RefundEvent> => {
  if (attempt !== state.attempt) return reject('CONFLICT');
  if (state.phase === 'succeeded') return [];
  if (state.phase !== 'submitted') return reject('CONFLICT');
  if (amount > state.amount) return reject('REFUND_TOO_LARGE', { paid: state.paid });
  return [{ type: 'RefundSucceeded', data: { bookingId, attempt, providerRefundId, amount } }];
};

const fail = (
  state: RefundState,
  bookingId: number,
  { attempt, providerRefundId, why }: Command<'Fail'>,
): Decision<RefundEvent> => {
  if (attempt < state.attempt || (attempt === state.attempt && state.phase === 'failed')) return [];
  // The provider may take a success back: a bank that returns the money later fails the refund.
  if (attempt !== state.attempt || (state.phase !== 'submitted' && state.phase !== 'succeeded')) {
    return reject('CONFLICT');
  }
  return [{ type: 'RefundFailed', data: { bookingId, attempt, providerRefundId, why } }];
};

/** Lives in `refund-{bookingId}`. */
export const refund: Aggregate<RefundState, RefundCommand, RefundEvent> = {
  name: 'refund',
  initial,
  evolve,
  decide,
};
