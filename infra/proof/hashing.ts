/** The tree's hashes on the server, where they are made by the million. */
import { hash } from 'node:crypto';
import { type Entry, leafBytes, type Subtree } from '#domain/proof/proof.ts';

/** The length of a SHA-256 hash, in bytes. */
export const HASH_BYTES = 32;

/** Room for the largest entry in any script. Only used between two lines that nothing can interrupt. */
const scratch = new Uint8Array(1024 * 1024);
const pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** An entry's leaf in the tree. */
export const leafHash = (entry: Entry): Buffer => hash('sha256', leafBytes(entry, scratch), 'buffer');

/** The hash of the subtree that has these two as its halves. */
const joinHashes = (left: Uint8Array, right: Uint8Array): Buffer => {
  pair.set(left, 1);
  pair.set(right, 1 + HASH_BYTES);
  return hash('sha256', pair, 'buffer');
};

/** The hash of a range from its full subtrees, left to right. Of nothing, it is the empty tree's. */
export const joinAll = (hashes: readonly Buffer[]): Buffer =>
  hashes.length === 0
    ? hash('sha256', '', 'buffer')
    : hashes.reduceRight((right, left) => joinHashes(left, right));

/** The hashes that stand one after the other. */
export const hashesIn = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );

/** A full subtree with its hash. */
export interface HashedSubtree extends Subtree {
  readonly hash: Buffer;
}

/** A tree that grows by one entry at a time and remembers only what its root needs: the full subtrees, at most one of a size. */
export class Frontier {
  #size: number;
  readonly #hashes: Buffer[];

  /** @param hashes those of `subtreesOf([0, size])` */
  constructor(size = 0, hashes: readonly Buffer[] = []) {
    this.#size = size;
    this.#hashes = [...hashes];
  }

  get size(): number {
    return this.#size;
  }

  /** @param onFull is told of each subtree of two or more entries that this one completes */
  append(leaf: Buffer, onFull?: (subtree: HashedSubtree) => void): void {
    let joined = leaf;
    let index = this.#size;
    for (let level = 1; index % 2 === 1; level += 1) {
      const left = this.#hashes.pop();
      if (!left) throw new Error('the tree has lost a subtree');
      joined = joinHashes(left, joined);
      index = (index - 1) / 2;
      onFull?.({ level, index, hash: joined });
    }
    this.#hashes.push(joined);
    this.#size += 1;
  }

  root(): Buffer {
    return joinAll(this.#hashes);
  }

  copy(): Frontier {
    return new Frontier(this.#size, this.#hashes);
  }
}
