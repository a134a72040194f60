/** Compares a whole log with its tree, and the tree with what was signed. In the site and in `verify-log` it is the same. */
import type { Finding } from '#domain/contracts/log-proofs.ts';
import { differences, type Found } from './differences.ts';
import { Frontier, HASH_BYTES, type HashedSubtree } from './hashing.ts';

/** A log with its tree and what was signed of it, to be read piece by piece. */
export interface LogToCheck {
  /** The leaves of the tree in their order, as many at a time as one likes. */
  readonly leaves: AsyncIterable<Buffer>;
  /** The log's entries in their order. */
  readonly entries: AsyncIterable<readonly Found[]>;
  /** The roots that were signed, by the size of their tree. */
  readonly signed: ReadonlyMap<number, Uint8Array>;
  nameOf(index: number): Promise<string | undefined>;
  /** Hears of each subtree of two or more leaves. */
  onFull?(subtree: HashedSubtree): void;
  /** Hears from time to time how many entries are compared. */
  say?(compared: number): void;
}

/** What came of comparing a log with its tree. */
export interface LogChecked {
  /** How many entries the tree has, and its root. */
  readonly size: number;
  readonly root: Buffer;
  /** How many entries the log has beyond the tree. */
  readonly newer: number;
  readonly findings: readonly Finding[];
}

const SAY_EVERY = 20_000;

/** The leaves one by one, and the tree that they make so far. */
class TreeReader {
  readonly frontier = new Frontier();
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #signed: LogToCheck['signed'];
  readonly #onFull: LogToCheck['onFull'];
  #piece: Buffer = Buffer.alloc(0);
  #at = 0;
  /** How large a tree is proven by a checkpoint. */
  #proven = 0;
  /** The first checkpoint that the leaves don't give. */
  unsigned: Finding | undefined;

  constructor({ leaves, signed, onFull }: LogToCheck) {
    this.#pieces = leaves[Symbol.asyncIterator]();
    this.#signed = signed;
    this.#onFull = onFull;
  }

  /** Resolves to whether there are more leaves. */
  async more(): Promise<boolean> {
    while (this.#at >= this.#piece.length) {
      const { done, value } = await this.#pieces.next();
      if (done) return false;
      this.#piece = value;
      this.#at = 0;
    }
    return true;
  }

  /** The next of those that are read. */
  take(): Buffer | undefined {
    if (this.#at >= this.#piece.length) return undefined;
    const leaf = this.#piece.subarray(this.#at, this.#at + HASH_BYTES);
    this.#at += HASH_BYTES;
    this.add(leaf, this.#onFull);
    return leaf;
  }

  /** Continues the tree, and holds it to the checkpoint of its new size. */
  add(leaf: Buffer, onFull?: LogToCheck['onFull']): void {
    this.frontier.append(leaf, onFull);
    const { size } = this.frontier;
    const root = this.#signed.get(size);
    if (root && this.frontier.root().equals(root)) this.#proven = size;
    else if (root) this.unsigned ??= { kind: 'unsigned', entry: this.#proven + 1, other: size, name: null };
  }
}

/** Compares them. What it keeps in memory is what follows the first difference; without one it is next to nothing. */
export const checkLog = async (log: LogToCheck): Promise<LogChecked> => {
  const tree = new TreeReader(log);
  const expected: Buffer[] = [];
  const actual: Found[] = [];
  let same = 0;
  let newer = 0;
  let apart = false;
  /** The tree as far as its leaves reach. */
  let stored: Frontier | undefined;
  for await (const page of log.entries)
    for (const found of page) {
      let leaf = tree.take();
      if (!leaf && (await tree.more())) leaf = tree.take();
      apart ||= leaf !== undefined && !leaf.equals(found.hash);
      if (apart) {
        if (leaf) expected.push(leaf);
        actual.push(found);
      } else if (!leaf) {
        // What was signed holds for entries whose leaves are gone, too.
        stored ??= tree.frontier.copy();
        tree.add(found.hash);
        newer += 1;
      } else {
        same += 1;
        if (same % SAY_EVERY === 0) log.say?.(same);
      }
    }
  while (await tree.more()) for (let leaf = tree.take(); leaf; leaf = tree.take()) expected.push(leaf);
  const findings: Finding[] = tree.unsigned ? [tree.unsigned] : [];
  findings.push(...(await differences({ from: same, expected, actual, nameOf: log.nameOf })));
  const { size } = stored ?? tree.frontier;
  // A checkpoint of more: entries were cut off together with their leaves. The tree alone may be behind, that of a copy at first.
  const largest = Math.max(0, ...log.signed.keys());
  const there = same + actual.length + newer;
  if (largest > Math.max(size, there))
    findings.push({ kind: 'short', entry: size + 1, other: largest, name: null });
  return { size, root: (stored ?? tree.frontier).root(), newer, findings };
};
