import { typesOf } from '#domain/kernel/event.ts';
import { type WaitingEvent, waitingEvents } from '#domain/waiting/events.ts';
import { waiterTable } from '#infra/read-models/tables.ts';
import type { DeclaredProjection, Projected } from '#projector/engine/projection.ts';

const waiterRows: Projected<typeof waiterTable, WaitingEvent> = {
  table: waiterTable,
  types: typesOf(waitingEvents),
  keys: ({ event: { data } }) => [[data.listingId, data.userId]],
  fold: (_row, { event: { type, data }, meta }) =>
    type === 'WaitingListJoined'
      ? { listing_id: data.listingId, user_id: data.userId, since: meta.at }
      : undefined,
};

export const waiters: DeclaredProjection = { name: 'waiters', fold: 1, tables: [waiterRows] };
