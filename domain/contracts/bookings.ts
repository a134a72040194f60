import * as z from 'zod/mini';
import { HISTORY_KINDS } from '#domain/kernel/history.ts';
import { SHORTEST_CANCELLATION_REASON } from '#domain/kernel/policy.ts';
import { disputeStatus } from './admin-disputes.ts';
import { call } from './call.ts';
import { amount, blankable, id, idParams, LONGEST, money, text } from './fields.ts';
import { quantity } from './payments.ts';

/** `POST /api/bookings`. The amounts are only compared with the server's. */
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
  /** What the page has shown that it would pay back. If it would be less by now, it is refused (REFUND_SMALLER). */
  refundAmount: z.optional(amount()),
});
export type CancelBookingRequest = z.input<typeof cancelBookingRequest>;

/** The statuses of both specifications. A confirmed booking of a past event is shown as `completed`. */
export const BOOKING_STATUSES = ['pending', 'confirmed', 'cancelled', 'completed', 'refunded'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** The statuses of a refund for its customer: `pending` until it is approved, then `processing` until the provider has paid. */
export const REFUND_STATUSES_SHOWN = ['pending', 'processing', 'completed', 'denied'] as const;

/** Why the customer can't cancel a booking. */
export const NOT_CANCELLABLE = ['not_confirmed', 'refund_open', 'started', 'scanned'] as const;

/** A booking, for its customer. */
export const booking = z.object({
  id: z.int(),
  /** `BK` and 8 characters. */
  reference: z.string(),
  status: z.enum(BOOKING_STATUSES),
  /** The tab of the profile that shows it. */
  tab: z.enum(['upcoming', 'past', 'cancelled']),
  quantity: z.int(),
  unitPrice: money(),
  discountAmount: money(),
  promoCode: z.nullable(z.string()),
  totalAmount: money(),
  /** When it was made, an ISO instant. */
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
  /** Null also of a booking that was made good: its refund was withdrawn. */
  refundStatus: z.nullable(z.enum(REFUND_STATUSES_SHOWN)),
  refundAmount: z.nullable(money()),
  /** Why the refund was denied, that the bank has not taken it, or that it came in parts. The notes of an approval are never sent to customers. */
  refundNote: z.nullable(z.string()),
  cancelledAt: z.nullable(z.string()),
  /** The reason that was given for the cancellation; null also after an erasure. */
  cancellationReason: z.nullable(z.string()),
  /** Why it was paid and yet got no tickets, so that everything is paid back; null if it did not happen. */
  unfilled: z.nullable(z.enum(['sold_out', 'sales_closed'])),
  /** Where the disputes of the payment stand; null if there is none. While one is open or lost, the ticket admits nobody. */
  dispute: z.nullable(disputeStatus),
  cancellable: z.boolean(),
  notCancellable: z.nullable(z.enum(NOT_CANCELLABLE)),
  /** What a cancellation would pay back now. */
  refundPercent: z.int(),
  refundQuote: money(),
  /** Paths on this site. `ticketUrl` is null if there is no valid ticket. */
  ticketUrl: z.nullable(z.string()),
  historyUrl: z.string(),
});
export type Booking = z.infer<typeof booking>;

/** What a cancellation would pay back now. */
export const cancellationQuote = z.object({
  cancellable: z.boolean(),
  notCancellable: z.nullable(z.enum(NOT_CANCELLABLE)),
  paid: money(),
  percent: z.int(),
  refundAmount: money(),
  /** The policy that the booking was made under, most hours before the start first. */
  policy: z.array(z.object({ hours: z.int(), percent: z.int() })),
  /** Whether the event was moved after the booking: until its start a cancellation then pays back 100%. */
  rescheduled: z.boolean(),
});
export type CancellationQuote = z.infer<typeof cancellationQuote>;

/** What a cancellation has paid back. */
export const cancelled = z.object({
  message: z.string(),
  /** Whether anything is paid back. */
  refundApproved: z.boolean(),
  refundAmount: money(),
  refundPercent: z.int(),
});
export type Cancelled = z.infer<typeof cancelled>;

/** An entry of a booking's trail, which is its history. */
export const trailEntry = z.object({
  /** ISO instant. */
  at: z.string(),
  kind: z.enum(HISTORY_KINDS),
  /** What happened, in a few words: "2 tickets held". */
  title: z.string(),
  /** Details, such as a reason, an amount or a time. */
  detail: z.nullable(z.string()),
  /** Who did it, such as "you", "door staff" or "Reprise". */
  by: z.nullable(z.string()),
});
export type TrailEntry = z.infer<typeof trailEntry>;

/** The calls of `/api/bookings`, for the person's own bookings. Other people's bookings are answered with 404. */
export const bookingCalls = {
  /** Answers 201, or 200 with the same booking if the provider's webhook has completed it first. */
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
  /** Those that are pending, and then the 1,000 with the latest events, the earliest of these first. */
  list: call('GET /api/bookings', { answer: z.array(booking), capability: 'use-bookings' }),
  read: call('GET /api/bookings/{id}', { params: idParams(), answer: booking, capability: 'use-bookings' }),
  /** What a cancellation would pay back now. */
  cancellation: call('GET /api/bookings/{id}/cancellation', {
    params: idParams(),
    answer: cancellationQuote,
    capability: 'use-bookings',
  }),
  /** The trail, oldest entry first. */
  history: call('GET /api/bookings/{id}/history', {
    params: idParams(),
    answer: z.array(trailEntry),
    capability: 'use-bookings',
    limit: 'history',
  }),
};
