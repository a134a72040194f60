import * as z from 'zod/mini';
import { disputeStatus } from './admin-disputes.ts';
import { BOOKING_STATUSES } from './bookings.ts';
import { call } from './call.ts';
import { listQuery, said } from './envelope.ts';
import { idParams, LONGEST, money, text } from './fields.ts';

export const editBookingRequest = z.strictObject({ status: z.enum(BOOKING_STATUSES, 'Must be a status') });

export const bookingNoteRequest = z.strictObject({
  note: text(LONGEST.reason, 'Note is required'),
});

export const adminBooking = z.object({
  id: z.int(),
  bookingReference: z.string(),
  /** Null once erased. */
  user: z.object({
    firstName: z.nullable(z.string()),
    lastName: z.nullable(z.string()),
    email: z.nullable(z.string()),
  }),
  event: z.object({ id: z.int(), title: z.string(), date: z.string(), time: z.string() }),
  quantity: z.int(),
  totalAmount: money(),
  status: z.enum(BOOKING_STATUSES),
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

export const adminBookingCalls = {
  list: call('GET /api/admin/bookings', { query, answer: z.array(adminBooking), ...administer }),
  /** Newest first; they last moments. */
  pending: call('GET /api/admin/bookings/pending', { answer: z.array(adminBooking), ...administer }),
  exportCsv: call('GET /api/admin/bookings/export-csv', {
    query,
    answer: 'text/csv',
    limit: 'export',
    ...administer,
  }),
  /**
   * Cancelling requests a full refund for review. Reinstating takes tickets again (`SOLD_OUT`), withdraws
   * the refund (`REFUND_IN_PROGRESS` once the provider has it) and mails the ticket. Any other change is
   * `STATUS_FIXED`.
   */
  edit: call('PATCH /api/admin/bookings/{id}', { body: editBookingRequest, ...changing }),
  reissue: call('POST /api/admin/bookings/{id}/reissue', changing),
  /** Not in the booking's history, but in the customer's data export. An erasure destroys it. */
  addNote: call('POST /api/admin/bookings/{id}/notes', { body: bookingNoteRequest, ...changing }),
};
