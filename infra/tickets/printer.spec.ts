import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { setLine } from './any-script.ts';
import { openTicketPrinter } from './printer.ts';
import { type TicketDocument, ticketPdf } from './ticket-pdf.ts';

const ticket: TicketDocument = {
  ...{ siteName: 'Reprise', title: 'The Low Tides', venue: 'Union Chapel', address: 'London' },
  ...{ date: 'Friday 2 May 2031', time: '19:30', quantity: 1, reference: 'BK00004217', holder: '张伟' },
  links: ['HTTPS://TICKETS.EXAMPLE.COM/T/1'],
};

it('tickets for people are printed before tickets for mails', async () => {
  const printer = openTicketPrinter({ threads: 1 });
  const printed: string[] = [];
  const print = async (name: string, reader: 'person' | 'mail') => {
    const pdf = await printer.print(ticket, reader);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    printed.push(name);
  };
  await Promise.all([
    print('mail in hand', 'mail'),
    print('mail', 'mail'),
    print('another mail', 'mail'),
    print('person', 'person'),
  ]);
  expect(printed).toEqual(['mail in hand', 'person', 'mail', 'another mail']);
  await printer.close();
});

it('the characters that no font has are reported without making a document', async () => {
  const printer = openTicketPrinter({ threads: 1 });
  expect(await printer.undrawable('Café 𐀀 张伟')).toEqual(['𐀀']);
  await printer.close();
});

it('no server process imports the drawing code except through the printer', () => {
  const root = join(import.meta.dirname, '../..');
  const drawing =
    /^import (?!type )[^;]*(tickets\/(?!printer|ticket-document|ticket-signer)|posters\/(?!poster-drawer))[\w-]+\.ts'/m;
  const files = ['command-api', 'query-api', 'projector', 'infra'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const importing = files.filter(
    (file) => file.endsWith('.ts') && drawing.test(readFileSync(join(root, file), 'utf8')),
  );
  // This one is drawing itself: of posters, with the letters of tickets.
  expect(importing).toEqual(['infra/posters/lettering.ts']);
  for (const file of ['tickets/printer', 'tickets/ticket-document', 'posters/poster-drawer'])
    expect(readFileSync(join(root, `infra/${file}.ts`), 'utf8')).not.toMatch(
      /^import (?!type )[^;]*(ticket-pdf|\/poster\.ts|lettering)/m,
    );
});

it('a long name is measured a bounded number of times, whatever the number of pages', async () => {
  const holder = '龘'.repeat(200);
  const [run] = setLine('strong', holder);
  if (!run) throw new Error('no font has it');
  const measured = vi.spyOn(run.font, 'layout');
  await ticketPdf({ ...ticket, holder, quantity: 10, links: Array(10).fill(ticket.links[0]) });
  expect(measured.mock.calls.length).toBeGreaterThan(0);
  expect(measured.mock.calls.length).toBeLessThan(80);
});
