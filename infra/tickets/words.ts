/** Real text where the faces suffice, else outlines with invisible text for readers. */
import { breakLines, type SetRun, setLine } from './any-script.ts';
import { type Face, fontOf, suffices } from './fonts.ts';
import { writeInvisibly } from './text-layer.ts';

export interface Words {
  readonly text: string;
  readonly face: Face;
  readonly size: number;
  readonly color: string;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly lines: number;
}

const runWidth = (runs: readonly SetRun[], size: number): number =>
  runs.reduce((sum, { width, font }) => sum + (width / font.unitsPerEm) * size, 0);

type Lines = readonly (readonly SetRun[])[];
const linesSet = new WeakMap<PDFKit.PDFDocument, Map<string, Lines>>();

const linesOf = (
  pdf: PDFKit.PDFDocument,
  { text, face, size }: Words,
  { width, lines }: Pick<Box, 'width' | 'lines'>,
): Lines => {
  const known = linesSet.get(pdf) ?? new Map<string, Lines>();
  linesSet.set(pdf, known);
  const asked = JSON.stringify([text, face, size, width, lines]);
  const set =
    known.get(asked) ?? breakLines(face, text, size, width, lines).map((line) => setLine(face, line));
  known.set(asked, set);
  return set;
};

export const widthOf = (pdf: PDFKit.PDFDocument, words: Words): number => {
  const { text, face, size } = words;
  if (suffices(face, text)) return pdf.font(face, size).widthOfString(text);
  const [line = []] = linesOf(pdf, words, { width: Number.POSITIVE_INFINITY, lines: 1 });
  return runWidth(line, size);
};

const drawRun = (pdf: PDFKit.PDFDocument, run: SetRun, x: number, baseline: number, size: number): void => {
  const scale = size / run.font.unitsPerEm;
  writeInvisibly(pdf, { ...run, x, baseline, width: run.width * scale, size });
  pdf.save().translate(x, baseline).scale(scale, -scale).lineJoin('round').lineWidth(run.bolder);
  for (const { outline, x: left, y: up } of run.glyphs) {
    if (!outline) continue;
    pdf.save().translate(left, up).path(outline);
    if (run.bolder > 0) pdf.fillAndStroke();
    else pdf.fill();
    pdf.restore();
  }
  pdf.restore();
};

export const write = (pdf: PDFKit.PDFDocument, words: Words, { x, y, width, lines }: Box): void => {
  const { text, face, size, color } = words;
  pdf.fillColor(color);
  if (suffices(face, text)) {
    pdf.font(face, size);
    if (pdf.widthOfString(text) <= width) pdf.text(text, x, y, { lineBreak: false });
    else pdf.text(text, x, y, { width, height: lines * pdf.currentLineHeight(true), ellipsis: true });
    return;
  }
  pdf.strokeColor(color);
  const { ascent, descent, lineGap, unitsPerEm } = fontOf(face);
  const points = (units: number): number => (units / unitsPerEm) * size;
  for (const [index, line] of linesOf(pdf, words, { width, lines }).entries()) {
    let at = x;
    for (const run of line) {
      drawRun(pdf, run, at, y + points(ascent) + index * points(ascent - descent + lineGap), size);
      at += runWidth([run], size);
    }
  }
};
