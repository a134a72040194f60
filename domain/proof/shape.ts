/**
 * The shape of a Merkle tree over the log (RFC 9162, 2.1): which parts of it a root or a proof consists of. Nothing here hashes.
 * Entries are counted from 0.
 */

/** The entries from `from` up to, but without, `to`. */
export type Range = readonly [from: number, to: number];

/** A full subtree: that of the entries `index * 2^level` up to `(index + 1) * 2^level`. One of level 0 is a leaf. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** How many entries the left half of a tree has: the largest power of two that is smaller than its size. */
const leftHalf = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1);

/** The full subtrees, from left to right, of a range that is a part of the tree. The range's hash is that of all of them, joined from the right. */
export const subtreesOf = ([from, to]: Range): readonly Subtree[] => {
  const found: Subtree[] = [];
  for (let at = from; at < to; ) {
    const level = Math.floor(Math.log2(to - at));
    found.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return found;
};

/** The ranges whose hashes prove that the tree of `size` entries has this one (RFC 9162, 2.1.3.1), in the proof's order. */
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

/** The ranges whose hashes prove that the tree of `second` entries begins with the tree of `first` (RFC 9162, 2.1.4.1), in the proof's order. */
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
  // The first tree's own root is known to whoever checks the proof.
  if (from > 0) found.push([from, to]);
  return found.reverse();
};
