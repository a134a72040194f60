import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

/** Why a hold ended without a sale. */
export type ReleaseReason = 'expired' | 'repriced' | 'abandoned' | 'refused' | 'erased';

/** The events of `inventory-{listingId}`, the only stream that decides whether a ticket is left. */
export const inventoryEvents = {
  InventoryOpened: defineEvent<{ listingId: number; capacity: number }>()({ audit: null, work: false }),
  CapacityChanged: defineEvent<{ listingId: number; capacity: number }>()({
    audit: ['update', 'event', ({ capacity }) => `Capacity is now ${capacity}`],
    work: true,
  }),
  /** `until` is an ISO instant. A hold ends only by an event, never by itself. */
  TicketsHeld: defineEvent<{
    listingId: number;
    attempt: string;
    bookingId: number;
    userId: string;
    quantity: number;
    until: string;
  }>()({ audit: null, work: false }),
  /** `quantity` is 0 if the attempt held nothing: the event then only makes a late hold be refused. */
  HoldReleased: defineEvent<{
    listingId: number;
    attempt: string;
    quantity: number;
    why: ReleaseReason;
    at: string;
  }>()({ audit: null, work: true }),
  /** `held` says whether the tickets were held; if not, they were taken for a late payment. */
  TicketsSold: defineEvent<{
    listingId: number;
    attempt: string;
    bookingId: number;
    userId: string;
    quantity: number;
    held: boolean;
  }>()({ audit: null, work: false }),
  TicketsReturned: defineEvent<{ listingId: number; bookingId: number; quantity: number }>()({
    audit: null,
    work: true,
  }),
  /** A reinstated booking took tickets again. */
  TicketsRetaken: defineEvent<{ listingId: number; bookingId: number; userId: string; quantity: number }>()({
    audit: null,
    work: false,
  }),
  /** There were no tickets for a booking that was to be reinstated. The tickets of that try can't be taken any more. */
  RetakeGivenUp: defineEvent<{
    listingId: number;
    bookingId: number;
    userId: string;
    quantity: number;
    withdrawal: number;
  }>()({ audit: null, work: false }),
  /** From here on holds and sales are refused. */
  SalesClosed: defineEvent<{ listingId: number; why: 'archived' | 'started' }>()({ audit: null, work: true }),
};
export type InventoryEvent = EventOf<typeof inventoryEvents>;
