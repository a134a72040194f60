/** The Merkle tree's ranges of a root or proof (RFC 9162, 2.1). Entries count from 0. */

/** `to` is exclusive. */
export type Range = readonly [from: number, to: number];

/** Entries from `index * 2^level` to `(index + 1) * 2^level`, exclusive. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

const leftHalf = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1);

/** Full subtrees, left to right; joined from the right, they give the range's hash. */
export const subtreesOf = ([from, to]: Range): readonly Subtree[] => {
  const found: Subtree[] = [];
  for (let at = from; at < to; ) {
    const level = Math.floor(Math.log2(to - at));
    found.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return found;
};

/** RFC 9162, 2.1.3.1, in the proof's order. */
export const inclusionRanges = (index: number, size: number): readonly Range[] => {
  const found: Range[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + leftHalf(to - from);
    if (index < middle) {
      found.push([middle, to]);
      to = middle;
    } else {
      found.push([from, middle]);
      from = middle;
    }
  }
  return found.reverse();
};

/** RFC 9162, 2.1.4.1, in the proof's order. */
export const consistencyRanges = (first: number, second: number): readonly Range[] => {
  if (first === 0) return [];
  const found: Range[] = [];
  let [from, to] = [0, second];
  while (to !== first) {
    const middle = from + leftHalf(to - from);
    if (first <= middle) {
      found.push([middle, to]);
      to = middle;
    } else {
      found.push([from, middle]);
      from = middle;
    }
  }
  // The verifier knows the first tree's root.
  if (from > 0) found.push([from, to]);
  return found.reverse();
};
