/** How text is folded for search: the same way when a listing is written and when somebody asks. */

/** Letters that Unicode doesn't take apart, as people type them without the key. */
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

/** Longer ones are cut: nobody types more, and PostgreSQL refuses lexemes above 2 kB. */
const LONGEST_WORD = 60;

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[łøđðþßæœħı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/['’`]/g, '');

/** The distinct words of some text, accents and case folded: `"Łódź's Café"` → `["lodzs", "cafe"]`. */
export const wordsOf = (text: string): readonly string[] => [
  ...new Set(
    fold(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
      .map((word) => word.slice(0, LONGEST_WORD)),
  ),
];

/** The words of several texts, joined by spaces, as the read models keep them. HTML tags and entities are left out. */
export const searchWords = (...texts: readonly string[]): string =>
  wordsOf(
    texts
      .join(' ')
      .replace(/<[^>]*>/g, ' ')
      .replace(/&[a-z0-9#]+;/gi, ' '),
  ).join(' ');

/**
 * What to hold against `listing_search.document`, as text for `::tsquery`: every word as a prefix.
 * `undefined` when the text has no word in it, which finds everything.
 */
export const searchQuery = (text: string): string | undefined => {
  const words = wordsOf(text);
  return words.length === 0 ? undefined : words.map((word) => `'${word}':*`).join(' & ');
};
