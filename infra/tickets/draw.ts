import { move } from 'piscina';
import { undrawable } from './any-script.ts';
import { type TicketDocument, ticketPdf } from './ticket-pdf.ts';

export default async (ticket: TicketDocument) => {
  const bytes = await ticketPdf(ticket);
  // Node's small buffers share their memory, so they can't be transferred.
  return move(new Uint8Array(bytes));
};

export { undrawable };
