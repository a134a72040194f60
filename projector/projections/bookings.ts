import type { BookingEvent } from '#domain/booking/events.ts';
import { checkoutOf } from '#domain/checkout/checkout.ts';
import type { CheckoutEvent } from '#domain/checkout/events.ts';
import type { RowOf } from '#infra/read-models/table.ts';
import { bookingTable, paidAttemptTable } from '#infra/read-models/tables.ts';
import {
  type Applied,
  type DeclaredProjection,
  expectRow,
  type Projected,
  sealedText,
} from '#projector/engine/projection.ts';

type BookingRow = RowOf<typeof bookingTable>;

const FOLDED = [
  'BookingPlaced',
  'BookingUnfilled',
  'BookingCancelled',
  'BookingReinstated',
  'BookingRefunded',
  'TicketReissued',
] as const;
type Folded = Extract<BookingEvent, { type: (typeof FOLDED)[number] }>;

type Made = Extract<BookingEvent, { type: 'BookingPlaced' | 'BookingUnfilled' }>;

const made = ({ type, data }: Made, at: string): BookingRow => ({
  id: data.bookingId,
  reference: data.reference,
  user_id: data.userId,
  listing_id: data.listingId,
  attempt: data.attempt,
  unit_price: data.quote.unitPrice,
  quantity: data.quote.quantity,
  discount: data.quote.discount,
  total: data.quote.total,
  promotion_id: data.quote.promotion?.promotionId ?? null,
  promo_code: data.quote.promotion?.code ?? null,
  intent_id: data.intentId,
  policy: data.policy,
  booked_start: data.startsAt,
  status: type === 'BookingPlaced' ? 'confirmed' : 'cancelled',
  unfilled: type === 'BookingUnfilled' ? data.why : null,
  placed_at: at,
  changed_at: at,
  cancelled_at: type === 'BookingUnfilled' ? at : null,
  cancelled_by: null,
  cancel_reason: null,
  refund_amount: null,
  refund_percent: null,
  refunded_at: null,
  epoch: 0,
});

const change = (row: BookingRow, applied: Applied<Folded>): BookingRow => {
  const { event, meta } = applied;
  const next = { ...row, changed_at: meta.at };
  switch (event.type) {
    case 'BookingPlaced':
    case 'BookingUnfilled':
      return row;
    case 'BookingCancelled':
      return {
        ...next,
        status: 'cancelled',
        cancelled_at: meta.at,
        cancelled_by: event.data.by,
        cancel_reason: sealedText(applied, 'reason'),
        refund_amount: event.data.refund,
        refund_percent: event.data.percent,
      };
    case 'BookingReinstated':
      return {
        ...next,
        status: 'confirmed',
        unfilled: null,
        cancelled_at: null,
        cancelled_by: null,
        cancel_reason: null,
        refund_amount: null,
        refund_percent: null,
      };
    case 'BookingRefunded':
      return { ...next, status: 'refunded', refunded_at: meta.at, refund_amount: event.data.amount };
    case 'TicketReissued':
      return { ...next, epoch: event.data.epoch };
  }
};

const bookingRows: Projected<typeof bookingTable, Folded> = {
  table: bookingTable,
  types: FOLDED,
  keys: ({ event }) => [event.data.bookingId],
  fold: (row, applied) => {
    const { event, meta } = applied;
    return event.type === 'BookingPlaced' || event.type === 'BookingUnfilled'
      ? made(event, meta.at)
      : change(expectRow(row, applied), applied);
  },
};

const PAYMENT = ['PaymentReceived', 'BookingPlaced', 'BookingUnfilled', 'CheckoutUnfilled'] as const;
type Payment = Extract<CheckoutEvent | BookingEvent, { type: (typeof PAYMENT)[number] }>;

/** A purchase adds and removes a row, usually in one batch, so that nothing is written. */
const paidAttemptRows: Projected<typeof paidAttemptTable, Payment> = {
  table: paidAttemptTable,
  types: PAYMENT,
  keys: ({ event }) => [event.data.attempt],
  fold: (_row, { event, stream, meta }) => {
    if (event.type !== 'PaymentReceived') return undefined;
    const { userId, listingId } = checkoutOf(stream);
    const { attempt, intentId, amount, late } = event.data;
    return {
      attempt,
      user_id: userId,
      listing_id: listingId,
      intent_id: intentId,
      amount,
      late,
      paid_at: meta.at,
    };
  },
};

export const bookings: DeclaredProjection = {
  name: 'bookings',
  fold: 1,
  tables: [bookingRows, paidAttemptRows],
};
