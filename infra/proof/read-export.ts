import { linesOf } from '#infra/lib/lines.ts';
import { ENTRY_START, entryOf, type OtherLine } from './export.ts';
import { HASH_BYTES, leafHash } from './hashing.ts';
import { nameOf } from './tree-store.ts';

export interface Part {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly withNames: boolean;
}

export interface PartRead {
  readonly leaves: Uint8Array;
  readonly hashes: Uint8Array;
  readonly treeNames: readonly string[];
  readonly names: readonly string[];
  readonly checkpoints: readonly string[];
  readonly unreadable: number;
}

class Hashes {
  #bytes = Buffer.alloc(HASH_BYTES * 4_096);
  #end = 0;

  add(bytes: Buffer): void {
    if (this.#end + bytes.length > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], 2 * this.#bytes.length + bytes.length);
    this.#end += bytes.copy(this.#bytes, this.#end);
  }

  get all(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }
}

const otherIn = (line: string): OtherLine | undefined => {
  try {
    return JSON.parse(line) ?? undefined;
  } catch {
    return undefined;
  }
};

const UNREADABLE = Buffer.alloc(HASH_BYTES);

export default async ({ file, from, to, withNames }: Part): Promise<PartRead> => {
  const [leaves, hashes] = [new Hashes(), new Hashes()];
  const [treeNames, names, checkpoints]: string[][] = [[], [], []];
  let unreadable = 0;
  let at = Math.max(0, from - 1);
  let first = from > 0;
  for await (const bytes of linesOf(file, at)) {
    const begins = at;
    at += bytes.length + 1;
    if (first) {
      first = false;
      continue;
    }
    if (begins >= to) break;
    const line = bytes.toString();
    if (line === '') continue;
    if (line.startsWith(ENTRY_START)) {
      try {
        const entry = entryOf(line);
        hashes.add(leafHash(entry));
        if (withNames) names?.push(nameOf(entry));
      } catch {
        hashes.add(UNREADABLE);
        if (withNames) names?.push(`unreadable@${begins}`);
      }
      continue;
    }
    const other = otherIn(line);
    if (!other) {
      unreadable += 1;
      continue;
    }
    if (typeof other.leaves === 'string') leaves.add(Buffer.from(other.leaves, 'base64'));
    if (withNames && Array.isArray(other.names)) treeNames?.push(...other.names);
    if (typeof other.checkpoint === 'string') checkpoints?.push(other.checkpoint);
  }
  return {
    leaves: leaves.all,
    hashes: hashes.all,
    treeNames: treeNames ?? [],
    names: names ?? [],
    checkpoints: checkpoints ?? [],
    unreadable,
  };
};
