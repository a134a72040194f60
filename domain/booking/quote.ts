import type { ErrorCode } from '#domain/kernel/errors.ts';
import { percentOf } from '#domain/kernel/money.ts';
import { refundPercent } from '#domain/kernel/policy.ts';
import type { CancelledBy } from './events.ts';
import type { BookingState } from './state.ts';

/** The circumstances of a cancellation. Times are ISO instants. */
export interface CancellationRequest {
  readonly by: CancelledBy;
  readonly at: string;
  /** The listing's present start. */
  readonly startsAt: string;
  /** Whether the listing was moved after the booking was made: the customer then gets everything back. */
  readonly rescheduled?: boolean;
  /** Whether somebody was admitted with it. */
  readonly admitted?: boolean;
}

/** What a cancellation would pay back, `refund` in pence; or why it is not allowed. */
export type CancellationQuote =
  | { readonly allowed: true; readonly percent: number; readonly refund: number }
  | { readonly allowed: false; readonly why: ErrorCode; readonly percent: 0; readonly refund: 0 };

const refused = (why: ErrorCode): CancellationQuote => ({ allowed: false, why, percent: 0, refund: 0 });

/**
 * What cancelling now would pay back. The dialog shows it and the decision uses it. Until the start, customers and people who delete
 * their account get what the policy in the booking says; if a superuser deletes it, the whole amount. If a superuser cancels, or the listing
 * is deleted, the whole amount is paid back, also later.
 */
export const cancellationQuote = (
  state: Pick<BookingState, 'facts' | 'status'>,
  request: CancellationRequest,
): CancellationQuote => {
  const { facts } = state;
  if (!facts) return refused('BOOKING_NOT_FOUND');
  if (state.status !== 'confirmed') return refused('BOOKING_NOT_CANCELLABLE');
  if (request.admitted) return refused('ALREADY_SCANNED');
  const percent = percentFor(facts, request);
  if (percent === undefined) return refused('EVENT_STARTED');
  return { allowed: true, percent, refund: percentOf(facts.quote.total, percent) };
};

const percentFor = (
  facts: NonNullable<BookingState['facts']>,
  { by, at, startsAt, rescheduled }: CancellationRequest,
): number | undefined => {
  if (by === 'admin' || by === 'listing-archived') return 100;
  if (Date.parse(at) >= Date.parse(startsAt)) return undefined;
  if (by === 'account-removed' || rescheduled || startsAt !== facts.startsAt) return 100;
  return refundPercent(facts.policy, startsAt, at);
};
