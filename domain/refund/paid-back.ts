/** What the provider's refunds of a payment mean for the refund that the site owes. Amounts are in pence. */
import type { RefundState } from './state.ts';

/** The state of a refund. `pending` may last for days. A refund that has `succeeded` may still become `failed` or `canceled`. */
export type ProviderRefundStatus = 'pending' | 'succeeded' | 'failed' | 'canceled';

/** A refund, as the provider knows it. */
export interface ProviderRefund {
  readonly id: string;
  readonly intentId: string | null;
  readonly status: ProviderRefundStatus;
  readonly amount: number;
  /** Booking and attempt from its metadata; undefined for a refund that this product did not make. */
  readonly bookingId: number | undefined;
  readonly attempt: number | undefined;
  /** The provider's reason for a failure. */
  readonly why: string | undefined;
  /** When it was made, in milliseconds since the epoch; the provider tells whole seconds. */
  readonly createdAt: number;
}

type All = readonly ProviderRefund[];

export const hasFailed = ({ status }: ProviderRefund): boolean =>
  status === 'failed' || status === 'canceled';
export const isLive = (one: ProviderRefund): boolean => !hasFailed(one);
/** Whether a person made it at the provider itself. */
export const isByHand = ({ bookingId }: ProviderRefund): boolean => bookingId === undefined;
export const sum = (refunds: All): number => refunds.reduce((total, { amount }) => total + amount, 0);

/** Whether the present attempt has made it. */
export const isOwn = ({ bookingId, attempt }: RefundState, one: ProviderRefund): boolean =>
  one.bookingId === bookingId && one.attempt === attempt;

/** Whether it is of an attempt that the log does not know, as after the restore of a backup from before it. */
export const isLost = ({ intentId, attempt }: RefundState, one: ProviderRefund): boolean =>
  !isByHand(one) && (intentId !== one.intentId || attempt < (one.attempt ?? 0));

/** The provider's times are whole seconds. */
const A_SECOND = 1_000;

/**
 * How much an attempt still has to pay beside `given`, what was paid back already; zero or less if that is enough. Money that was paid
 * back by hand since the refund was requested is the refund. What was paid back before is a gesture, and counts only where too little of
 * the payment is left.
 */
export const owed = ({ amount, paid, requestedAt }: RefundState, given: All): number => {
  const requested = Date.parse(requestedAt ?? '');
  const since = given.filter(({ createdAt }) => createdAt + A_SECOND > requested);
  const left = paid - sum(given);
  return amount - sum(since) <= left ? amount - sum(since) : amount - sum(given);
};

/** How much is still missing, beside what the present attempt and all others have paid. */
export const missing = (state: RefundState, known: All): number => {
  const live = known.filter(isLive);
  const own = live.filter((one) => isOwn(state, one));
  return (
    owed(
      state,
      live.filter((one) => !own.includes(one)),
    ) - sum(own)
  );
};

/**
 * Whether a refund has paid, but too little: after a restore, an attempt has the key of one that is gone and may have paid less; or what
 * was paid by hand has come back meanwhile.
 */
export const isShort = (state: RefundState, one: ProviderRefund, known: All): boolean =>
  one.status === 'succeeded' && missing(state, known) > 0;

/**
 * The refund that decides the present attempt: its own, or, once enough was paid back without it, one of those; while any of them may
 * still fail, that one. Undefined if the attempt has still to be paid.
 */
export const deciding = (state: RefundState, known: All): ProviderRefund | undefined => {
  const own = known.find((one) => isOwn(state, one));
  if (own) return own;
  const live = known.filter(isLive);
  if (owed(state, live) > 0) return undefined;
  return live.find(({ status }) => status === 'pending') ?? live[0];
};

/** Refunds that the log does not know of: made by hand, or lost with a restore. */
export const strangeOf = (state: RefundState, known: All): All =>
  known.filter((one) => isByHand(one) || isLost(state, one));
