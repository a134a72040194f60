import * as z from 'zod/mini';
import { HISTORY_KINDS } from '#domain/kernel/history.ts';
import { SHORTEST_CANCELLATION_REASON } from '#domain/kernel/policy.ts';
import { disputeStatus } from './admin-disputes.ts';
import { call } from './call.ts';
import { amount, blankable, id, idParams, LONGEST, money, text } from './fields.ts';
import { quantity } from './payments.ts';

export const createBookingRequest = z.strictObject({
  eventId: id(),
  quantity: quantity(),
  totalAmount: amount(),
  promoCode: z.nullish(blankable(LONGEST.code)),
  discountAmount: z.nullish(amount()),
});
export type CreateBookingRequest = z.input<typeof createBookingRequest>;

const shortReason = 'Please provide a detailed reason (minimum 10 characters)';

export const cancelBookingRequest = z.strictObject({
  bookingId: id(),
  reason: text(LONGEST.reason, shortReason).check(z.minLength(SHORTEST_CANCELLATION_REASON, shortReason)),
  /** As shown to the customer; a smaller refund fails with `REFUND_SMALLER`. */
  refundAmount: z.optional(amount()),
});

/** From both specifications. A confirmed booking of a past event is `completed`. */
export const BOOKING_STATUSES = ['pending', 'confirmed', 'cancelled', 'completed', 'refunded'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** `pending` until approved, `processing` until paid. */
export const REFUND_STATUSES_SHOWN = ['pending', 'processing', 'completed', 'denied'] as const;

export const NOT_CANCELLABLE = ['not_confirmed', 'refund_open', 'started', 'scanned'] as const;

export const booking = z.object({
  id: z.int(),
  reference: z.string(),
  status: z.enum(BOOKING_STATUSES),
  tab: z.enum(['upcoming', 'past', 'cancelled']),
  quantity: z.int(),
  unitPrice: money(),
  discountAmount: money(),
  promoCode: z.nullable(z.string()),
  totalAmount: money(),
  /** ISO instant. */
  bookingDate: z.string(),
  event: z.object({
    id: z.int(),
    title: z.string(),
    date: z.string(),
    time: z.string(),
    startsAt: z.string(),
    zone: z.string(),
    venue: z.string(),
    city: z.string(),
    location: z.string(),
    category: z.string(),
    imageUrl: z.nullable(z.string()),
  }),
  refundStatus: z.nullable(z.enum(REFUND_STATUSES_SHOWN)),
  refundAmount: z.nullable(money()),
  /** Why it was denied or the bank rejected it, or that it was paid in parts. Never a superuser's approval notes. */
  refundNote: z.nullable(z.string()),
  cancelledAt: z.nullable(z.string()),
  cancellationReason: z.nullable(z.string()),
  unfilled: z.nullable(z.enum(['sold_out', 'sales_closed'])),
  /** An open or lost dispute blocks admission. */
  dispute: z.nullable(disputeStatus),
  cancellable: z.boolean(),
  notCancellable: z.nullable(z.enum(NOT_CANCELLABLE)),
  refundPercent: z.int(),
  refundQuote: money(),
  /** Null without a valid ticket. */
  ticketUrl: z.nullable(z.string()),
  historyUrl: z.string(),
});
export type Booking = z.infer<typeof booking>;

export const cancellationQuote = z.object({
  cancellable: z.boolean(),
  notCancellable: z.nullable(z.enum(NOT_CANCELLABLE)),
  paid: money(),
  percent: z.int(),
  refundAmount: money(),
  /** Of the booking's time, most hours first. */
  policy: z.array(z.object({ hours: z.int(), percent: z.int() })),
  /** Moved since it was booked: cancelling before the start refunds 100%. */
  rescheduled: z.boolean(),
});
export type CancellationQuote = z.infer<typeof cancellationQuote>;

export const cancelled = z.object({
  message: z.string(),
  refundApproved: z.boolean(),
  refundAmount: money(),
  refundPercent: z.int(),
});
export type Cancelled = z.infer<typeof cancelled>;

export const historyEntry = z.object({
  /** ISO instant. */
  at: z.string(),
  kind: z.enum(HISTORY_KINDS),
  title: z.string(),
  detail: z.nullable(z.string()),
  by: z.nullable(z.string()),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

export const bookingCalls = {
  /** 201, or 200 with the same booking if the provider's webhook came first. */
  create: call('POST /api/bookings', {
    body: createBookingRequest,
    answer: booking,
    status: [201, 200],
    capability: 'buy',
    limit: 'booking',
    idempotent: true,
  }),
  cancel: call('POST /api/bookings/cancel', {
    body: cancelBookingRequest,
    answer: cancelled,
    capability: 'use-bookings',
    limit: 'changes',
    idempotent: true,
  }),
  /** Pending ones, then the 1,000 with the latest events, earliest first. */
  list: call('GET /api/bookings', { answer: z.array(booking), capability: 'use-bookings' }),
  read: call('GET /api/bookings/{id}', { params: idParams(), answer: booking, capability: 'use-bookings' }),
  cancellation: call('GET /api/bookings/{id}/cancellation', {
    params: idParams(),
    answer: cancellationQuote,
    capability: 'use-bookings',
  }),
  history: call('GET /api/bookings/{id}/history', {
    params: idParams(),
    answer: z.array(historyEntry),
    capability: 'use-bookings',
    limit: 'history',
  }),
};
