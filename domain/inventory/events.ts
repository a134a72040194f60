import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

export type ReleaseReason = 'expired' | 'repriced' | 'abandoned' | 'refused' | 'erased';

/** Stream `inventory-{listingId}`: alone decides whether tickets are left. */
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
  /** With a `quantity` of 0, it only makes a late hold fail. */
  HoldReleased: defineEvent<{
    listingId: number;
    attempt: string;
    quantity: number;
    why: ReleaseReason;
    at: string;
  }>()({ audit: null, work: true }),
  /** `held` is false for a late payment without a hold. */
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
  TicketsRetaken: defineEvent<{ listingId: number; bookingId: number; userId: string; quantity: number }>()({
    audit: null,
    work: false,
  }),
  RetakeGivenUp: defineEvent<{
    listingId: number;
    bookingId: number;
    userId: string;
    quantity: number;
    withdrawal: number;
  }>()({ audit: null, work: false }),
  SalesClosed: defineEvent<{ listingId: number; why: 'archived' | 'started' }>()({ audit: null, work: true }),
};
export type InventoryEvent = EventOf<typeof inventoryEvents>;
