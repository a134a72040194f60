import type { Personal } from '#domain/kernel/personal.ts';
import type { ProcessingType, RefundEvent } from './events.ts';

export const REFUND_PHASES = ['requested', 'approved', 'denied', 'submitted', 'succeeded', 'failed'] as const;
export type RefundPhase = (typeof REFUND_PHASES)[number];

/** Pence. */
export interface RefundState {
  readonly phase: RefundPhase | 'none';
  readonly bookingId: number | null;
  readonly userId: string | null;
  readonly listingId: number | null;
  readonly intentId: string | null;
  readonly amount: number;
  readonly paid: number;
  readonly processingType: ProcessingType | null;
  readonly attempt: number;
  readonly cancellation: number;
  readonly refunded: number;
  readonly byHand: number;
  readonly providerRefundId: string | null;
  readonly requestedAt: string | null;
  readonly reason: Personal<string> | null;
  readonly decision: Personal<string> | null;
  /** Only the reinstatement can undo that. */
  readonly withdrawn: boolean;
  readonly withdrawals: number;
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

/** Pence: everything if the refund was denied or the policy gave nothing. */
export const approvalAmount = (state: Pick<RefundState, 'phase' | 'amount' | 'paid'>): number =>
  state.phase === 'denied' || state.amount === 0 ? state.paid : state.amount;

export const adminStatus = (
  phase: RefundPhase,
): { readonly status: 'processing' | 'completed' | 'denied'; readonly note: string | null } => {
  if (phase === 'succeeded') return { status: 'completed', note: null };
  if (phase === 'denied') return { status: 'denied', note: null };
  if (phase === 'submitted') return { status: 'processing', note: 'With the provider' };
  if (phase === 'failed') return { status: 'processing', note: 'The provider could not pay it back' };
  return { status: 'processing', note: null };
};

export const customerStatus = (phase: RefundPhase): 'pending' | 'processing' | 'completed' | 'denied' => {
  if (phase === 'requested') return 'pending';
  if (phase === 'succeeded') return 'completed';
  return phase === 'denied' ? 'denied' : 'processing';
};
