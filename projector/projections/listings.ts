import { type InventoryEvent, inventoryEvents } from '#domain/inventory/events.ts';
import { typesOf } from '#domain/kernel/event.ts';
import { type ListingEvent, listingEvents } from '#domain/listing/events.ts';
import { searchWords } from '#infra/read-models/search.ts';
import type { RowOf } from '#infra/read-models/table.ts';
import { inventoryTable, listingTable } from '#infra/read-models/tables.ts';
import { type Applied, expectRow, type Projected } from '#projector/engine/projection.ts';

type ListingRow = RowOf<typeof listingTable>;
type InventoryRow = RowOf<typeof inventoryTable>;

type ListingCreated = Extract<ListingEvent, { type: 'ListingCreated' | 'ListingEdited' }>['data'];

const details = (data: ListingCreated, before?: ListingRow) => ({
  title: data.title,
  description: data.description,
  category: data.category,
  city_id: data.cityId,
  venue_id: data.venueId,
  location: data.location,
  price: data.price,
  image_url: data.imageUrl,
  tags: data.tags,
  // Keep unknown extras: a newer program need not rebuild.
  extras: { ...before?.extras, ...data.extras },
  names: searchWords(data.title, ...data.tags),
  words: searchWords(data.description),
});

const change = (row: ListingRow, { event, meta }: Applied<ListingEvent>): ListingRow => {
  const next = { ...row, updated_at: meta.at };
  switch (event.type) {
    case 'ListingCreated':
      return row;
    case 'ListingEdited':
      return { ...next, ...details(event.data, row) };
    case 'ListingRescheduled': {
      const { date, time, zone, startsAt, from } = event.data;
      const former = new Set(row.moved_from);
      // Customers were not notified of a zone correction alone.
      if (from.date !== date || from.time !== time) former.add(from.startsAt);
      former.delete(startsAt);
      return { ...next, date, time, zone, starts_at: startsAt, moved_from: [...former] };
    }
    case 'ListingFeatured':
      return { ...next, featured: event.data.featured };
    case 'ListingActivated':
      return { ...next, is_active: true };
    case 'ListingDeactivated':
      return { ...next, is_active: false };
    case 'ListingArchived':
      return { ...next, archived: true, is_active: false };
  }
};

export const listings: Projected<typeof listingTable, ListingEvent> = {
  table: listingTable,
  types: typesOf(listingEvents),
  keys: ({ event }) => [event.data.listingId],
  fold: (row, applied) => {
    const { event, meta } = applied;
    if (event.type !== 'ListingCreated') return change(expectRow(row, applied), applied);
    const { listingId, featured, date, time, zone, startsAt } = event.data;
    return {
      id: listingId,
      ...details(event.data),
      featured,
      is_active: true,
      archived: false,
      date,
      time,
      zone,
      starts_at: startsAt,
      moved_from: [],
      created_at: meta.at,
      updated_at: meta.at,
    };
  },
};

const count = (row: InventoryRow, event: InventoryEvent): InventoryRow => {
  switch (event.type) {
    case 'InventoryOpened':
      return row;
    case 'CapacityChanged':
      return { ...row, capacity: event.data.capacity };
    case 'TicketsHeld':
      return { ...row, held: row.held + event.data.quantity };
    case 'HoldReleased':
      return { ...row, held: row.held - event.data.quantity };
    case 'TicketsSold':
      return {
        ...row,
        sold: row.sold + event.data.quantity,
        held: event.data.held ? row.held - event.data.quantity : row.held,
      };
    case 'TicketsReturned':
      return { ...row, sold: row.sold - event.data.quantity };
    case 'TicketsRetaken':
      return { ...row, sold: row.sold + event.data.quantity };
    case 'RetakeGivenUp':
      return row;
    case 'SalesClosed':
      return { ...row, closed: event.data.why };
  }
};

export const inventory: Projected<typeof inventoryTable, InventoryEvent> = {
  table: inventoryTable,
  types: typesOf(inventoryEvents),
  keys: ({ event }) => [event.data.listingId],
  fold: (row, applied) => {
    const { event } = applied;
    if (event.type !== 'InventoryOpened') return count(expectRow(row, applied), event);
    return {
      listing_id: event.data.listingId,
      capacity: event.data.capacity,
      sold: 0,
      held: 0,
      closed: null,
    };
  },
};
