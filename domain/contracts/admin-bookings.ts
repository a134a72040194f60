import * as z from 'zod/mini';
import { disputeStatus } from './admin-disputes.ts';
import { BOOKING_STATUSES } from './bookings.ts';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { idParams, LONGEST, money, text } from './fields.ts';

/** `/api/admin/bookings*`. */

/** `PATCH /api/admin/bookings/{id}` */
export const editBookingRequest = z.strictObject({ status: z.enum(BOOKING_STATUSES, 'Must be a status') });

/** `POST /api/admin/bookings/{id}/notes` */
export const bookingNoteRequest = z.strictObject({
  note: text(LONGEST.reason, 'Note is required'),
});

/** A booking as superusers see it. */
export const adminBooking = z.object({
  id: z.int(),
  bookingReference: z.string(),
  /** All null once the account is erased. */
  user: z.object({
    firstName: z.nullable(z.string()),
    lastName: z.nullable(z.string()),
    email: z.nullable(z.string()),
  }),
  event: z.object({ id: z.int(), title: z.string(), date: z.string(), time: z.string() }),
  quantity: z.int(),
  totalAmount: money(),
  status: z.enum(BOOKING_STATUSES),
  /** Where the disputes of the payment stand; null if there is none. */
  dispute: z.nullable(disputeStatus),
  createdAt: z.string(),
});
export type AdminBooking = z.infer<typeof adminBooking>;

const query = listQuery(['reference', 'user', 'event', 'quantity', 'amount', 'date'], {
  status: z.optional(z.enum(['confirmed', 'cancelled', 'completed', 'refunded'])),
});
const administer = { capability: 'administer' } as const;
const changing = {
  ...administer,
  params: idParams(),
  answer: said(),
  limit: 'administration',
  idempotent: true,
} as const;

/** The calls of `/api/admin/bookings`. */
export const adminBookingCalls = {
  /** The newest first where no order is asked for. The search looks at reference, customer and event. */
  list: call('GET /api/admin/bookings', { query, answer: z.array(adminBooking), ...administer }),
  /** Payments whose booking is not made yet, the newest first: there are some for moments, or while something is down. */
  pending: call('GET /api/admin/bookings/pending', { answer: z.array(adminBooking), ...administer }),
  exportCsv: call('GET /api/admin/bookings/export-csv', {
    query,
    answer: 'text/csv',
    limit: 'export',
    ...administer,
  }),
  /**
   * `confirmed` to `cancelled`: its tickets go back on sale, and a refund of the whole amount awaits review. `cancelled` to `confirmed`: takes
   * tickets again (`SOLD_OUT`), withdraws the refund (`REFUND_IN_PROGRESS` once the provider has it), and mails the ticket. All else
   * is `STATUS_FIXED`.
   */
  edit: call('PATCH /api/admin/bookings/{id}', { body: editBookingRequest, ...changing }),
  /** Makes and mails a new ticket. Codes of older ones no longer admit. */
  reissue: call('POST /api/admin/bookings/{id}/reissue', changing),
  /** Keeps a note for colleagues in the booking's log. The customer never sees it, and an erasure destroys it. */
  addNote: call('POST /api/admin/bookings/{id}/notes', { body: bookingNoteRequest, ...changing }),
};
