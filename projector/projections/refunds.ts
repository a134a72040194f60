import { typesOf } from '#domain/kernel/event.ts';
import { type RefundEvent, refundEvents } from '#domain/refund/events.ts';
import type { RowOf } from '#infra/read-models/table.ts';
import { refundTable } from '#infra/read-models/tables.ts';
import {
  type Applied,
  type DeclaredProjection,
  expectRow,
  type Projected,
  sealedText,
} from '#projector/engine/projection.ts';

type RefundRow = RowOf<typeof refundTable>;

const change = (row: RefundRow, applied: Applied<RefundEvent>): RefundRow => {
  const { event, meta } = applied;
  switch (event.type) {
    case 'RefundRequested':
      return row;
    case 'RefundApproved': {
      const { amount, by } = event.data;
      return {
        ...row,
        status: 'approved',
        amount,
        notes: sealedText(applied, 'notes'),
        decided_by: by,
        decided_at: meta.at,
        denial_reason: null,
        failure: null,
      };
    }
    case 'RefundDenied':
      return {
        ...row,
        status: 'denied',
        denial_reason: sealedText(applied, 'reason'),
        decided_by: event.data.by,
        decided_at: meta.at,
      };
    case 'RefundReset':
      return {
        ...row,
        status: 'requested',
        decided_by: null,
        decided_at: null,
        denial_reason: null,
        notes: null,
        failure: null,
      };
    case 'RefundSubmitted': {
      const { attempt, amount } = event.data;
      return { ...row, status: 'submitted', attempt, amount, submitted_at: meta.at, failure: null };
    }
    case 'RefundSucceeded': {
      const { attempt, amount, providerRefundId, byHand = 0 } = event.data;
      return {
        ...row,
        status: 'succeeded',
        attempt,
        amount,
        provider_refund_id: providerRefundId,
        by_hand: byHand,
        failure: null,
        completed_at: meta.at,
      };
    }
    case 'RefundFailed': {
      const { attempt, providerRefundId, why } = event.data;
      const gone = { provider_refund_id: providerRefundId, by_hand: 0 };
      return { ...row, status: 'failed', attempt, ...gone, failure: why };
    }
  }
};

const refundRows: Projected<typeof refundTable, RefundEvent> = {
  table: refundTable,
  types: typesOf(refundEvents),
  keys: ({ event }) => [event.data.bookingId],
  fold: (row, applied) => {
    const { event, meta } = applied;
    if (event.type !== 'RefundRequested') return change(expectRow(row, applied), applied);
    const { bookingId, userId, listingId, intentId, amount, paid, processingType } = event.data;
    return {
      booking_id: bookingId,
      user_id: userId,
      listing_id: listingId,
      intent_id: intentId,
      amount,
      paid,
      reason: sealedText(applied, 'reason'),
      processing_type: processingType,
      status: 'requested',
      decided_by: null,
      notes: null,
      denial_reason: null,
      attempt: 0,
      provider_refund_id: null,
      by_hand: 0,
      failure: null,
      requested_at: meta.at,
      decided_at: null,
      submitted_at: null,
      completed_at: null,
    };
  },
};

export const refunds: DeclaredProjection = { name: 'refunds', fold: 1, tables: [refundRows] };
