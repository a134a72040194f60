import type { TurnedAway } from '#domain/admission/events.ts';
import { obstacle } from '#domain/admission/obstacle.ts';
import { admits, type Entry, entryThatUsedUp } from '#domain/admission/state.ts';
import type { Ticket } from '#domain/admission/ticket-token.ts';
import type { DoorDay, KeptEvent } from '#domain/contracts/tickets.ts';

/** A scan as a device keeps it, to be sent and so that no code admits twice meanwhile. */
export interface KeptScan {
  readonly scanId: string;
  readonly token: string;
  readonly bookingId: number;
  readonly page: number;
  /** How many people were let in; 0 if it was refused. */
  readonly admitted: number;
  readonly why: TurnedAway | 'TICKET_USED' | null;
  readonly gate: string | null;
  /** When it was by the server's clock, as far as the device knew that, in milliseconds since 1970. */
  readonly at: number;
  /** Whether the server knows of it. It stays until the list of tickets says so too. */
  readonly sent: boolean;
}

/** What a gate without a network answers. */
export interface OfflineVerdict {
  /** The ticket's event, if the list has it. */
  readonly event: KeptEvent | undefined;
  /** For how many people the booking is. */
  readonly quantity: number;
  /** How many people may come in. */
  readonly admitted: number;
  /** Why nobody may. */
  readonly why: TurnedAway | 'TICKET_USED' | null;
  /** The scan that used the code up, if one did. */
  readonly first: Pick<Entry, 'at' | 'gate'> | undefined;
  /** Whether the booking is in the list. It is not if it was made after that. */
  readonly listed: boolean;
}

/** No ticket is refused for a device's clock, which may be wrong. */
const NO_TIME = new Date(0);

/**
 * Decides a scan of a genuine ticket without a network, by the list of the day and the device's own scans: the rules of the door, as far
 * as a device can know. A booking that was made after the list is let in, since only this site signs tickets.
 * @param eventId the event that the gate is for; undefined for any
 * @returns undefined if nobody can know: the gate is for any event, and the list does not have the ticket's
 */
export const decideOffline = (
  { events }: Pick<DoorDay, 'events'>,
  scans: readonly KeptScan[],
  ticket: Ticket,
  eventId: number | undefined,
): OfflineVerdict | undefined => {
  const { bookingId, page, listingId } = ticket;
  const event = events.find(({ id }) => id === listingId);
  if (!event && eventId === undefined) return undefined;
  const [, quantity = ticket.quantity, epoch = ticket.epoch] =
    event?.tickets.find(([id]) => id === bookingId) ?? [];
  const verdict = {
    ...{ event, quantity, admitted: 0, first: undefined },
    listed: !!event?.tickets.some(([id]) => id === bookingId),
  };
  if (!event || (eventId !== undefined && eventId !== listingId))
    return { ...verdict, why: 'TICKET_WRONG_EVENT' };
  const status = event.refunded.includes(bookingId)
    ? 'refunded'
    : event.cancelled.includes(bookingId)
      ? 'cancelled'
      : 'confirmed';
  const why =
    obstacle(ticket, { status, epoch, startsAt: event.startsAt }, NO_TIME) ??
    // A list that was made by an older release does not say it.
    (event.disputed?.includes(bookingId) ? 'TICKET_DISPUTED' : undefined);
  if (why) return { ...verdict, why };

  const by = { id: '' };
  const listed = event.entries.filter((entry) => entry.bookingId === bookingId);
  const known = new Set(listed.map((entry) => entry.page));
  const own = scans.filter(
    (scan) => scan.bookingId === bookingId && scan.admitted > 0 && !known.has(scan.page),
  );
  const entries: readonly Entry[] = [
    ...listed.map((entry) => ({ ...entry, by, scanId: null })),
    ...own.map(({ page, admitted, gate, at, scanId }) => ({
      ...{ page, quantity: admitted, gate, by, at: new Date(at).toISOString(), scanId },
    })),
  ];
  const admitted = admits({ entries }, page, quantity);
  return admitted > 0
    ? { ...verdict, admitted, why: null }
    : { ...verdict, why: 'TICKET_USED', first: entryThatUsedUp({ entries }, page) };
};
