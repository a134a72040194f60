import type { Personal } from '#domain/kernel/personal.ts';
import type { ProcessingType, RefundEvent } from './events.ts';

/** Where a refund can stand. `submitted`: the provider has it. `failed`: the provider could not pay it, and a new attempt may follow. */
export const REFUND_PHASES = ['requested', 'approved', 'denied', 'submitted', 'succeeded', 'failed'] as const;
export type RefundPhase = (typeof REFUND_PHASES)[number];

/** The refund of a payment. It has its booking's id. Amounts are in pence. */
export interface RefundState {
  /** `none`: nobody has asked for it. */
  readonly phase: RefundPhase | 'none';
  readonly bookingId: number | null;
  readonly userId: string | null;
  readonly listingId: number | null;
  readonly intentId: string | null;
  /** How much will be, or was, paid back. */
  readonly amount: number;
  /** How much was paid. Never more is paid back. */
  readonly paid: number;
  readonly processingType: ProcessingType | null;
  /** The number of the last attempt at the provider; 0 before the first. */
  readonly attempt: number;
  /** The number of the cancellation that requested it last; 0 before the first. */
  readonly cancellation: number;
  /** How much the provider has paid back. */
  readonly refunded: number;
  /** How much of that somebody paid back at the provider itself. */
  readonly byHand: number;
  /** The provider's id of the refund that it has succeeded with; null if it has not. */
  readonly providerRefundId: string | null;
  /** When it was last requested (an ISO instant), and the reason that was given. Null before that. */
  readonly requestedAt: string | null;
  readonly reason: Personal<string> | null;
  /** The notes of the last approval or the reason of the last denial; null if there is none. */
  readonly decision: Personal<string> | null;
  /** Whether it was withdrawn because its booking is being reinstated, or is reinstated. Nobody but the reinstatement can undo that. */
  readonly withdrawn: boolean;
  /** How often it was withdrawn: the number of the last withdrawal. */
  readonly withdrawals: number;
  /** Why the provider could not pay it; null once it is tried again. */
  readonly failure: string | null;
}

export const initial: RefundState = {
  phase: 'none',
  bookingId: null,
  userId: null,
  listingId: null,
  intentId: null,
  amount: 0,
  paid: 0,
  processingType: null,
  attempt: 0,
  cancellation: 0,
  refunded: 0,
  byHand: 0,
  providerRefundId: null,
  requestedAt: null,
  reason: null,
  decision: null,
  withdrawn: false,
  withdrawals: 0,
  failure: null,
};

export const evolve = (state: RefundState, event: RefundEvent, at: string): RefundState => {
  switch (event.type) {
    case 'RefundRequested': {
      const { attempt, refunded, withdrawals } = state;
      const kept = { attempt, refunded, withdrawals };
      return { ...initial, ...event.data, ...kept, phase: 'requested', requestedAt: at };
    }
    case 'RefundApproved': {
      const { amount, notes } = event.data;
      const decision = notes || null;
      return { ...state, phase: 'approved', amount, decision, withdrawn: false, failure: null };
    }
    case 'RefundDenied': {
      const { reason, by } = event.data;
      const withdrawn = by === 'reinstatement';
      const withdrawals = state.withdrawals + (withdrawn ? 1 : 0);
      return { ...state, phase: 'denied', decision: reason, withdrawn, withdrawals };
    }
    case 'RefundReset':
      return { ...state, phase: 'requested', decision: null, withdrawn: false, failure: null };
    case 'RefundSubmitted':
      return { ...state, phase: 'submitted', attempt: event.data.attempt, failure: null };
    case 'RefundSucceeded': {
      const { amount: refunded, byHand = 0, providerRefundId } = event.data;
      return { ...state, phase: 'succeeded', refunded, byHand, providerRefundId, failure: null };
    }
    case 'RefundFailed':
      return {
        ...{ ...state, phase: 'failed', failure: event.data.why },
        ...{ refunded: 0, byHand: 0, providerRefundId: null },
      };
  }
};

/**
 * How much an approval by a superuser would pay now, in pence: the whole amount if the refund was denied or the policy gave nothing,
 * otherwise what was asked for.
 */
export const approvalAmount = (state: Pick<RefundState, 'phase' | 'amount' | 'paid'>): number =>
  state.phase === 'denied' || state.amount === 0 ? state.paid : state.amount;

/** The status on the admin screens. `processing` means that it awaits review or that the provider has it; the note tells which. */
export const adminStatus = (
  phase: RefundPhase,
): { readonly status: 'processing' | 'completed' | 'denied'; readonly note: string | null } => {
  if (phase === 'succeeded') return { status: 'completed', note: null };
  if (phase === 'denied') return { status: 'denied', note: null };
  if (phase === 'submitted') return { status: 'processing', note: 'With the provider' };
  if (phase === 'failed') return { status: 'processing', note: 'The provider could not pay it back' };
  return { status: 'processing', note: null };
};

/** The status for the customer: `pending` until it is approved, then `processing` until the provider has paid. */
export const customerStatus = (phase: RefundPhase): 'pending' | 'processing' | 'completed' | 'denied' => {
  if (phase === 'requested') return 'pending';
  if (phase === 'succeeded') return 'completed';
  return phase === 'denied' ? 'denied' : 'processing';
};
