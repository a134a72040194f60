import { type EventOf, plain } from '#domain/kernel/personal.ts';

/** Why a hold ended without a sale. */
export type ReleaseReason = 'expired' | 'repriced' | 'abandoned' | 'refused' | 'erased';

/** The events of `inventory-{listingId}`, the only stream that decides whether a ticket is left. */
export const inventoryEvents = {
  InventoryOpened: plain<{ listingId: number; capacity: number }>(),
  CapacityChanged: plain<{ listingId: number; capacity: number }>(),
  /** `until` is an ISO instant. A hold ends only by an event, never by itself. */
  TicketsHeld: plain<{
    listingId: number;
    attempt: string;
    bookingId: number;
    userId: string;
    quantity: number;
    until: string;
  }>(),
  /** `quantity` is 0 if the attempt held nothing: the event then only makes a late hold be refused. */
  HoldReleased: plain<{
    listingId: number;
    attempt: string;
    quantity: number;
    why: ReleaseReason;
    at: string;
  }>(),
  /** `held` says whether the tickets were held; if not, they were taken for a late payment. */
  TicketsSold: plain<{
    listingId: number;
    attempt: string;
    bookingId: number;
    userId: string;
    quantity: number;
    held: boolean;
  }>(),
  TicketsReturned: plain<{ listingId: number; bookingId: number; quantity: number }>(),
  /** A reinstated booking took tickets again. */
  TicketsRetaken: plain<{ listingId: number; bookingId: number; userId: string; quantity: number }>(),
  /** There were no tickets for a booking that was to be reinstated. The tickets of that try can't be taken any more. */
  RetakeGivenUp: plain<{
    listingId: number;
    bookingId: number;
    userId: string;
    quantity: number;
    withdrawal: number;
  }>(),
  /** From here on holds and sales are refused. */
  SalesClosed: plain<{ listingId: number; why: 'archived' | 'started' }>(),
};
export type InventoryEvent = EventOf<typeof inventoryEvents>;
