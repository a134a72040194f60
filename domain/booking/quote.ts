import type { ErrorCode } from '#domain/kernel/errors.ts';
import { percentOf } from '#domain/kernel/money.ts';
import { refundPercent } from '#domain/kernel/policy.ts';
import type { CancelledBy } from './events.ts';
import type { BookingState } from './state.ts';

export interface CancellationRequest {
  readonly by: CancelledBy;
  readonly at: string;
  /** ISO instant of the current start. */
  readonly startsAt: string;
  /** Moved after the booking: full refund. */
  readonly rescheduled?: boolean;
  readonly admitted?: boolean;
}

/** `refund` is in pence. */
export type CancellationQuote =
  | { readonly allowed: true; readonly percent: number; readonly refund: number }
  | { readonly allowed: false; readonly why: ErrorCode; readonly percent: 0; readonly refund: 0 };

const refused = (why: ErrorCode): CancellationQuote => ({ allowed: false, why, percent: 0, refund: 0 });

/**
 * Until the start, customers get the policy's refund, also when they delete their account. A superuser's
 * deletion of the account pays everything until then; a superuser's cancellation and a deleted listing do so
 * later, too.
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
