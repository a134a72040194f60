/** Finds words that are spelt nearly as those of a search: with a letter wrong, missing, too many, or swapped with the next. */
import { NAME_MARK, wordsOf } from '#infra/read-models/search.ts';

/** A word of a name. */
export interface NameWord {
  readonly word: string;
  /** Its letters as bits, whatever their order: most words are far from another by these alone, which is quickly seen. */
  readonly letters: number;
}

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

/** A word as `nearQuery` looks through it. @param word from `wordsOf` */
export const nameWord = (word: string): NameWord => ({ word, letters: lettersOf(word) });

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

/** The names' words with the fewest slips to a word, if these are few enough; undefined if a name begins with the word, which is right then. */
const nearest = (word: string, names: readonly NameWord[]): readonly string[] | undefined => {
  let most = slipsIn(word);
  if (most === 0) return undefined;
  let found: string[] = [];
  const letters = lettersOf(word);
  for (const name of names) {
    if (name.word.startsWith(word)) return undefined;
    if (name.word.length <= SHORT) continue;
    // A slip takes one letter away and brings another at the most.
    if (Math.abs(name.word.length - word.length) > most || bitsIn(name.letters ^ letters) > 2 * most)
      continue;
    const slips = slipsBetween(word, name.word, most);
    if (slips > most) continue;
    if (slips < most) found = [];
    most = slips;
    found.push(name.word);
  }
  return found;
};

/**
 * The query of a search whose misspelt words are also found as the names that are spelt nearly so, for `::tsquery` as that of `searchQuery`. What
 * was typed is found anywhere, and what is only near to it in names: too much stands in descriptions.
 * @param names distinct
 * @returns undefined if no name is spelt nearly so, or more than `MOST_MISSPELT` words are no name's
 */
export const nearQuery = (search: string, names: readonly NameWord[]): string | undefined => {
  const terms: string[] = [];
  let misspelt = 0;
  let found = 0;
  for (const word of wordsOf(search)) {
    const near = nearest(word, names);
    if (near && ++misspelt > MOST_MISSPELT) return undefined;
    found += near?.length ?? 0;
    const asked = [word, ...(near ?? []).map((name) => NAME_MARK + name)];
    terms.push(`(${asked.map((one) => `'${one}':*`).join(' | ')})`);
  }
  return found > 0 ? terms.join(' & ') : undefined;
};
