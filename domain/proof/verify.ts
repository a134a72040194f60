/** Only WebCrypto, so that browsers, tools and the server share it. */
import { type Entry, leafBytes } from './leaf.ts';

export type Hash = Uint8Array<ArrayBuffer>;

const NODE_PREFIX = 1;

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Hash> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

export const hashEntry = (entry: Entry): Promise<Hash> => sha256(leafBytes(entry));

const join = (left: Hash, right: Hash): Promise<Hash> => {
  const bytes = new Uint8Array(1 + left.length + right.length);
  bytes[0] = NODE_PREFIX;
  bytes.set(left, 1);
  bytes.set(right, 1 + left.length);
  return sha256(bytes);
};

export const sameHash = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

const isOdd = (number: number): boolean => number % 2 === 1;
const half = (number: number): number => Math.floor(number / 2);

/** RFC 9162, 2.1.3.2. */
export const provesInclusion = async (
  leaf: Hash,
  index: number,
  size: number,
  path: readonly Hash[],
  root: Hash,
): Promise<boolean> => {
  if (!(index >= 0 && index < size)) return false;
  let [node, last, hash] = [index, size - 1, leaf];
  for (const step of path) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = await join(step, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = await join(hash, step);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && sameHash(hash, root);
};

export interface Head {
  readonly size: number;
  readonly root: Hash;
}

/** RFC 9162, 2.1.4.2. */
export const provesConsistency = async (
  first: Head,
  second: Head,
  path: readonly Hash[],
): Promise<boolean> => {
  if (first.size > second.size) return false;
  if (first.size === second.size) return path.length === 0 && sameHash(first.root, second.root);
  // Every tree begins with the empty one.
  if (first.size === 0) return path.length === 0;
  const isFull = Number.isInteger(Math.log2(first.size));
  const [start, ...steps] = isFull ? [first.root, ...path] : path;
  if (!start) return false;
  let [node, last] = [first.size - 1, second.size - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  let [one, two] = [start, start];
  for (const step of steps) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      one = await join(step, one);
      two = await join(step, two);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else two = await join(two, step);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && sameHash(one, first.root) && sameHash(two, second.root);
};
