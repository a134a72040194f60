import { Map as ImmutableMap } from 'immutable';
import { JUST_BOUGHT_FOR } from '#domain/kernel/policy.ts';
import type { AttemptFacts, CheckoutEvent, ClosingReason, Quote, Unfilled } from './events.ts';

/** Pence. */
export interface Attempt extends AttemptFacts {
  readonly intent: { readonly intentId: string; readonly amount: number } | null;
  readonly payment: {
    readonly intentId: string | null;
    readonly amount: number;
    readonly late: boolean;
  } | null;
  readonly closing: ClosingReason | null;
  readonly closed: boolean;
  /** ISO instants; `closingAt` is null before closing. */
  readonly openedAt: string;
  readonly closingAt: string | null;
  /** Stays null for a paid attempt without a promotion: it is settled once its booking exists. */
  readonly outcome: 'completed' | { readonly unfilled: Unfilled } | null;
}

/** Keeps all attempts: any may be paid late. */
export interface CheckoutState {
  readonly attempts: ImmutableMap<string, Attempt>;
  readonly current: string | null;
  readonly bought: Bought | null;
}

export interface Bought {
  readonly attempt: string;
  readonly bookingId: number;
  readonly at: string;
}

export const initial: CheckoutState = { attempts: ImmutableMap(), current: null, bought: null };

const change = (state: CheckoutState, attempt: string, changes: Partial<Attempt>): CheckoutState => {
  const before = state.attempts.get(attempt);
  return before ? { ...state, attempts: state.attempts.set(attempt, { ...before, ...changes }) } : state;
};

export const evolve = (state: CheckoutState, event: CheckoutEvent, at: string): CheckoutState => {
  const { attempt } = event.data;
  switch (event.type) {
    case 'CheckoutOpened': {
      const opened: Attempt = {
        ...event.data,
        intent: null,
        payment: null,
        closing: null,
        closed: false,
        openedAt: at,
        closingAt: null,
        outcome: null,
      };
      return { ...state, attempts: state.attempts.set(attempt, opened), current: attempt };
    }
    case 'IntentAttached':
      return change(state, attempt, {
        intent: { intentId: event.data.intentId, amount: event.data.amount },
      });
    case 'PaymentReceived': {
      const { intentId, amount, late } = event.data;
      const bookingId = state.attempts.get(attempt)?.bookingId;
      const bought = bookingId === undefined ? state.bought : { attempt, bookingId, at };
      return { ...change(state, attempt, { payment: { intentId, amount, late } }), bought };
    }
    case 'CheckoutClosing':
      return change(state, attempt, { closing: event.data.why, closingAt: at });
    case 'CheckoutClosed':
      return change(state, attempt, { closing: event.data.why, closed: true });
    case 'CheckoutCompleted':
      return change(state, attempt, { outcome: 'completed' });
    case 'CheckoutUnfilled':
      return change(state, attempt, { outcome: { unfilled: event.data.why } });
  }
};

/** Open, or paid and not known to be settled. */
export const liveAttempt = (state: CheckoutState): Attempt | undefined => {
  const current = state.current === null ? undefined : state.attempts.get(state.current);
  if (!current || current.outcome !== null) return undefined;
  return current.closed && !current.payment ? undefined : current;
};

/** @param known the last booking shown to the buyer: null for none, undefined to skip the check */
export const boughtUnknown = (
  { bought }: CheckoutState,
  known: number | null | undefined,
  at: string,
): Bought | undefined => {
  if (!bought || known === undefined || known === bought.bookingId) return undefined;
  return Date.parse(at) - Date.parse(bought.at) < JUST_BOUGHT_FOR ? bought : undefined;
};

export interface UnpaidHolds {
  /** Number of holds within an hour that starts a pause. */
  readonly most: number;
  /** Milliseconds from the end of the last hold. */
  readonly pause: number;
}

const HOUR = 3_600_000;
/** Milliseconds. A shorter hold given up for another quantity or price does not count. */
const CHANGED_MIND = 5 * 60_000;

const heldInVain = ({ closing, openedAt, closingAt, payment }: Attempt): boolean => {
  if (payment || !closingAt) return false;
  if (closing === 'expired' || closing === 'abandoned') return true;
  return closing === 'repriced' && Date.parse(closingAt) - Date.parse(openedAt) >= CHANGED_MIND;
};

/** Milliseconds since the epoch; undefined if not paused. A purchase resets the count. */
export const pausedUntil = (
  { attempts, bought }: CheckoutState,
  { most, pause }: UnpaidHolds,
  at: string,
): number | undefined => {
  const now = Date.parse(at);
  const since = Math.max(now - HOUR, bought ? Date.parse(bought.at) : 0);
  const ends = [...attempts.values()]
    .filter(heldInVain)
    .map(({ closingAt }) => Date.parse(closingAt ?? ''))
    .filter((end) => end > since);
  const until = Math.max(...ends) + pause;
  return ends.length >= most && until > now ? until : undefined;
};

export const sameQuote = (a: Quote, b: Quote): boolean =>
  a.unitPrice === b.unitPrice &&
  a.quantity === b.quantity &&
  a.discount === b.discount &&
  a.total === b.total &&
  a.promotion?.promotionId === b.promotion?.promotionId;
