import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create } from 'qrcode';
import { describe, expect, it, vi } from 'vitest';
import { extrasOf } from '#domain/listing/extras.ts';
import { cardOf, DOTS_A_POINT, noCamera } from '#tests/browser/camera.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { readPicture } from '#tests/kit/read-picture.ts';
import { openTicketPrinter, type TicketPrinter } from './printer.ts';
import { type TicketFacts, ticketLinks, ticketsOf } from './ticket-document.ts';
import { createTicketSigner } from './ticket-signer.ts';

const facts: TicketFacts = {
  ...{ bookingId: 4_217, reference: 'BK00004217', listingId: 12, quantity: 2, epoch: 1 },
  ...{ title: 'The Low Tides', venue: 'Union Chapel', location: 'London', holder: 'Łucja Wójcik' },
  ...{ date: '2031-05-02', time: '19:30', startsAt: '2031-05-02T18:30:00.000Z' },
  extras: extrasOf(),
};
const signer = createTicketSigner(generateKeyPairSync('ed25519').privateKey);
const baseUrl = 'https://tickets.example.com';
const links = ticketLinks(facts, signer, baseUrl);
const printed = async (shown = facts): Promise<string> => {
  const pdf = join(await freshFolder(), 'ticket.pdf');
  const printer = openTicketPrinter();
  await writeFile(pdf, await ticketsOf(shown, { signer, printer, baseUrl, siteName: 'Reprise' }, 'person'));
  await printer.close();
  return pdf;
};
const modulesOf = (link: string): number => create(link, { errorCorrectionLevel: 'M' }).modules.size;

describe('a ticket’s code', () => {
  it('holds a link that QR codes pack closely: capitals, then digits', () => {
    expect(links).toHaveLength(2);
    for (const link of links) {
      expect(link).toMatch(/^HTTPS:\/\/TICKETS\.EXAMPLE\.COM\/T\/\d{208}$/);
      expect(signer.verify(link.split('/').at(-1) ?? '')).toMatchObject({ bookingId: 4_217 });
      expect(modulesOf(link)).toBe(45);
    }
  });

  it.skipIf(noCamera)(
    'can be read from the page, at least 40 mm wide with four modules of white around it',
    async () => {
      const pdf = await printed();
      for (const [index, link] of links.entries()) {
        const card = await cardOf(pdf, index + 1);
        expect(await readPicture(card)).toEqual({ text: link, unread: false });
        const dark = [...card.data.keys()].filter((at) => (card.data[at] ?? 0) < 128);
        const [columns, rows] = [
          dark.map((at) => at % card.width),
          dark.map((at) => Math.floor(at / card.width)),
        ];
        for (const places of [columns, rows]) {
          const [first, last] = [
            places.reduce((a, b) => Math.min(a, b)),
            places.reduce((a, b) => Math.max(a, b)),
          ];
          const side = last - first + 1;
          expect((side / DOTS_A_POINT / 72) * 25.4).toBeGreaterThan(40);
          const module = side / modulesOf(link);
          expect(first / module).toBeGreaterThan(3.9);
          expect((card.width - 1 - last) / module).toBeGreaterThan(3.9);
        }
      }
    },
  );
});

it.skipIf(noCamera)('a page for one person names its number instead of the whole party', async () => {
  const words = execFileSync('pdftotext', ['-layout', await printed(), '-'], { encoding: 'utf8' });
  const [party, single] = words.split('\f');
  expect(party).toMatch(/Tickets\s.*BK00004217\s+2\n/s);
  expect(single).toMatch(/Ticket\s.*BK00004217\s+2 of 2\n/s);
});

describe('a ticket’s last entry', () => {
  it.each([
    [null, null],
    ['22:00', '10 pm'],
    ['00:30', '12:30 am'],
  ])('of %s is %s in the document', async (lastEntry, told) => {
    const printer = { print: vi.fn<TicketPrinter['print']>(), undrawable: vi.fn(), close: async () => {} };
    const shown = { ...facts, extras: extrasOf({ lastEntry }) };
    await ticketsOf(shown, { signer, printer, baseUrl, siteName: 'Reprise' }, 'person');
    expect(printer.print.mock.lastCall?.[0]).toMatchObject({ time: '7:30 pm', lastEntry: told });
  });

  it.skipIf(noCamera)('is shown beside the time on each page', async () => {
    const shown = { ...facts, extras: extrasOf({ lastEntry: '22:00' }) };
    const words = execFileSync('pdftotext', ['-layout', await printed(shown), '-'], { encoding: 'utf8' });
    const pages = words.split('\f').slice(0, 2);
    for (const page of pages) expect(page).toMatch(/Time\s+Last entry\n.*7:30 pm\s+10 pm\n/s);
  });
});

it.skipIf(noCamera)('a ticket’s text can be copied in any script, also where it shows boxes', async () => {
  const shown = {
    title: '𠮷野家 ខ្មែរ',
    venue: 'မြန်မာ 👩‍👩‍👧',
    location: 'Anna 𐀀\ue000 Lee',
    holder: 'العربية',
  };
  const words = execFileSync('pdftotext', ['-raw', await printed({ ...facts, ...shown }), '-'], {
    encoding: 'utf8',
  });
  // Poppler marks where the direction changes.
  const lines = words.replaceAll(/[\u202a-\u202e]/g, '').split('\n');
  expect(lines).toEqual(expect.arrayContaining(Object.values(shown)));
});
