import { Map as ImmutableMap } from 'immutable';
import type { CheckoutEvent, ClosingReason, Quote, Unfilled } from './events.ts';

/** One try to buy. Everything it will ever be called is allocated when it opens. Amounts in pence, times ISO instants. */
export interface Attempt {
  readonly attempt: string;
  readonly bookingId: number;
  readonly reference: string;
  readonly userId: string;
  readonly listingId: number;
  readonly quote: Quote;
  /** The listing's, when it was opened. */
  readonly startsAt: string;
  readonly until: string;
  readonly intent: { readonly intentId: string; readonly amount: number } | null;
  readonly payment: {
    readonly intentId: string | null;
    readonly amount: number;
    readonly late: boolean;
  } | null;
  readonly closing: ClosingReason | null;
  readonly closed: boolean;
  /** Known to be settled. A paid attempt without promotion is settled once its booking exists, without a word here. */
  readonly outcome: 'completed' | { readonly unfilled: Unfilled } | null;
}

/** A person's attempts at one listing, all of them, since money may come late for any. */
export interface CheckoutState {
  readonly attempts: ImmutableMap<string, Attempt>;
  /** The last one opened: the only one that can be live. */
  readonly current: string | null;
}

export const initial: CheckoutState = { attempts: ImmutableMap(), current: null };

const change = (state: CheckoutState, attempt: string, changes: Partial<Attempt>): CheckoutState => {
  const before = state.attempts.get(attempt);
  return before ? { ...state, attempts: state.attempts.set(attempt, { ...before, ...changes }) } : state;
};

export const evolve = (state: CheckoutState, event: CheckoutEvent): CheckoutState => {
  const { attempt } = event.data;
  switch (event.type) {
    case 'CheckoutOpened': {
      const opened: Attempt = {
        ...event.data,
        intent: null,
        payment: null,
        closing: null,
        closed: false,
        outcome: null,
      };
      return { attempts: state.attempts.set(attempt, opened), current: attempt };
    }
    case 'IntentAttached':
      return change(state, attempt, {
        intent: { intentId: event.data.intentId, amount: event.data.amount },
      });
    case 'PaymentReceived': {
      const { intentId, amount, late } = event.data;
      return change(state, attempt, { payment: { intentId, amount, late } });
    }
    case 'CheckoutClosing':
      return change(state, attempt, { closing: event.data.why });
    case 'CheckoutClosed':
      return change(state, attempt, { closing: event.data.why, closed: true });
    case 'CheckoutCompleted':
      return change(state, attempt, { outcome: 'completed' });
    case 'CheckoutUnfilled':
      return change(state, attempt, { outcome: { unfilled: event.data.why } });
  }
};

/** The attempt that a new one has to wait for: open, or paid (late too) and not known to be settled. */
export const liveAttempt = (state: CheckoutState): Attempt | undefined => {
  const current = state.current === null ? undefined : state.attempts.get(state.current);
  if (!current || current.outcome !== null) return undefined;
  return current.closed && !current.payment ? undefined : current;
};

/** The attempt that a payment belongs to, by the provider's intent. */
export const attemptOfIntent = (state: CheckoutState, intentId: string): Attempt | undefined =>
  state.attempts.find(
    ({ intent, payment }) => intent?.intentId === intentId || payment?.intentId === intentId,
  );

/** Whether two quotes ask for the same thing at the same price. */
export const sameQuote = (a: Quote, b: Quote): boolean =>
  a.unitPrice === b.unitPrice &&
  a.quantity === b.quantity &&
  a.discount === b.discount &&
  a.total === b.total &&
  a.promotion?.promotionId === b.promotion?.promotionId;
