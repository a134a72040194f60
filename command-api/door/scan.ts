import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { Purchases } from '#command-api/purchase/purchases.ts';
import { account } from '#domain/account/account.ts';
import { nameOf } from '#domain/account/state.ts';
import { admission } from '#domain/admission/admission.ts';
import { type Entrance, TURNED_AWAY, type TurnedAway } from '#domain/admission/events.ts';
import { obstacle } from '#domain/admission/obstacle.ts';
import { admittedCount, verdict } from '#domain/admission/state.ts';
import { booking } from '#domain/booking/booking.ts';
import {
  type AdmitRequest,
  type OfflineOutcome,
  type OfflineScan,
  type ScanRequest,
  type ScanResult,
  ticketTokenOf,
} from '#domain/contracts/tickets.ts';
import { type ErrorCode, errors } from '#domain/kernel/errors.ts';
import { orElse } from '#domain/kernel/personal.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { sayInstant, sayLongDate, toWallClock, yearAt } from '#domain/kernel/zone.ts';
import { listing } from '#domain/listing/listing.ts';
import { isOver } from '#domain/listing/state.ts';
import { venue } from '#domain/place/venue.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';

export interface ScanDeps extends Pick<CommandDeps, 'handler' | 'clock' | 'replies'> {
  readonly signer: TicketSigner;
  /** For display only: may be slightly out of date. */
  readonly purchases: Pick<Purchases, 'readings'>;
}

const refused = (code: ErrorCode, known: Partial<ScanResult> = {}): ScanResult => ({
  valid: false,
  scanned: false,
  error: errors[code].message,
  code,
  event: null,
  quantity: 1,
  user: null,
  booking: null,
  validationDetails: [],
  scannedAt: null,
  scannedBy: null,
  ...known,
});

const lookUp = async ({ handler, purchases: { readings } }: ScanDeps, bookingId: number) => {
  const { state: booked } = await handler.state(booking, bookingId);
  const { facts } = booked;
  if (!facts) return undefined;
  const { details, schedule } = await readings.read(listing, facts.listingId);
  if (!details || !schedule) return undefined;
  const [place, owner] = await Promise.all([
    readings.read(venue, details.venueId),
    readings.read(account, facts.userId),
  ]);
  return { booked, facts, details, schedule, place, owner };
};

const isTurnedAway = (code: ErrorCode): code is TurnedAway => TURNED_AWAY.some((one) => one === code);

const staffName = async ({ purchases }: ScanDeps, accountId: string): Promise<string> =>
  nameOf(await purchases.readings.read(account, accountId)) || 'Door staff';

const read = async (deps: ScanDeps, scanned: string) => {
  const ticket = deps.signer.verify(ticketTokenOf(scanned));
  const found = ticket && (await lookUp(deps, ticket.bookingId));
  return found && found.facts.listingId === ticket.listingId ? { ...found, ticket } : undefined;
};

type Found = NonNullable<Awaited<ReturnType<typeof read>>>;

type Asked = Pick<ScanRequest, 'eventId' | 'gate' | 'scanId'> & { readonly how?: Entrance };

