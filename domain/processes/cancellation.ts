import { admission } from '#domain/admission/admission.ts';
import { type BookingCommand, booking } from '#domain/booking/booking.ts';
import type { BookingState, Cancellation } from '#domain/booking/state.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { isRejection, type Rejection, reject } from '#domain/kernel/decider.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { erased } from '#domain/kernel/personal.ts';
import { decide, load, type ProcessManager, stateOf } from '#domain/kernel/process.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import type { ProcessingType } from '#domain/refund/events.ts';
import { type RefundCommand, refund } from '#domain/refund/refund.ts';

export type CancellationRequest = Omit<
  Extract<BookingCommand, { type: 'CancelBooking' }>,
  'type' | 'admitted'
>;

/** `booking` is read, or comes from the last command; the other fields come from this run's steps. */
export interface CancellationView {
  readonly bookingId: number;
  readonly request: CancellationRequest;
  readonly booking?: BookingState;
  readonly admission?: 'voided' | 'admitted';
  readonly tickets?: 'returned';
  readonly refund?: 'requested';
  readonly promotion?: 'returned';
  /** The key was destroyed: the reason can no longer be recorded. */
  readonly erased?: true;
  readonly stuck?: ErrorCode;
}

export type CancellationStep = {
  readonly do:
    | 'look-at-booking'
    | 'void-admission'
    | 'cancel-booking'
    | 'return-tickets'
    | 'request-refund'
    | 'return-promotion';
};

export type CancellationRest = 'done' | 'stuck' | Rejection;

const cancelCommand = (request: CancellationRequest, admitted: boolean): BookingCommand => ({
  type: 'CancelBooking',
  ...request,
  admitted,
});

/** By policy; a superuser's cancellation is reviewed by a person. */
export const processingType = ({ by, percent }: Pick<Cancellation, 'by' | 'percent'>): ProcessingType => {
  if (by === 'admin') return 'manual';
  return percent > 0 ? 'auto_approved' : 'auto_denied';
};

const refundRequest = ({ request, erased: keyGone, booking: state }: CancellationView): RefundCommand => {
  if (!state?.facts) throw new Error('a refund is asked for before the booking was seen');
  const { bookingId, userId, listingId, intentId, quote } = state.facts;
  const asked = state.cancellation ?? { by: request.by, refund: 0, percent: 0 };
  return {
    type: 'RequestRefund',
    ...{ bookingId, userId, listingId, intentId },
    amount: asked.refund,
    paid: quote.total,
    reason: keyGone ? erased : request.reason.trim(),
    processingType: processingType(asked),
    cancellation: request.cancellation,
  };
};

const KNOWN_AFTER: Readonly<Partial<Record<CancellationStep['do'], Partial<CancellationView>>>> = {
  'void-admission': { admission: 'voided' },
  'return-tickets': { tickets: 'returned' },
  'request-refund': { refund: 'requested' },
  'return-promotion': { promotion: 'returned' },
};

/**
 * Voids the codes (refused after an admission), cancels the booking, returns tickets and requests a refund;
 * a called-off event also gives back the promotion use. The request is stored before the first step, so that
 * every run repeats the same.
 */
export const cancellation: ProcessManager<CancellationView, CancellationStep, CancellationRest> = {
  name: 'cancellation',

  next(view) {
    const { request, booking: state } = view;
    if (view.stuck) return 'stuck';
    if (!state) return [{ do: 'look-at-booking' }];
    if (!state.facts) return reject('BOOKING_NOT_FOUND');
    if (state.cancellations > request.cancellation) return 'done';
    if (state.cancellations === request.cancellation) {
      if (state.status === 'confirmed') return 'done';
      if (view.tickets === undefined) return [{ do: 'return-tickets' }];
      const owed = state.status === 'cancelled' && state.facts.quote.total > 0;
      if (owed && view.refund === undefined) return [{ do: 'request-refund' }];
      const calledOff = state.cancellation?.by === 'listing-archived' && state.facts.quote.promotion;
      return calledOff && view.promotion === undefined ? [{ do: 'return-promotion' }] : 'done';
    }
    const answer = booking.decide(state, cancelCommand(request, view.admission === 'admitted'));
    if (isRejection(answer)) return answer;
    return [{ do: view.admission === undefined ? 'void-admission' : 'cancel-booking' }];
  },

  request(view, step) {
    const { bookingId, request, booking: state } = view;
    const listingId = state?.facts?.listingId ?? 0;
    switch (step.do) {
      case 'look-at-booking':
        return load(booking, bookingId);
      case 'void-admission': {
        const voided = {
          bookingId,
          listingId,
          why: 'cancelled',
          cancellation: request.cancellation,
        } as const;
        return decide(admission, bookingId, { type: 'Void', ...voided });
      }
      case 'cancel-booking':
        return decide(booking, bookingId, cancelCommand(request, false));
      case 'return-tickets':
        return decide(inventory, listingId, {
          type: 'ReturnTickets',
          bookingId,
          cancellation: request.cancellation,
        });
      case 'request-refund':
        return decide(refund, bookingId, refundRequest(view));
      case 'return-promotion': {
        const { attempt = '', quote } = state?.facts ?? {};
        return decide(promotion, quote?.promotion?.promotionId ?? 0, {
          type: 'ReturnUse',
          attempt,
          bookingId,
        });
      }
    }
  },

  apply(view, step, answer) {
    if (!('rejected' in answer)) {
      return { ...view, ...KNOWN_AFTER[step.do], booking: stateOf(answer, booking) ?? view.booking };
    }
    const { rejected } = answer;
    if (step.do === 'void-admission' && rejected === 'ALREADY_SCANNED')
      return { ...view, admission: 'admitted' };
    if (step.do === 'request-refund' && rejected === 'ERASED' && !view.erased)
      return { ...view, erased: true };
    return { ...view, stuck: rejected };
  },
};
