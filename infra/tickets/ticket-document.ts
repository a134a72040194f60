import { pagesOf, TICKET_LIFETIME_AFTER_START } from '#domain/admission/ticket-token.ts';
import { sayLongDate, sayTime } from '#domain/zone.ts';
import { type TicketDocument, ticketPdf } from './ticket-pdf.ts';
import type { TicketSigner } from './ticket-signer.ts';

/** What a booking's tickets are made of, wherever it was read. */
export interface TicketFacts {
  readonly bookingId: number;
  readonly reference: string;
  readonly listingId: number;
  readonly quantity: number;
  readonly epoch: number;
  readonly title: string;
  readonly venue: string;
  readonly location: string;
  /** Wall clock at the venue. */
  readonly date: string;
  readonly time: string;
  /** ISO instant. */
  readonly startsAt: string;
  readonly holder: string | null;
}

/** The links behind a booking's codes, the party's first. The same facts give the same links. */
export const ticketLinks = (facts: TicketFacts, signer: TicketSigner, baseUrl: string): readonly string[] =>
  Array.from({ length: pagesOf(facts.quantity) }, (_, index) => {
    const token = signer.sign({
      bookingId: facts.bookingId,
      page: index + 1,
      listingId: facts.listingId,
      quantity: facts.quantity,
      epoch: facts.epoch,
      expiresAt: Math.floor((Date.parse(facts.startsAt) + TICKET_LIFETIME_AFTER_START) / 1000),
    });
    return `${baseUrl}/verify-ticket/${token}`;
  });

/** Draws a booking's tickets, with codes that the door takes. */
export const ticketsOf = (
  facts: TicketFacts,
  from: { readonly signer: TicketSigner; readonly baseUrl: string; readonly siteName: string },
): Promise<Buffer> => {
  const document: TicketDocument = {
    siteName: from.siteName,
    title: facts.title,
    venue: facts.venue,
    address: facts.location,
    date: sayLongDate(facts.date),
    time: sayTime(facts.time),
    quantity: facts.quantity,
    reference: facts.reference,
    holder: facts.holder,
    links: ticketLinks(facts, from.signer, from.baseUrl),
  };
  return ticketPdf(document);
};
