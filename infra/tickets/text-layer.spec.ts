import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import PDFDocument from 'pdfkit';
import { expect, it } from 'vitest';
import { noCamera } from '#tests/browser/camera.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { endTextLayer, writeInvisibly } from './text-layer.ts';

it.skipIf(noCamera)(
  'a ticket’s text can be extracted line by line, however many different characters it has',
  async () => {
    const lines = ['👩‍👩‍👧 𠮷', 'שלום'];
    for (let from = 0x4e00; from < 0x4e00 + 600; from += 60)
      lines.push(Array.from({ length: 60 }, (_, at) => String.fromCodePoint(from + at)).join(''));
    const file = join(await freshFolder(), 'lines.pdf');
    const pdf = new PDFDocument({ font: '' });
    const written = createWriteStream(file);
    pdf.pipe(written);
    for (const [index, text] of lines.entries()) {
      const place = { x: 72, baseline: 100 + 20 * index, width: 8 * text.length, size: 12 };
      writeInvisibly(pdf, { ...place, text, leftwards: text === 'שלום' });
    }
    endTextLayer(pdf);
    pdf.end();
    await finished(written);
    const read = execFileSync('pdftotext', ['-raw', file, '-'], { encoding: 'utf8' });
    // Poppler marks where the direction changes.
    expect(
      read
        .replaceAll(/[\u202a-\u202e]/g, '')
        .trim()
        .split('\n'),
    ).toEqual(lines);
  },
);
