import * as z from 'zod/mini';
import { SHORTEST_CANCELLATION_REASON } from '#domain/policy.ts';
import { call } from './call.ts';
import { amount, blankable, id, idParams, LONGEST, money, text } from './fields.ts';
import { quantity } from './payments.ts';

/** The server's price counts; the amounts are only compared. */
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
});
export type CancelBookingRequest = z.infer<typeof cancelBookingRequest>;

/** Both documents' states; `completed` is derived for past events. */
export const BOOKING_STATUSES = ['pending', 'confirmed', 'cancelled', 'completed', 'refunded'] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** A refund as its customer sees it: `pending` until approved, then `processing` until the provider is done. */
export const REFUND_STATUSES_SHOWN = ['pending', 'processing', 'completed', 'denied'] as const;

/** Why the customer can't cancel; null: they can. */
export const NOT_CANCELLABLE = ['not_confirmed', 'refund_open', 'started', 'scanned'] as const;

/** A booking as its customer sees it. */
export const booking = z.object({
  id: z.int(),
  /** `BK` and 8 characters. */
  reference: z.string(),
  status: z.enum(BOOKING_STATUSES),
  /** Which tab of the profile it stands under. */
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
  /** Why a refund was denied. An approval's notes are the superusers' own, and never sent. */
  refundNote: z.nullable(z.string()),
  cancelledAt: z.nullable(z.string()),
  /** The customer's own words; null too once they are erased. */
  cancellationReason: z.nullable(z.string()),
  /** Paid, but no ticket was left: the money goes back in full. */
  unfilled: z.boolean(),
  cancellable: z.boolean(),
  notCancellable: z.nullable(z.enum(NOT_CANCELLABLE)),
  /** What a cancellation would give back now. */
  refundPercent: z.int(),
  refundQuote: money(),
  /** Paths on this site. `ticketUrl` is null where there is no ticket (any more). */
  ticketUrl: z.nullable(z.string()),
  historyUrl: z.string(),
});
export type Booking = z.infer<typeof booking>;

/** What a cancellation would give back now. */
export const cancellationQuote = z.object({
  cancellable: z.boolean(),
  notCancellable: z.nullable(z.enum(NOT_CANCELLABLE)),
  paid: money(),
  percent: z.int(),
  refundAmount: money(),
  /** The booking's own policy, longest notice first. */
  policy: z.array(z.object({ hours: z.int(), percent: z.int() })),
  /** The event was moved after the booking: 100% whatever the notice. */
  rescheduled: z.boolean(),
});
export type CancellationQuote = z.infer<typeof cancellationQuote>;

/** What a cancellation gave back. */
export const cancelled = z.object({
  message: z.string(),
  /** Whether anything is paid back. */
  refundApproved: z.boolean(),
  refundAmount: money(),
  refundPercent: z.int(),
});
export type Cancelled = z.infer<typeof cancelled>;

/** The kinds of entries of a booking's trail. */
export const TRAIL_KINDS = [
  'held',
  'released',
  'paid',
  'booked',
  'unfilled',
  'mailed',
  'downloaded',
  'scanned',
  'refused',
  'scan-undone',
  'rescheduled',
  'cancelled',
  'reinstated',
  'reissued',
  'refund-requested',
  'refund-approved',
  'refund-denied',
  'refund-reset',
  'refund-submitted',
  'refund-failed',
  'refunded',
] as const;
export type TrailKind = (typeof TRAIL_KINDS)[number];

/** An entry of a booking's trail. */
export const trailEntry = z.object({
  /** ISO instant. */
  at: z.string(),
  kind: z.enum(TRAIL_KINDS),
  /** What happened, in a few words: "2 tickets held". */
  title: z.string(),
  /** Why, how much, until when. */
  detail: z.nullable(z.string()),
  /** Who: "you", "the venue", a member of staff's name, "Reprise". */
  by: z.nullable(z.string()),
});
export type TrailEntry = z.infer<typeof trailEntry>;

/** `/api/bookings*`: one's own. Somebody else's booking answers 404, like one that does not exist. */
export const bookingCalls = {
  /** 200 with the same booking where the webhook was first. */
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
    idempotent: true,
  }),
  list: call('GET /api/bookings', { answer: z.array(booking), capability: 'use-bookings' }),
  read: call('GET /api/bookings/{id}', { params: idParams(), answer: booking, capability: 'use-bookings' }),
  /** The dialog's quote, fresh. */
  cancellation: call('GET /api/bookings/{id}/cancellation', {
    params: idParams(),
    answer: cancellationQuote,
    capability: 'use-bookings',
  }),
  /** The trail, oldest first. */
  history: call('GET /api/bookings/{id}/history', {
    params: idParams(),
    answer: z.array(trailEntry),
    capability: 'use-bookings',
  }),
};
