import { TICKET_LIFETIME_AFTER_START } from '#domain/admission/ticket-token.ts';
import { sayLongDate, sayTime } from '#domain/kernel/zone.ts';
import type { ListingExtras } from '#domain/listing/extras.ts';
import type { Reader, TicketPrinter } from './printer.ts';
import type { TicketDocument } from './ticket-pdf.ts';
import type { TicketSigner } from './ticket-signer.ts';

export interface TicketFacts {
  readonly bookingId: number;
  readonly reference: string;
  readonly listingId: number;
  readonly quantity: number;
  readonly epoch: number;
  readonly title: string;
  readonly venue: string;
  readonly location: string;
  readonly date: string;
  readonly time: string;
  readonly startsAt: string;
  readonly holder: string | null;
  readonly extras: ListingExtras;
}

export const ticketLinks = (
  facts: Pick<TicketFacts, 'bookingId' | 'listingId' | 'quantity' | 'epoch' | 'startsAt'>,
  signer: TicketSigner,
  baseUrl: string,
): readonly string[] =>
  Array.from({ length: facts.quantity }, (_, index) => {
    const token = signer.sign({
      bookingId: facts.bookingId,
      page: index + 1,
      listingId: facts.listingId,
      quantity: facts.quantity,
      epoch: facts.epoch,
      expiresAt: Math.floor((Date.parse(facts.startsAt) + TICKET_LIFETIME_AFTER_START) / 1000),
    });
    return `${baseUrl}/T/${token}`.toUpperCase();
  });

export interface TicketMakers {
  readonly signer: TicketSigner;
  readonly printer: TicketPrinter;
  readonly baseUrl: string;
  readonly siteName: string;
}

export const ticketsOf = (facts: TicketFacts, from: TicketMakers, reader: Reader): Promise<Buffer> => {
  const document: TicketDocument = {
    siteName: from.siteName,
    title: facts.title,
    venue: facts.venue,
    address: facts.location,
    date: sayLongDate(facts.date),
    time: sayTime(facts.time),
    lastEntry: facts.extras.lastEntry && sayTime(facts.extras.lastEntry),
    quantity: facts.quantity,
    reference: facts.reference,
    holder: facts.holder,
    links: ticketLinks(facts, from.signer, from.baseUrl),
  };
  return from.printer.print(document, reader);
};
