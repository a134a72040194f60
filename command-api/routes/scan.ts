import type { CommandDeps } from '#command-api/deps.ts';
import type { ActingLane } from '#command-api/lane/lane.ts';
import type { Purchases } from '#command-api/purchase/purchases.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { account } from '#domain/account/account.ts';
import { admission } from '#domain/admission/admission.ts';
import { TURNED_AWAY, type TurnedAway } from '#domain/admission/events.ts';
import { obstacle } from '#domain/admission/obstacle.ts';
import { admittedCount, verdict } from '#domain/admission/state.ts';
import type { Ticket } from '#domain/admission/ticket-token.ts';
import { booking } from '#domain/booking/booking.ts';
import { type ScanRequest, type ScanResult, ticketCalls, ticketTokenOf } from '#domain/contracts/tickets.ts';
import { type ErrorCode, errors } from '#domain/errors.ts';
import { listing } from '#domain/listing/listing.ts';
import { orElse } from '#domain/personal.ts';
import { venue } from '#domain/place/venue.ts';
import { sayInstant, sayLongDate, toWallClock } from '#domain/zone.ts';
import type { App } from '#infra/http/server.ts';
import type { TicketSigner } from '#infra/tickets/ticket-signer.ts';

/** What a scan needs. */
export interface ScanDeps extends Pick<CommandDeps, 'lane' | 'clock' | 'replies'> {
  readonly signer: TicketSigner;
  /** Reads what is only shown, such as titles and names: it may be a moment old. */
  readonly purchases: Pick<Purchases, 'readings'>;
}

/** A result that admits nobody. Without `known`, of a code that is no ticket of this site. */
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

/** The booking as the log has it now, and what the answer shows of it. */
const lookUp = async ({ lane, purchases: { readings } }: ScanDeps, ticket: Ticket) => {
  const [{ state: booked }, listed] = await Promise.all([
    lane.state(booking, ticket.bookingId),
    readings.read(listing, ticket.listingId),
  ]);
  const { facts } = booked;
  const { details, schedule } = listed;
  if (!facts || !details || !schedule || facts.listingId !== ticket.listingId) return undefined;
  const [place, owner] = await Promise.all([
    readings.read(venue, details.venueId),
    readings.read(account, facts.userId),
  ]);
  return { booked, facts, details, schedule, place, owner };
};

const isTurnedAway = (code: ErrorCode): code is TurnedAway => TURNED_AWAY.some((one) => one === code);

const staffName = async ({ purchases }: ScanDeps, accountId: string): Promise<string> => {
  const state = await purchases.readings.read(account, accountId);
  const name = [orElse(state.firstName, ''), orElse(state.lastName, '')].filter(Boolean).join(' ');
  return name || 'Door staff';
};

/** Decides a scan. A refused ticket is an answer like any other, not an error. */
const scan = async (
  deps: ScanDeps,
  request: ScanRequest,
  by: string,
  acting: ActingLane,
): Promise<ScanResult> => {
  const { at } = acting.context;
  const token = ticketTokenOf(request.encryptedData);
  const ticket = deps.signer.verify(token);
  if (!ticket) return refused('TICKET_FORGED');
  const found = await lookUp(deps, ticket);
  if (!found) return refused('TICKET_FORGED');

  const { booked, facts, details, schedule, place, owner } = found;
  const today = toWallClock(at, schedule.zone).date;
  const notes = [
    `Reference ${facts.reference}`,
    ticket.page === 1 ? `For the whole party of ${facts.quote.quantity}` : 'For one person of the party',
    ...(schedule.date === today ? [] : [`Not today: this ticket is for ${sayLongDate(schedule.date)}`]),
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
  const admit = { type: 'Admit', ...shown, userId, quantity, scanId } as const;
  const outcome = await acting.ask(admission, bookingId, admit);
  if (!outcome.ok) {
    const { rejected } = outcome.rejection;
    return isTurnedAway(rejected) ? turnAway(rejected) : refused(rejected, known);
  }
  const told = verdict(outcome.state, outcome.events, { page: ticket.page, by: { id: by }, scanId });
  if (!told?.valid) {
    const first = told?.first;
    const name = first ? await staffName(deps, first.by.id) : null;
    const when = first ? sayInstant(first.at, schedule.zone) : '';
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

/** The scanner's one change. */
export const scanRoutes = (app: App, deps: ScanDeps): void => {
  const change = changesOn(app, deps);

  change(ticketCalls.scan, ({ body, principal }, { acting }) =>
    scan(deps, body, principal.accountId, acting),
  );
};
