import type { BookingState } from '#domain/booking/state.ts';
import type { TurnedAway } from './events.ts';
import { isExpired, type Ticket } from './ticket-token.ts';

/** Ignores earlier scans and disputes. `startsAt` is the current start, an ISO instant. */
export const obstacle = (
  ticket: Pick<Ticket, 'epoch' | 'expiresAt'>,
  booked: Pick<BookingState, 'status' | 'epoch'> & { readonly startsAt: string },
  now: Date,
): Exclude<TurnedAway, 'TICKET_WRONG_EVENT' | 'TICKET_DISPUTED'> | undefined => {
  if (booked.status === 'refunded') return 'TICKET_REFUNDED';
  if (booked.status !== 'confirmed') return 'TICKET_CANCELLED';
  if (ticket.epoch < booked.epoch) return 'TICKET_REISSUED';
  return isExpired(ticket, booked.startsAt, now) ? 'TICKET_EXPIRED' : undefined;
};
