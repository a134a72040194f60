/** Finds names that are spelt nearly as a search: with a letter wrong, missing, too many, or swapped with the next, or with a space too many or missing. */
import { NAME_MARK, wordsOf } from '#infra/read-models/search.ts';

/** The words of names, each with its letters as bits, whatever their order: most words are far from another by these alone, which is quickly seen. */
export type Names = ReadonlyMap<string, number>;

const lettersOf = (word: string): number => {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) % 32);
  return letters;
};

const bitsIn = (number: number): number => {
  let bits = 0;
  for (let rest = number; rest !== 0; rest &= rest - 1) bits++;
  return bits;
};

/** Names as `nearQuery` looks through them. @param words from `wordsOf` */
export const namesOf = (words: Iterable<string>): Names =>
  new Map(Array.from(words, (word) => [word, lettersOf(word)]));

/** How many words of a search may be misspelt. Each is compared with all names. */
const MOST_MISSPELT = 3;

/** Words of so many letters, such as `and`, are near to too many others, and begin too many. */
const SHORT = 3;

/** How many slips a word may have: none if it is short, or a number. */
const slipsIn = (word: string): number => {
  if (word.length <= SHORT || /\p{N}/u.test(word)) return 0;
  return word.length <= 7 ? 1 : 2;
};

/** How many slips lead from one word to the other (optimal string alignment); more than `most` if there are more than that. */
const slipsBetween = (one: string, other: string, most: number): number => {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  const after = (row: readonly number[], at: number): number => (row[at] ?? Number.POSITIVE_INFINITY) + 1;
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = after(last, j - 1) - (one[i - 1] === other[j - 1] ? 1 : 0);
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? after(before, j - 2) : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, swapped, after(last, j), after(row, j - 1)));
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[other.length] ?? 0;
};

/** Whether a name begins with a word, which is right then. */
const begins = (word: string, names: Names): boolean => {
  for (const name of names.keys()) if (name.startsWith(word)) return true;
  return false;
};

/** The names' words with the fewest slips to a word, if these are few enough. */
const nearest = (word: string, names: Names): readonly string[] => {
  let most = slipsIn(word);
  let found: string[] = [];
  const letters = lettersOf(word);
  for (const [name, itsLetters] of names) {
    if (name.length <= SHORT) continue;
    // A slip takes one letter away and brings another at the most.
    if (Math.abs(name.length - word.length) > most || bitsIn(itsLetters ^ letters) > 2 * most) continue;
    const slips = slipsBetween(word, name, most);
    if (slips > most) continue;
    if (slips < most) found = [];
    most = slips;
    found.push(name);
  }
  return found;
};

/** Into how many words one may be cut: `rocknroll`. */
const MOST_PARTS = 3;

/** A letter alone at either end: `the n`, of which `then` is more than a space away. */
const LONE_LETTER = /^\p{L} | \p{L}$/u;

/** The ways to cut a text into whole words of names: `jazznight` → `[["jazz", "night"]]`. */
const cutsOf = (text: string, names: Names, most = MOST_PARTS): readonly (readonly string[])[] => {
  if (names.has(text)) return [[text]];
  if (most === 1) return [];
  return Array.from({ length: text.length - 1 }, (_, at) => text.slice(0, at + 1))
    .filter((first) => names.has(first))
    .flatMap((first) => cutsOf(text.slice(first.length), names, most - 1).map((rest) => [first, ...rest]));
};

const named = (word: string): string => `'${NAME_MARK}${word}'`;

/** What a word of a search also finds, in names alone; nothing if it is right. */
const alternatives = (word: string, names: Names): readonly string[] => [
  ...(slipsIn(word) > 0 ? nearest(word, names).map((name) => `${named(name)}:*`) : []),
  ...cutsOf(word, names)
    .filter((parts) => !LONE_LETTER.test(parts.join(' ')))
    .map((parts) => parts.map(named).join(' & ')),
];

/**
 * The query of a search whose words are also found as the names that are spelt nearly so, for `::tsquery` as that of `searchQuery`. What
 * was typed is found anywhere, and what is only near to it in names: too much stands in descriptions.
 * @returns undefined if no name is spelt nearly so, or more than `MOST_MISSPELT` words are no name's
 */
export const nearQuery = (search: string, names: Names): string | undefined => {
  const terms: string[] = [];
  let misspelt = 0;
  let found = 0;
  let before: string | undefined;
  for (const word of wordsOf(search)) {
    const isRight = word.length <= SHORT || begins(word, names);
    if (!isRight && slipsIn(word) > 0 && ++misspelt > MOST_MISSPELT) return undefined;
    const near = isRight ? [] : alternatives(word, names);
    found += near.length;
    const term = `(${[`'${word}':*`, ...near].join(' | ')})`;
    const joined = `${before ?? ''}${word}`;
    if (before !== undefined && joined.length > SHORT && begins(joined, names)) {
      found++;
      terms.push(`(${terms.pop()} & ${term} | ${named(joined)}:*)`);
      before = undefined;
    } else {
      terms.push(term);
      before = word;
    }
  }
  return found > 0 ? terms.join(' & ') : undefined;
};
