import { Map as ImmutableMap } from 'immutable';
import { JUST_BOUGHT_FOR } from '#domain/kernel/policy.ts';
import type { AttemptFacts, CheckoutEvent, ClosingReason, Quote, Unfilled } from './events.ts';

/** The state of one attempt to buy. Amounts are in pence. */
export interface Attempt extends AttemptFacts {
  readonly intent: { readonly intentId: string; readonly amount: number } | null;
  readonly payment: {
    readonly intentId: string | null;
    readonly amount: number;
    readonly late: boolean;
  } | null;
  readonly closing: ClosingReason | null;
  readonly closed: boolean;
  /** When it was opened, and when closing began (null before), ISO instants. */
  readonly openedAt: string;
  readonly closingAt: string | null;
  /** How it ended, if that is recorded. A paid attempt without a promotion is settled once its booking exists, and nothing is recorded here. */
  readonly outcome: 'completed' | { readonly unfilled: Unfilled } | null;
}

/** All attempts of a person to buy tickets of one listing: a payment may come late for any of them. */
export interface CheckoutState {
  readonly attempts: ImmutableMap<string, Attempt>;
  /** The attempt that was opened last. Only it can be live. */
  readonly current: string | null;
  /** The attempt that was paid last, and when (an ISO instant); null before the first payment. */
  readonly bought: Bought | null;
}

/** A paid attempt, and the id of its booking. */
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

/** The attempt that must end before another can be opened: it is open, or it is paid and not known to be settled. */
export const liveAttempt = (state: CheckoutState): Attempt | undefined => {
  const current = state.current === null ? undefined : state.attempts.get(state.current);
  if (!current || current.outcome !== null) return undefined;
  return current.closed && !current.payment ? undefined : current;
};

/**
 * What a buyer has bought within the last hour and does not know of; undefined if there is nothing of that kind.
 * @param known the last booking of the listing that their page has shown them: null for none, undefined for a caller who doesn't say
 */
export const boughtUnknown = (
  { bought }: CheckoutState,
  known: number | null | undefined,
  at: string,
): Bought | undefined => {
  if (!bought || known === undefined || known === bought.bookingId) return undefined;
  return Date.parse(at) - Date.parse(bought.at) < JUST_BOUGHT_FOR ? bought : undefined;
};

/** How often tickets may be held without being bought. */
export interface UnpaidHolds {
  /** After so many within an hour there is a pause. */
  readonly most: number;
  /** In milliseconds, from the end of the last one. */
  readonly pause: number;
}

const HOUR = 3_600_000;
/** A hold that was given up for another quantity or price counts from this length on, in milliseconds: people may choose for a while. */
const CHANGED_MIND = 5 * 60_000;

const heldInVain = ({ closing, openedAt, closingAt, payment }: Attempt): boolean => {
  if (payment || !closingAt) return false;
  if (closing === 'expired' || closing === 'abandoned') return true;
  return closing === 'repriced' && Date.parse(closingAt) - Date.parse(openedAt) >= CHANGED_MIND;
};

/** Until when a person can hold no tickets of the listing, in milliseconds since the epoch; undefined if they can. Who buys begins anew. */
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

/** Whether two quotes ask for the same thing at the same price. */
export const sameQuote = (a: Quote, b: Quote): boolean =>
  a.unitPrice === b.unitPrice &&
  a.quantity === b.quantity &&
  a.discount === b.discount &&
  a.total === b.total &&
  a.promotion?.promotionId === b.promotion?.promotionId;
