import PDFDocument from 'pdfkit';
import { create as createQr } from 'qrcode';
import { useFaces } from './embedding.ts';
import { endTextLayer } from './text-layer.ts';
import { type Words, widthOf, write } from './words.ts';

const INK = '#0f0c14';
const DIM = '#5c5366';
const PAPER = '#fbf8f3';
const LIME = '#d7ff3e';

export interface TicketDocument {
  readonly siteName: string;
  readonly title: string;
  readonly venue: string;
  readonly address: string;
  readonly date: string;
  readonly time: string;
  readonly lastEntry?: string | null;
  readonly quantity: number;
  readonly reference: string;
  readonly holder: string | null;
  readonly links: readonly string[];
}

const A5 = { width: 419.53, height: 595.28, margin: 32 };

const QUIET_ZONE = 4;

/** `size` in points, with the quiet zone. Error correction level M tolerates creases and glare. */
const drawQr = (pdf: PDFKit.PDFDocument, text: string, left: number, top: number, size: number): void => {
  const { modules } = createQr(text, { errorCorrectionLevel: 'M' });
  const module = size / (modules.size + 2 * QUIET_ZONE);
  pdf.roundedRect(left, top, size, size, 12).fill('#ffffff');
  const runs: string[] = [];
  for (let row = 0; row < modules.size; row++) {
    let start = -1;
    for (let column = 0; column <= modules.size; column++) {
      const dark = column < modules.size && modules.get(row, column) === 1;
      if (dark && start < 0) start = column;
      if (!dark && start >= 0) {
        runs.push(`${start} ${row} ${column - start} 1 re`);
        start = -1;
      }
    }
  }
  pdf
    .save()
    .translate(left + QUIET_ZONE * module, top + QUIET_ZONE * module)
    .scale(module);
  pdf.fillColor('#000000').addContent(runs.join('\n')).fill().restore();
};

const drawMark = (pdf: PDFKit.PDFDocument, x: number, y: number): void => {
  pdf.circle(x + 2, y + 6, 1.9).circle(x + 2, y + 12, 1.9);
  pdf
    .roundedRect(x + 6.2, y, 1.4, 18, 0.7)
    .roundedRect(x + 9.4, y, 3.4, 18, 1)
    .fill(LIME);
};

const drawAdmits = (pdf: PDFKit.PDFDocument, people: number, right: number): void => {
  const words: Words = { text: `Admits ${people}`, face: 'display', size: 15, color: INK };
  const width = widthOf(pdf, words) + 26;
  pdf.roundedRect(right - width, 17, width, 30, 15).fill(LIME);
  write(pdf, words, { x: right - width + 13, y: 23, width, lines: 1 });
};

const drawPage = (pdf: PDFKit.PDFDocument, ticket: TicketDocument, page: number, link: string): void => {
  const { width, height, margin } = A5;
  const inner = width - 2 * margin;
  pdf.rect(0, 0, width, height).fill(PAPER);
  pdf.rect(0, 0, width, 64).fill(INK);
  const site: Words = { text: ticket.siteName, face: 'display', size: 20, color: PAPER };
  const named = Math.min(widthOf(pdf, site), inner - 150);
  write(pdf, site, { x: margin, y: 20, width: named + 1, lines: 1 });
  drawMark(pdf, margin + named + 8, 23);
  drawAdmits(pdf, page === 1 ? ticket.quantity : 1, width - margin);

  const title: Words = { text: ticket.title, face: 'display', size: 24, color: INK };
  write(pdf, title, { x: margin, y: 84, width: inner, lines: 2 });
  const label = (name: string, value: string, x: number, y: number, w: number, lines = 1): void => {
    write(pdf, { text: name, face: 'text', size: 8.5, color: DIM }, { x, y, width: w, lines: 1 });
    write(pdf, { text: value, face: 'strong', size: 11.5, color: INK }, { x, y: y + 12, width: w, lines });
  };
  const half = inner / 2 - 8;
  const right = margin + inner / 2 + 8;
  label('Date', ticket.date, margin, 156, half);
  const quarter = half / 2;
  label('Time', ticket.time, right, 156, ticket.lastEntry ? quarter : half);
  if (ticket.lastEntry) label('Last entry', ticket.lastEntry, right + quarter, 156, quarter);
  label('Venue', ticket.venue, margin, 194, half, 2);
  label('Address', ticket.address, right, 194, half, 2);
  label('Booking reference', ticket.reference, margin, 246, half);
  if (page === 1) label('Tickets', `${ticket.quantity}`, right, 246, half);
  else label('Ticket', `${page} of ${ticket.quantity}`, right, 246, half);
  if (ticket.holder) label('Booked by', ticket.holder, margin, 284, inner);

  pdf.save().lineWidth(1).dash(3, { space: 4 }).moveTo(0, 326).lineTo(width, 326).stroke(DIM).restore();
  pdf.circle(0, 326, 9).fill('#ffffff').circle(width, 326, 9).fill('#ffffff');

  const card = 220;
  drawQr(pdf, link, (width - card) / 2, 340, card);
  const text =
    ticket.links.length === 1
      ? 'Show this code at the door. It admits once.'
      : page === 1
        ? `This code admits your party of ${ticket.quantity}, or whoever is still outside.`
        : 'This code admits one person, for those who come on their own.';
  const note: Words = { text, face: 'text', size: 9, color: DIM };
  write(pdf, note, { x: (width - widthOf(pdf, note)) / 2, y: 570, width: inner, lines: 1 });
};

/** Takes milliseconds of CPU: `printer.ts` calls it in a thread. */
export const ticketPdf = async (ticket: TicketDocument): Promise<Buffer> => {
  const pdf = new PDFDocument({
    size: [A5.width, A5.height],
    margin: 0,
    autoFirstPage: false,
    // Otherwise pdfkit opens Helvetica, which no ticket uses.
    font: '',
    info: { Title: `${ticket.title}, ${ticket.reference}`, Author: ticket.siteName },
    lang: 'en-GB',
  });
  useFaces(pdf);
  const chunks: Buffer[] = [];
  const finished = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
  for (const [index, link] of ticket.links.entries()) {
    pdf.addPage();
    drawPage(pdf, ticket, index + 1, link);
  }
  endTextLayer(pdf);
  pdf.end();
  return finished;
};
