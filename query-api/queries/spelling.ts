/** A letter wrong, missing, extra or swapped, or a space extra or missing. */
import { NAME_MARK, wordsOf } from '#infra/read-models/search.ts';

/** By word: a bit set of its letters, which rules out most distant words. */
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

export const namesOf = (words: Iterable<string>): Names =>
  new Map(Array.from(words, (word) => [word, lettersOf(word)]));

const MOST_MISSPELT = 3;

/** Such words, like `and`, resemble or begin too many others. */
const SHORT = 3;

const slipsIn = (word: string): number => {
  if (word.length <= SHORT || /\p{N}/u.test(word)) return 0;
  return word.length <= 7 ? 1 : 2;
};

/** Optimal string alignment distance, or more than `most`. */
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

const begins = (word: string, names: Names): boolean => {
  for (const name of names.keys()) if (name.startsWith(word)) return true;
  return false;
};

const nearest = (word: string, names: Names): readonly string[] => {
  let most = slipsIn(word);
  let found: string[] = [];
  const letters = lettersOf(word);
  for (const [name, itsLetters] of names) {
    if (name.length <= SHORT) continue;
    if (Math.abs(name.length - word.length) > most || bitsIn(itsLetters ^ letters) > 2 * most) continue;
    const slips = slipsBetween(word, name, most);
    if (slips > most) continue;
    if (slips < most) found = [];
    most = slips;
    found.push(name);
  }
  return found;
};

/** `rocknroll`. */
const MOST_PARTS = 3;

const LONE_LETTER = /^\p{L} | \p{L}$/u;

/** `jazznight` → `[["jazz", "night"]]`. */
const cutsOf = (text: string, names: Names, most = MOST_PARTS): readonly (readonly string[])[] => {
  if (names.has(text)) return [[text]];
  if (most === 1) return [];
  return Array.from({ length: text.length - 1 }, (_, at) => text.slice(0, at + 1))
    .filter((first) => names.has(first))
    .flatMap((first) => cutsOf(text.slice(first.length), names, most - 1).map((rest) => [first, ...rest]));
};

const named = (word: string): string => `'${NAME_MARK}${word}'`;

const alternatives = (word: string, names: Names): readonly string[] => [
  ...(slipsIn(word) > 0 ? nearest(word, names).map((name) => `${named(name)}:*`) : []),
  ...cutsOf(word, names)
    .filter((parts) => !LONE_LETTER.test(parts.join(' ')))
    .map((parts) => parts.map(named).join(' & ')),
];

/**
 * For `::tsquery`. Typed words match anywhere, similar ones only in names.
 * @returns undefined if no name is similar or more than `MOST_MISSPELT` words are unknown
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
