import { type DisputeEvent, disputeEvents } from '#domain/dispute/events.ts';
import { typesOf } from '#domain/kernel/event.ts';
import { disputeTable } from '#infra/read-models/tables.ts';
import { type DeclaredProjection, expectRow, type Projected } from '#projector/engine/projection.ts';

const disputeRows: Projected<typeof disputeTable, DisputeEvent> = {
  table: disputeTable,
  types: typesOf(disputeEvents),
  keys: ({ event }) => [event.data.disputeId],
  fold: (row, applied) => {
    const { event, meta } = applied;
    if (event.type === 'DisputeClosed')
      return { ...expectRow(row, applied), outcome: event.data.outcome, closed_at: meta.at };
    const { disputeId, bookingId, userId, listingId, amount, reason, dueBy, openedAt, inquiry } = event.data;
    return {
      id: disputeId,
      booking_id: bookingId,
      user_id: userId,
      listing_id: listingId,
      amount,
      reason,
      outcome: null,
      inquiry: inquiry ?? false,
      opened_at: openedAt,
      due_by: dueBy,
      closed_at: null,
    };
  },
};

export const disputes: DeclaredProjection = { name: 'disputes', fold: 1, tables: [disputeRows] };
