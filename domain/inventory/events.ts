import { type EventOf, plain } from '#domain/personal.ts';

/** Why a hold ended without a sale. */
export type ReleaseReason = 'expired' | 'repriced' | 'abandoned' | 'refused' | 'erased';

/** Events of `inventory-{listingId}`: the hot stream, and the only place that decides whether a ticket is left. */
export const inventoryEvents = {
  InventoryOpened: plain<{ listingId: number; capacity: number }>(),
  CapacityChanged: plain<{ listingId: number; capacity: number }>(),
  /** `until`: ISO instant. A hold ends only by an event, never by a clock. */
  TicketsHeld: plain<{
    listingId: number;
    attempt: string;
    bookingId: number;
    userId: string;
    quantity: number;
    until: string;
  }>(),
  /** `quantity` is 0 when the attempt held nothing: the release then only keeps a late hold out. */
  HoldReleased: plain<{
    listingId: number;
    attempt: string;
    quantity: number;
    why: ReleaseReason;
    at: string;
  }>(),
  /** `held` tells a sale out of a hold from tickets that were taken again for late money. */
  TicketsSold: plain<{
    listingId: number;
    attempt: string;
    bookingId: number;
    userId: string;
    quantity: number;
    held: boolean;
  }>(),
  TicketsReturned: plain<{ listingId: number; bookingId: number; quantity: number }>(),
  /** An administrator's cancelled → confirmed took tickets again. */
  TicketsRetaken: plain<{ listingId: number; bookingId: number; userId: string; quantity: number }>(),
  /** From here holds and sales are refused. */
  SalesClosed: plain<{ listingId: number; why: 'archived' | 'started' }>(),
};
export type InventoryEvent = EventOf<typeof inventoryEvents>;
