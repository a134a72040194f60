const PLAIN: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ħ: 'h',
  ı: 'i',
};

/** PostgreSQL refuses lexemes above 2 kB. */
const LONGEST_WORD = 60;

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[łøđðþßæœħı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/['’`]/g, '');

/** `"Łódź's Café"` → `["lodzs", "cafe"]`. */
export const wordsOf = (text: string): readonly string[] => [
  ...new Set(
    fold(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .map((word) => word.slice(0, LONGEST_WORD)),
  ),
];

/** Without HTML tags and entities. */
export const searchWords = (...texts: readonly string[]): string =>
  wordsOf(
    texts
      .join(' ')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&[a-z0-9#]+;/gi, ' '),
  ).join(' ');

/** Before name words in `listing_search.document`, so that names can be searched alone. */
export const NAME_MARK = '=';

/** For `listing_search.document`: each word is a prefix. `undefined` for a blank text; punctuation alone finds nothing. */
export const searchQuery = (text: string): string | undefined =>
  text.trim() === ''
    ? undefined
    : wordsOf(text)
        .map((word) => `'${word}':*`)
        .join(' & ');
