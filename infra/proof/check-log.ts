import type { Finding } from '#domain/contracts/log-proofs.ts';
import { differences, type Found } from './differences.ts';
import { Frontier, HASH_BYTES, type HashedSubtree } from './hashing.ts';

export interface LogToCheck {
  readonly leaves: AsyncIterable<Buffer>;
  readonly entries: AsyncIterable<readonly Found[]>;
  readonly signed: ReadonlyMap<number, Uint8Array>;
  nameOf(index: number): Promise<string | undefined>;
  onFull?(subtree: HashedSubtree): void;
  say?(compared: number): void;
}

export interface LogChecked {
  readonly size: number;
  readonly root: Buffer;
  readonly newer: number;
  readonly findings: readonly Finding[];
}

const SAY_EVERY = 20_000;

class TreeReader {
  readonly frontier = new Frontier();
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #signed: LogToCheck['signed'];
  readonly #onFull: LogToCheck['onFull'];
  #piece: Buffer = Buffer.alloc(0);
  #at = 0;
  #proven = 0;
  unsigned: Finding | undefined;

  constructor({ leaves, signed, onFull }: LogToCheck) {
    this.#pieces = leaves[Symbol.asyncIterator]();
    this.#signed = signed;
    this.#onFull = onFull;
  }

  async more(): Promise<boolean> {
    while (this.#at >= this.#piece.length) {
      const { done, value } = await this.#pieces.next();
      if (done) return false;
      this.#piece = value;
      this.#at = 0;
    }
    return true;
  }

  take(): Buffer | undefined {
    if (this.#at >= this.#piece.length) return undefined;
    const leaf = this.#piece.subarray(this.#at, this.#at + HASH_BYTES);
    this.#at += HASH_BYTES;
    this.add(leaf, this.#onFull);
    return leaf;
  }

  add(leaf: Buffer, onFull?: LogToCheck['onFull']): void {
    this.frontier.append(leaf, onFull);
    const { size } = this.frontier;
    const root = this.#signed.get(size);
    if (root && this.frontier.root().equals(root)) this.#proven = size;
    else if (root) this.unsigned ??= { kind: 'unsigned', entry: this.#proven + 1, other: size, name: null };
  }
}

export const checkLog = async (log: LogToCheck): Promise<LogChecked> => {
  const tree = new TreeReader(log);
  const expected: Buffer[] = [];
  const actual: Found[] = [];
  let same = 0;
  let newer = 0;
  let apart = false;
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
        // Signed checkpoints also cover entries whose leaves are missing.
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
  // A checkpoint larger than the log: entries were cut off with their leaves. A tree that is merely behind,
  // as in a new copy, is no finding.
  const largest = Math.max(0, ...log.signed.keys());
  const there = same + actual.length + newer;
  if (largest > Math.max(size, there))
    findings.push({ kind: 'short', entry: size + 1, other: largest, name: null });
  return { size, root: (stored ?? tree.frontier).root(), newer, findings };
};
