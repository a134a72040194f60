import type { TurnedAway } from '#domain/admission/events.ts';
import { obstacle } from '#domain/admission/obstacle.ts';
import { admits, type Entry, entryThatUsedUp } from '#domain/admission/state.ts';
import type { Ticket } from '#domain/admission/ticket-token.ts';
import type { DoorDay, KeptEvent } from '#domain/contracts/tickets.ts';

export interface KeptScan {
  readonly scanId: string;
  readonly token: string;
  readonly bookingId: number;
  readonly page: number;
  readonly admitted: number;
  readonly why: TurnedAway | 'TICKET_USED' | null;
  readonly gate: string | null;
  /** Estimated server time of the scan, in milliseconds. */
  readonly at: number;
  /** Recorded by the server, but kept until the ticket list includes it. */
  readonly sent: boolean;
}

export interface OfflineVerdict {
  readonly event: KeptEvent | undefined;
  readonly quantity: number;
  readonly admitted: number;
  readonly why: TurnedAway | 'TICKET_USED' | null;
  readonly first: Pick<Entry, 'at' | 'gate'> | undefined;
  readonly listed: boolean;
}

const NO_TIME = new Date(0);

/**
 * Admits a booking made after the list, since only this site signs tickets.
 * @param eventId the gate's event; undefined for any
 * @returns undefined if the gate accepts any event and the list lacks the ticket's
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
