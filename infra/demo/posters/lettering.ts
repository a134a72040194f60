/** Draws text as outlines, so that a poster looks the same on a machine without fonts. */
import { createRequire } from 'node:module';
import { type Font, openSync } from 'fontkit';

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

/** Space added between two letters, as a share of the size: titles are set tighter than the font says. */
const tracking: Record<Face, number> = { title: -0.025, note: 0 };

/** The width of a line of text, in units of the drawing. */
export const widthOf = (text: string, face: Face, size: number): number => {
  const font = fontOf(faces[face]);
  const run = font.layout(text);
  return (
    (run.advanceWidth / font.unitsPerEm) * size + tracking[face] * size * Math.max(0, run.glyphs.length - 1)
  );
};

/** A line of text as an SVG group. Its baseline starts at `x`, `y`. */
export const line = (text: string, face: Face, size: number, x: number, y: number, fill: string): string => {
  const font = fontOf(faces[face]);
  const scale = size / font.unitsPerEm;
  const run = font.layout(text);
  let at = 0;
  const glyphs = run.glyphs.map((glyph, index) => {
    const position = run.positions[index];
    const shift = at + (position?.xOffset ?? 0);
    at += (position?.xAdvance ?? 0) + tracking[face] * font.unitsPerEm;
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

/** Breaks text into as few lines as fit the width, of similar length, so that the last does not hold a single word. */
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
  /** The distance from one baseline to the next. */
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
