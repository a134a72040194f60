import { hash } from 'node:crypto';
import { type Entry, leafBytes, type Subtree } from '#domain/proof/proof.ts';

export const HASH_BYTES = 32;

/** Room for the largest entry in any script. Shared: only in synchronous code. */
const scratch = new Uint8Array(1024 * 1024);
const pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

export const leafHash = (entry: Entry): Buffer => hash('sha256', leafBytes(entry, scratch), 'buffer');

const joinHashes = (left: Uint8Array, right: Uint8Array): Buffer => {
  pair.set(left, 1);
  pair.set(right, 1 + HASH_BYTES);
  return hash('sha256', pair, 'buffer');
};

export const joinAll = (hashes: readonly Buffer[]): Buffer =>
  hashes.length === 0
    ? hash('sha256', '', 'buffer')
    : hashes.reduceRight((right, left) => joinHashes(left, right));

export const hashesIn = (bytes: Buffer): Buffer[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );

export interface HashedSubtree extends Subtree {
  readonly hash: Buffer;
}

/** Keeps what the root needs: full subtrees, at most one of each size. */
export class Frontier {
  #size: number;
  readonly #hashes: Buffer[];

  constructor(size = 0, hashes: readonly Buffer[] = []) {
    this.#size = size;
    this.#hashes = [...hashes];
  }

  get size(): number {
    return this.#size;
  }

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
