import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Font, openSync } from 'fontkit';

const { resolve } = createRequire(import.meta.url);

const FACES = {
  display: '@expo-google-fonts/bricolage-grotesque/700Bold/BricolageGrotesque_700Bold.ttf',
  text: '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  strong: '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
} as const;

export type Face = keyof typeof FACES;
export const faces = Object.keys(FACES) as Face[];

export const weights: Readonly<Record<Face, number>> = { display: 700, text: 400, strong: 600 };

const open = new Map<string, Font>();
const MOST_OPEN = 40;

const opened = (file: string): Font => {
  const known = open.get(file);
  if (known) return known;
  const font = openSync(resolve(file));
  if (open.size >= MOST_OPEN) {
    const oldest = [...open.keys()].find((name) => name.startsWith(NOTO));
    if (oldest) open.delete(oldest);
  }
  open.set(file, font);
  return font;
};

export const fontOf = (face: Face): Font => opened(FACES[face]);

const NOTO = '@fontsource-variable/noto-';
/** Han uses simplified forms, with kana; the Japanese font has characters that occur only in names, such as 𠮷. */
const SCRIPTS = [
  ...['sans-arabic', 'sans-hebrew', 'sans-devanagari', 'sans-bengali', 'sans-gurmukhi', 'sans-gujarati'],
  ...['sans-tamil', 'sans-telugu', 'sans-kannada', 'sans-malayalam', 'sans-sinhala', 'sans-thai'],
  ...['sans-khmer', 'sans-lao', 'serif-tibetan', 'sans-armenian', 'sans-georgian', 'sans-ethiopic'],
  ...['sans-sc', 'sans-jp', 'sans-kr', 'emoji'],
] as const;
/** What the faces cover, or what only looks right beside its own script. */
const LEFT_OUT = new Set([
  'latin',
  'latin-ext',
  'greek',
  'greek-ext',
  'cyrillic',
  'cyrillic-ext',
  'vietnamese',
  'math',
  'symbols',
]);

interface Part {
  readonly file: string;
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

const rangesOf = (text: string): Part['ranges'] =>
  text.split(',').map((range) => {
    const [first = '', last = first] = range.replace('U+', '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });

const partsOf = (script: (typeof SCRIPTS)[number]): readonly Part[] => {
  const name = `${NOTO}${script}`;
  const ranges: Record<string, string> = JSON.parse(readFileSync(resolve(`${name}/unicode.json`), 'utf8'));
  return Object.entries(ranges)
    .filter(([part]) => !LEFT_OUT.has(part))
    .map(([part, text]) => ({
      file: `${name}/files/noto-${script}-${part.replace(/[[\]]/g, '')}-wght-normal.woff2`,
      ranges: rangesOf(text),
    }));
};

/** Not WOFF2: HarfBuzz, which shapes Burmese, cannot read it. */
const BURMESE: Part = {
  file: '@expo-google-fonts/noto-sans-myanmar/600SemiBold/NotoSansMyanmar_600SemiBold.ttf',
  ranges: rangesOf('U+1000-109F,U+A9E0-A9FE,U+AA60-AA7F'),
};
export const burmeseFontFile = (): string => resolve(BURMESE.file);

let parts: readonly Part[] | undefined;
const allParts = (): readonly Part[] => {
  parts ??= [...SCRIPTS.flatMap(partsOf), BURMESE];
  return parts;
};

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/u;
const PICTURE = /\p{Emoji_Presentation}|\ufe0f/u;

const codesOf = (cluster: string): readonly number[] =>
  [...cluster]
    .filter((character) => !INVISIBLE.test(character))
    .map((character) => character.codePointAt(0) ?? 0);

/** Private-use characters differ by font, so no font counts as having them. */
const has = (font: Font, codes: readonly number[]): boolean =>
  codes.every((code) => !(code >= 0xe000 && code <= 0xf8ff) && font.hasGlyphForCodePoint(code));

const fallbackFor = (codes: readonly number[]): Font | undefined => {
  for (const { file, ranges } of allParts()) {
    if (!codes.every((code) => ranges.some(([first, last]) => first <= code && code <= last))) continue;
    const font = opened(file);
    if (has(font, codes)) return font;
  }
  return undefined;
};

/** The face has every character, and the text runs from left to right. */
export const suffices = (face: Face, text: string): boolean =>
  !PICTURE.test(text) &&
  has(
    fontOf(face),
    [...text].map((character) => character.codePointAt(0) ?? 0),
  );

export const isVisible = (cluster: string): boolean => codesOf(cluster).length > 0;

/** The face's own font, then that of small texts, then the first other script's with the whole cluster. */
export const fontFor = (face: Face, cluster: string): Font | undefined => {
  const codes = codesOf(cluster);
  if (codes.length === 0) return undefined;
  const own = [fontOf(face), fontOf('strong')].find((font) => has(font, codes));
  if (!PICTURE.test(cluster)) return own ?? fallbackFor(codes);
  return fallbackFor(codes) ?? own;
};
