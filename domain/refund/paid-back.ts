/** Amounts are in pence. */
import type { RefundState } from './state.ts';

/** `pending` may last for days; `succeeded` may still become `failed` or `canceled`. */
export type ProviderRefundStatus = 'pending' | 'succeeded' | 'failed' | 'canceled';

export interface ProviderRefund {
  readonly id: string;
  readonly intentId: string | null;
  readonly status: ProviderRefundStatus;
  readonly amount: number;
  /** From its metadata; undefined if this product did not make it. */
  readonly bookingId: number | undefined;
  readonly attempt: number | undefined;
  readonly why: string | undefined;
  /** Milliseconds, by the provider in whole seconds. */
  readonly createdAt: number;
}

type All = readonly ProviderRefund[];

export const hasFailed = ({ status }: ProviderRefund): boolean =>
  status === 'failed' || status === 'canceled';
export const isLive = (one: ProviderRefund): boolean => !hasFailed(one);
/** Made by a person at the provider itself. */
export const isByHand = ({ bookingId }: ProviderRefund): boolean => bookingId === undefined;
export const sum = (refunds: All): number => refunds.reduce((total, { amount }) => total + amount, 0);

/** Made by the present attempt. */
export const isOwn = ({ bookingId, attempt }: RefundState, one: ProviderRefund): boolean =>
  one.bookingId === bookingId && one.attempt === attempt;

/** By an attempt that the log has lost, as after the restore of a backup. */
export const isLost = ({ intentId, attempt }: RefundState, one: ProviderRefund): boolean =>
  !isByHand(one) && (intentId !== one.intentId || attempt < (one.attempt ?? 0));

const A_SECOND = 1_000;

/**
 * Still to pay beside `given`; zero or less if that is enough. Money paid back by hand since the request is
 * the refund; earlier money is a gesture, and counts only if too little of the payment is left.
 */
export const owed = ({ amount, paid, requestedAt }: RefundState, given: All): number => {
  const requested = Date.parse(requestedAt ?? '');
  const since = given.filter(({ createdAt }) => createdAt + A_SECOND > requested);
  const left = paid - sum(given);
  return amount - sum(since) <= left ? amount - sum(since) : amount - sum(given);
};

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
 * Paid too little: after a restore, an attempt has the key of a lost one that may have paid less; or money
 * paid by hand has come back.
 */
export const isShort = (state: RefundState, one: ProviderRefund, known: All): boolean =>
  one.status === 'succeeded' && missing(state, known) > 0;

/**
 * The refund that decides the present attempt: its own, or one of those that paid enough instead, preferably
 * a pending one. Undefined if the attempt has still to be paid.
 */
export const deciding = (state: RefundState, known: All): ProviderRefund | undefined => {
  const own = known.find((one) => isOwn(state, one));
  if (own) return own;
  const live = known.filter(isLive);
  if (owed(state, live) > 0) return undefined;
  return live.find(({ status }) => status === 'pending') ?? live[0];
};

/** Made by hand, or lost with a restore. */
export const strangeOf = (state: RefundState, known: All): All =>
  known.filter((one) => isByHand(one) || isLost(state, one));
