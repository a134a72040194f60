import { createRequire } from 'node:module';
import { type Font, openSync } from 'fontkit';

/** Sets text as outlines, so that a poster looks the same on a machine without fonts. */

const require = createRequire(import.meta.url);
const opened = new Map<string, Font>();
const fontOf = (file: string): Font => {
  const known = opened.get(file);
  if (known) return known;
  const font = openSync(require.resolve(`@expo-google-fonts/bricolage-grotesque/${file}`));
  opened.set(file, font);
  return font;
};

const faces = {
  title: '800ExtraBold/BricolageGrotesque_800ExtraBold.ttf',
  note: '600SemiBold/BricolageGrotesque_600SemiBold.ttf',
} as const;
export type Face = keyof typeof faces;

/** Letters of titles stand closer than the font has them, in parts of the size. */
const tightness: Record<Face, number> = { title: -0.025, note: 0 };

/** A line's width at a size, in the drawing's units. */
export const widthOf = (text: string, face: Face, size: number): number => {
  const font = fontOf(faces[face]);
  const run = font.layout(text);
  return (
    (run.advanceWidth / font.unitsPerEm) * size + tightness[face] * size * Math.max(0, run.glyphs.length - 1)
  );
};

/** One line as an SVG group, its baseline starting at `x`, `y`. */
export const line = (text: string, face: Face, size: number, x: number, y: number, fill: string): string => {
  const font = fontOf(faces[face]);
  const scale = size / font.unitsPerEm;
  const run = font.layout(text);
  let at = 0;
  const glyphs = run.glyphs.map((glyph, index) => {
    const position = run.positions[index];
    const shift = at + (position?.xOffset ?? 0);
    at += (position?.xAdvance ?? 0) + tightness[face] * font.unitsPerEm;
    return `<path transform="translate(${shift.toFixed(1)} ${(position?.yOffset ?? 0).toFixed(1)})" d="${glyph.path.toSVG()}"/>`;
  });
  return `<g fill="${fill}" transform="translate(${x} ${y}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})">${glyphs.join('')}</g>`;
};

const wrap = (text: string, size: number, width: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`, 'title', size) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
};

/** The same number of lines with their lengths evened out, so that no word is left alone on the last. */
const balance = (text: string, size: number, width: number): string[] => {
  let best = wrap(text, size, width);
  for (let narrower = width; narrower > 0; narrower -= width / 40) {
    const lines = wrap(text, size, narrower);
    if (lines.length > best.length || lines.some((one) => widthOf(one, 'title', size) > narrower)) break;
    best = lines;
  }
  return best;
};

export interface SetTitle {
  readonly lines: readonly string[];
  readonly size: number;
  /** Baseline to baseline. */
  readonly leading: number;
}

/** Breaks a title into lines at the largest size that fits the box. */
export const fitTitle = (text: string, width: number, height: number, largest: number): SetTitle => {
  for (let size = largest; ; size -= 4) {
    const lines = wrap(text, size, width);
    const leading = size * 0.96;
    const fits =
      lines.length * leading <= height && lines.every((one) => widthOf(one, 'title', size) <= width);
    if (fits || size <= 40) return { lines: balance(text, size, width), size, leading };
  }
};
