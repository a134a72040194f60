/** Turns text into words for search: the same way for a listing that is written and for a query. */

/** Letters that Unicode does not decompose, as people type them on a keyboard without them. */
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

/** Where words are cut, in characters: PostgreSQL refuses lexemes above 2 kB. */
const LONGEST_WORD = 60;

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[łøđðþßæœħı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/['’`]/g, '');

/** The distinct words of a text without accents and in lower case: `"Łódź's Café"` → `["lodzs", "cafe"]`. */
export const wordsOf = (text: string): readonly string[] => [
  ...new Set(
    fold(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .map((word) => word.slice(0, LONGEST_WORD)),
  ),
];

/** The words of several texts, joined by spaces, as the read models keep them. HTML tags and entities are dropped. */
export const searchWords = (...texts: readonly string[]): string =>
  wordsOf(
    texts
      .join(' ')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&[a-z0-9#]+;/gi, ' '),
  ).join(' ');

/** Stands before the words of names in `listing_search.document`, where they can be asked for alone. No word has it. */
export const NAME_MARK = '=';

/**
 * A query for `listing_search.document`, as text for `::tsquery`: each word is a prefix. `undefined` for a blank text, which asks for
 * nothing; a text of signs alone, which no document has, is the query that finds nothing.
 */
export const searchQuery = (text: string): string | undefined =>
  text.trim() === ''
    ? undefined
    : wordsOf(text)
        .map((word) => `'${word}':*`)
        .join(' & ');
