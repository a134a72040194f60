/** What the printer's threads run. */
import { move } from 'piscina';
import { undrawable } from './any-script.ts';
import { type TicketDocument, ticketPdf } from './ticket-pdf.ts';

export default async (ticket: TicketDocument) => {
  const bytes = await ticketPdf(ticket);
  // A copy of its own: Node's small buffers share their memory, which can't be moved apart.
  return move(new Uint8Array(bytes));
};

export { undrawable };
