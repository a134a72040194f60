import bidiFactory from 'bidi-js';
import type { Font, GlyphRun } from 'fontkit';
import { shapeBurmese } from './burmese.ts';
import { type Face, fontFor, fontOf, isVisible, weights } from './fonts.ts';

export interface SetRun {
  readonly text: string;
  readonly leftwards: boolean;
  readonly font: Font;
  readonly glyphs: readonly { readonly outline: string; readonly x: number; readonly y: number }[];
  /** Font units. */
  readonly width: number;
  readonly bolder: number;
}

// The package's types describe the wrong module format.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)();
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });
const clustersOf = (text: string): string[] => Array.from(clusters.segment(text), ({ segment }) => segment);

/** Without invisible characters; styled letters that no font has (𝗦) become plain ones. */
const drawable = (face: Face, text: string): string =>
  clustersOf(text.toWellFormed().normalize('NFC').replace(/\s+/gu, ' '))
    .filter(isVisible)
    .map((cluster) => (fontFor(face, cluster) ? cluster : cluster.normalize('NFKC')))
    .join('')
    .replace(/ +/g, ' ')
    .trim();

const MISSING = '□';
const ELLIPSIS = '…';
/** Thousandths of the size, per 100 of `font-weight`. */
const STROKE_OF_100 = 11;
const bolderBy = (face: Face, font: Font): number => {
  const weight = font.variationAxes.wght?.default;
  if (weight === undefined || weight >= weights[face]) return 0;
  return (((weights[face] - weight) / 100) * STROKE_OF_100 * font.unitsPerEm) / 1_000;
};

const BURMESE = /\p{Script=Myanmar}/u;

const layout = (
  font: Font,
  text: string,
  direction: 'ltr' | 'rtl',
): Pick<GlyphRun, 'glyphs' | 'positions'> => {
  if (BURMESE.test(text)) return shapeBurmese(text);
  try {
    return font.layout(text, undefined, undefined, undefined, direction);
  } catch {
    // fontkit throws where a font (e.g. Gurmukhi) lists no anchor for a mark: set the marks unattached.
    return font.layout(
      text,
      { mark: false, mkmk: false, abvm: false, blwm: false },
      undefined,
      undefined,
      direction,
    );
  }
};

interface FontRun {
  readonly font: Font;
  text: string;
  drawn: string;
}

const mirrored = (text: string): string =>
  text.replace(/./gsu, (one) => bidi.getMirroredCharacter(one) ?? one);

const setRun = (face: Face, { font, text, drawn }: FontRun, leftwards: boolean): SetRun => {
  const run = leftwards ? layout(font, mirrored(drawn), 'rtl') : layout(font, drawn, 'ltr');
  let at = 0;
  const glyphs = run.glyphs.map((glyph, index) => {
    // Fonts without a glyph for an invisible character would draw their box.
    if (glyph.id === 0) return { outline: '', x: at, y: 0 };
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = run.positions[index] ?? {};
    const placed = { outline: glyph.path.toSVG(), x: at + xOffset, y: yOffset };
    at += xAdvance;
    return placed;
  });
  return { text, leftwards, font, glyphs, width: at, bolder: bolderBy(face, font) };
};

const fontRunsOf = (face: Face, cluster: string): FontRun[] => {
  const font = fontFor(face, cluster);
  if (font) return [{ font, text: cluster, drawn: cluster }];
  return [...cluster].filter(isVisible).map((character) => {
    const its = fontFor(face, character);
    return { font: its ?? fontOf('strong'), text: character, drawn: its ? character : MISSING };
  });
};

const byFont = (face: Face, text: string): readonly FontRun[] => {
  const parts: FontRun[] = [];
  for (const part of clustersOf(text).flatMap((cluster) => fontRunsOf(face, cluster))) {
    const last = parts.at(-1);
    if (last?.font === part.font) {
      last.text += part.text;
      last.drawn += part.drawn;
    } else parts.push(part);
  }
  return parts;
};

export const undrawable = (text: string): string[] =>
  [...new Set(text)].filter((character) =>
    [...drawable('strong', character)].some((drawn) => isVisible(drawn) && !fontFor('strong', drawn)),
  );

/** In visual order (UAX #9, rule L2). */
export const setLine = (face: Face, text: string): readonly SetRun[] => {
  const { levels } = bidi.getEmbeddingLevels(text);
  const runs: { level: number; from: number; to: number }[] = [];
  for (let at = 0; at < text.length; at++) {
    const level = levels[at] ?? 0;
    const last = runs.at(-1);
    if (last?.level === level) last.to = at + 1;
    else runs.push({ level, from: at, to: at + 1 });
  }
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--)
    for (let from = 0; from < runs.length; from++) {
      let to = from;
      while ((runs[to]?.level ?? 0) >= level) to++;
      if (to > from) runs.splice(from, to - from, ...runs.slice(from, to).reverse());
      from = to;
    }
  return runs.flatMap(({ level, from, to }) => {
    const leftwards = level % 2 === 1;
    const set = byFont(face, text.slice(from, to)).map((one) => setRun(face, one, leftwards));
    return leftwards ? set.reverse() : set;
  });
};

const widthOf = (face: Face, text: string, size: number): number =>
  setLine(face, text).reduce((sum, { width, font }) => sum + (width / font.unitsPerEm) * size, 0);

/** Breaks after spaces, and between unspaced words, as in Chinese or Thai. */
export const piecesOf = (face: Face, text: string): string[] => {
  const pieces: string[] = [];
  let wordBefore = false;
  for (const { segment, isWordLike = false } of words.segment(drawable(face, text))) {
    const last = pieces.at(-1);
    if (last === undefined || last.endsWith(' ') || (wordBefore && isWordLike)) pieces.push(segment);
    else pieces[pieces.length - 1] = last + segment;
    wordBefore = isWordLike;
  }
  return pieces;
};

const fitting = (face: Face, text: string, size: number, width: number): string => {
  const all = clustersOf(text);
  // Measuring each prefix takes seconds for a long name.
  let [fits, tooLong] = [1, all.length + 1];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (widthOf(face, all.slice(0, middle).join(''), size) > width) tooLong = middle;
    else fits = middle;
  }
  return all.slice(0, fits).join('');
};

/** In points; overflow ends with an ellipsis. */
export const breakLines = (face: Face, text: string, size: number, width: number, most: number): string[] => {
  const lines: string[] = [];
  let line = '';
  let rest = piecesOf(face, text);
  while (rest.length > 0) {
    const [piece = '', ...others] = rest;
    if (widthOf(face, (line + piece).trimEnd(), size) <= width) {
      line += piece;
      rest = others;
      continue;
    }
    if (lines.length === most - 1) {
      const room = width - widthOf(face, ELLIPSIS, size);
      return [...lines, `${fitting(face, line + rest.join(''), size, room).trimEnd()}${ELLIPSIS}`];
    }
    if (line) lines.push(line.trimEnd());
    else {
      const begins = fitting(face, piece, size, width);
      lines.push(begins);
      rest = [piece.slice(begins.length), ...others].filter(Boolean);
    }
    line = '';
  }
  return line ? [...lines, line.trimEnd()] : lines;
};