const decide = async (
  deps: ScanDeps,
  { ticket, ...found }: Found,
  request: Asked,
  by: string,
  acting: ActingHandler,
): Promise<ScanResult> => {
  const { at } = acting.context;
  const { booked, facts, details, schedule, place, owner } = found;
  const isToday =
    toWallClock(at, schedule.zone).date === schedule.date ||
    (at >= schedule.startsAt && !isOver(schedule, new Date(at)));
  const notes = [
    `Reference ${facts.reference}`,
    ticket.page === 1 ? `For the whole party of ${facts.quote.quantity}` : 'For one person of the party',
    ...(isToday ? [] : [`Not today: this ticket is for ${sayLongDate(schedule.date)}`]),
  ];
  const known = {
    event: {
      id: ticket.listingId,
      title: details.title,
      venue: place.details?.name ?? '',
      date: schedule.date,
      time: schedule.time,
    },
    quantity: ticket.page === 1 ? facts.quote.quantity : 1,
    user: { email: orElse(owner.email, 'Deleted account') },
    booking: { id: facts.bookingId, reference: facts.reference },
    validationDetails: notes,
  };
  const { bookingId, userId, listingId } = facts;
  const shown = {
    ...{ bookingId, listingId, page: ticket.page },
    ...{ gate: request.gate ?? null, by: { id: by }, at },
  };
  const turnAway = async (why: TurnedAway) => {
    const command = { type: 'TurnAway', ...shown, why } as const;
    await acting.do(admission, bookingId, command);
    return refused(why, known);
  };
  const { status, epoch } = booked;
  const why =
    request.eventId && request.eventId !== ticket.listingId
      ? 'TICKET_WRONG_EVENT'
      : obstacle(ticket, { status, epoch, startsAt: schedule.startsAt }, new Date(at));
  if (why) return turnAway(why);

  const scanId = request.scanId ?? null;
  const { quantity } = facts.quote;
  const how = request.how ? { how: request.how } : {};
  const admit = { type: 'Admit', ...shown, userId, quantity, scanId, ...how } as const;
  const outcome = await acting.ask(admission, bookingId, admit);
  if (!outcome.ok) {
    const { rejected } = outcome.rejection;
    return isTurnedAway(rejected) ? turnAway(rejected) : refused(rejected, known);
  }
  const told = verdict(outcome.state, outcome.events, { page: ticket.page, by: { id: by }, scanId });
  if (!told?.valid) {
    const first = told?.first;
    const name = first ? await staffName(deps, first.by.id) : null;
    const when = first ? sayInstant(first.at, schedule.zone, yearAt(at)) : '';
    const error = first ? `Already scanned at ${when} by ${name}` : errors.TICKET_USED.message;
    return refused('TICKET_USED', { ...known, error, scannedAt: first?.at ?? null, scannedBy: name });
  }
  const inside = admittedCount(outcome.state);
  return {
    ...known,
    valid: true,
    scanned: true,
    error: null,
    code: null,
    quantity: told.quantity,
    validationDetails: [...notes, `${inside} of ${quantity} inside`],
    scannedAt: outcome.state.entries.find(({ page }) => page === ticket.page)?.at ?? at,
    scannedBy: await staffName(deps, by),
  };
};

export const scan = async (
  deps: ScanDeps,
  request: ScanRequest,
  by: string,
  acting: ActingHandler,
): Promise<ScanResult> => {
  const found = await read(deps, request.encryptedData);
  return found ? decide(deps, found, request, by, acting) : refused('TICKET_FORGED');
};

/**
 * Admits a guest without a code, as the whole party's code would.
 * @throws Refusal BOOKING_NOT_FOUND
 */
export const admit = async (
  deps: ScanDeps,
  { bookingId, ...request }: AdmitRequest,
  by: string,
  acting: ActingHandler,
): Promise<ScanResult> => {
  const found = await lookUp(deps, bookingId);
  if (!found) throw new Refusal('BOOKING_NOT_FOUND');
  const { booked, facts } = found;
  const { listingId, quantity } = { ...facts, ...facts.quote };
  const ticket = { bookingId, page: 1, listingId, quantity, epoch: booked.epoch, expiresAt: 0 };
  return decide(deps, { ...found, ticket }, { ...request, how: 'search' }, by, acting);
};

/** Milliseconds since 1970. */
interface Sent {
  readonly by: string;
  readonly received: number;
}

const recordOne = async (
  deps: ScanDeps,
  { encryptedData, scanId, ago, admitted, ...said }: OfflineScan,
  { by, received }: Sent,
  acting: ActingHandler,
): Promise<OfflineOutcome> => {
  const found = await read(deps, encryptedData);
  if (!found) return { scanId, outcome: 'unknown' };
  const { ticket, booked, facts, schedule } = found;
  const { bookingId, userId, listingId } = facts;
  const at = new Date(received - ago).toISOString();
  const { status, epoch } = booked;
  const why =
    admitted === 0
      ? (said.why ?? 'TICKET_USED')
      : (obstacle(ticket, { status, epoch, startsAt: schedule.startsAt }, new Date(at)) ?? null);
  const outcome = await acting.ask(admission, bookingId, {
    type: 'RecordOffline',
    ...{ bookingId, userId, listingId, page: ticket.page, quantity: facts.quote.quantity },
    ...{ admitted, why, scanId, gate: said.gate ?? null, by: { id: by }, at },
  });
  if (!outcome.ok) return { scanId, outcome: 'unknown' };
  return { scanId, outcome: outcome.state.conflicts.includes(scanId) ? 'conflict' : 'recorded' };
};

export const recordOffline = async (
  deps: ScanDeps,
  scans: readonly OfflineScan[],
  sent: Sent,
  acting: ActingHandler,
): Promise<readonly OfflineOutcome[]> => {
  const outcomes: OfflineOutcome[] = [];
  // In sequence: two scans may be of the same ticket.
  for (const one of scans.toSorted((a, b) => b.ago - a.ago))
    outcomes.push(await recordOne(deps, one, sent, acting));
  return outcomes;
};
