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

/** In characters: PostgreSQL refuses lexemes above 2 kB. */
const LONGEST_WORD = 60;

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[łøđðþßæœħı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/['’`]/g, '');

/** Distinct words without accents, in lower case: `"Łódź's Café"` → `["lodzs", "cafe"]`. */
export const wordsOf = (text: string): readonly string[] => [
  ...new Set(
    fold(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .map((word) => word.slice(0, LONGEST_WORD)),
  ),
];

/** Search words of several texts, joined by spaces. HTML tags and entities are dropped. */
export const searchWords = (...texts: readonly string[]): string =>
  wordsOf(
    texts
      .join(' ')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&[a-z0-9#]+;/gi, ' '),
  ).join(' ');

/** Prefix of name words in `listing_search.document`, so that names can be searched alone. No word contains it. */
export const NAME_MARK = '=';

/**
 * Query for `listing_search.document`, to be cast with `::tsquery`: each word is a prefix. `undefined` for a
 * blank text; a text of only punctuation gives a query without results.
 */
export const searchQuery = (text: string): string | undefined =>
  text.trim() === ''
    ? undefined
    : wordsOf(text)
        .map((word) => `'${word}':*`)
        .join(' & ');
