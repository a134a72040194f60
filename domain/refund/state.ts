import type { Personal } from '#domain/personal.ts';
import type { ProcessingType, RefundEvent } from './events.ts';

/** Where a refund stands. `submitted`: with the provider. `failed`: the provider could not pay it, a new attempt may follow. */
export type RefundPhase = 'none' | 'requested' | 'approved' | 'denied' | 'submitted' | 'succeeded' | 'failed';

/** One refund a payment; its id is its booking's. Amounts in pence. */
export interface RefundState {
  readonly phase: RefundPhase;
  readonly bookingId: number | null;
  readonly userId: string | null;
  readonly listingId: number | null;
  readonly intentId: string | null;
  /** What will be, or was, given back. */
  readonly amount: number;
  /** Never more than this goes back. */
  readonly paid: number;
  readonly processingType: ProcessingType | null;
  /** The last one handed to the provider; 0 before the first. */
  readonly attempt: number;
  /** The booking's cancellation that it was last asked for with; 0 before the first. */
  readonly cancellation: number;
  /** What the provider has paid back. */
  readonly refunded: number;
  /** When it was last asked for, an ISO instant, and in which words. Null before. */
  readonly requestedAt: string | null;
  readonly reason: Personal<string> | null;
  /** The notes of its approval or the reason of its denial, whichever was last; null where there is none. */
  readonly decision: Personal<string> | null;
  /** Why the provider could not pay it back, until it is tried again. */
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
  requestedAt: null,
  reason: null,
  decision: null,
  failure: null,
};

export const evolve = (state: RefundState, event: RefundEvent, at: string): RefundState => {
  switch (event.type) {
    case 'RefundRequested': {
      const { attempt, refunded } = state;
      return { ...initial, ...event.data, attempt, refunded, phase: 'requested', requestedAt: at };
    }
    case 'RefundApproved': {
      const { amount, notes } = event.data;
      return { ...state, phase: 'approved', amount, decision: notes || null, failure: null };
    }
    case 'RefundDenied':
      return { ...state, phase: 'denied', decision: event.data.reason };
    case 'RefundReset':
      return { ...state, phase: 'requested', decision: null, failure: null };
    case 'RefundSubmitted':
      return { ...state, phase: 'submitted', attempt: event.data.attempt, failure: null };
    case 'RefundSucceeded':
      return { ...state, phase: 'succeeded', refunded: event.data.amount };
    case 'RefundFailed':
      return { ...state, phase: 'failed', refunded: 0, failure: event.data.why };
  }
};

/**
 * What a superuser's approval would pay now, in pence, to be quoted beforehand: the whole amount where it was
 * denied or the rule gave nothing, else what was asked for.
 */
export const approvalAmount = (state: Pick<RefundState, 'phase' | 'amount' | 'paid'>): number =>
  state.phase === 'denied' || state.amount === 0 ? state.paid : state.amount;

/** What the admin screens call it. `processing` awaits review or is with the provider; the note tells which. */
export const adminStatus = (
  phase: Exclude<RefundPhase, 'none'>,
): { readonly status: 'processing' | 'completed' | 'denied'; readonly note: string | null } => {
  if (phase === 'succeeded') return { status: 'completed', note: null };
  if (phase === 'denied') return { status: 'denied', note: null };
  if (phase === 'submitted') return { status: 'processing', note: 'With the provider' };
  if (phase === 'failed') return { status: 'processing', note: 'The provider could not pay it back' };
  return { status: 'processing', note: null };
};

/** What the customer sees: `pending` until approved, then `processing` until the provider says that it is done. */
export const customerStatus = (
  phase: Exclude<RefundPhase, 'none'>,
): 'pending' | 'processing' | 'completed' | 'denied' => {
  if (phase === 'requested') return 'pending';
  if (phase === 'succeeded') return 'completed';
  return phase === 'denied' ? 'denied' : 'processing';
};
