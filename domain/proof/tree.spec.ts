import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Entry, leafBytes } from './leaf.ts';
import { consistencyRanges, inclusionRanges, type Range, subtreesOf } from './shape.ts';
import { type Hash, provesConsistency, provesInclusion } from './verify.ts';

const sha256 = (...parts: Uint8Array[]): Hash => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
};
const leaf = (bytes: Uint8Array): Hash => sha256(Uint8Array.of(0), bytes);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The definition in RFC 9162, 2.1.1, word for word. */
const rootOf = (leaves: readonly Hash[]): Hash => {
  const [only] = leaves;
  if (!only) return sha256();
  if (leaves.length === 1) return only;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha256(Uint8Array.of(1), rootOf(leaves.slice(0, k)), rootOf(leaves.slice(k)));
};
const hashesOf = (leaves: readonly Hash[], ranges: readonly Range[]): Hash[] =>
  ranges.map(([from, to]) => rootOf(leaves.slice(from, to)));

/** The leaves and roots with which the implementations of Certificate Transparency are tested. */
const INPUTS = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const known = INPUTS.map((input) => leaf(Buffer.from(input, 'hex')));

const trees = fc
  .array(fc.uint8Array({ maxLength: 4 }), { minLength: 1, maxLength: 70 })
  .map((inputs) => inputs.map(leaf));

describe('the Merkle tree', () => {
  it('has the known roots of Certificate Transparency', () => {
    for (const [size, root] of ROOTS.entries()) expect(hex(rootOf(known.slice(0, size)))).toBe(root);
  });

  it('combines a range from its full subtrees', () => {
    fc.assert(
      fc.property(trees, (leaves) => {
        const hashes = subtreesOf([0, leaves.length]).map(({ level, index }) =>
          rootOf(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)),
        );
        const joined = hashes.reduceRight((right, left) => sha256(Uint8Array.of(1), left, right));
        expect(hex(joined)).toBe(hex(rootOf(leaves)));
      }),
    );
  });

  it('proves every entry, and fails for another leaf, place, size, path or root', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.nat(), async (leaves, chosen) => {
        const size = leaves.length;
        const index = chosen % size;
        const own = leaves[index] as Hash;
        const path = hashesOf(leaves, inclusionRanges(index, size));
        const root = rootOf(leaves);
        expect(await provesInclusion(own, index, size, path, root)).toBe(true);
        expect(await provesInclusion(sha256(own), index, size, path, root)).toBe(false);
        expect(await provesInclusion(own, index + size, size, path, root)).toBe(false);
        expect(await provesInclusion(own, index, size, [...path, root], root)).toBe(false);
        expect(await provesInclusion(own, index, size, path, sha256(root))).toBe(false);
        if (size > 1) expect(await provesInclusion(own, index, size, path.slice(1), root)).toBe(false);
      }),
    );
  });

  it('proves that it begins with an earlier tree, and with no other', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.nat(), async (leaves, chosen) => {
        const second = { size: leaves.length, root: rootOf(leaves) };
        const size = chosen % (leaves.length + 1);
        const first = { size, root: rootOf(leaves.slice(0, size)) };
        const path = hashesOf(leaves, consistencyRanges(size, leaves.length));
        expect(await provesConsistency(first, second, path)).toBe(true);
        expect(await provesConsistency(second, { ...second, root: sha256(second.root) }, [])).toBe(false);
        expect(await provesConsistency(first, second, [...path, second.root])).toBe(false);
        if (size === 0 || size === leaves.length) return;
        expect(await provesConsistency({ ...first, root: sha256(first.root) }, second, path)).toBe(false);
        expect(await provesConsistency(first, { ...second, root: sha256(second.root) }, path)).toBe(false);
        expect(await provesConsistency(second, first, path)).toBe(false);
        expect(await provesConsistency(first, second, path.slice(1))).toBe(false);
      }),
    );
  });
});

describe('a leaf of the Merkle tree', () => {
  const entry: Entry = {
    id: '8d3f7b1e-0000-4000-8000-000000000001',
    stream: 'booking-7',
    revision: 0,
    type: 'BookingPlaced',
    version: 1,
    recordedAt: '2026-03-01T12:00:00.000Z',
    meta: '{"at":"Łódź"}',
    data: '{}',
  };

  it('differs if any field differs', () => {
    const hashes = new Set([hex(leafBytes(entry))]);
    for (const key of Object.keys(entry) as (keyof Entry)[])
      hashes.add(hex(leafBytes({ ...entry, [key]: typeof entry[key] === 'number' ? 9 : `${entry[key]}x` })));
    expect(hashes.size).toBe(9);
  });

  it('differs if only the border between two fields moves', () => {
    const moved = { ...entry, stream: 'booking-', revision: 70 };
    expect(hex(leafBytes({ ...entry, stream: 'booking-7', revision: 0 }))).not.toBe(hex(leafBytes(moved)));
    expect(hex(leafBytes({ ...entry, meta: 'ab', data: 'c' }))).not.toBe(
      hex(leafBytes({ ...entry, meta: 'a', data: 'bc' })),
    );
  });

  it('is equal in a reused buffer', () => {
    const scratch = new Uint8Array(4_096).fill(255);
    expect(hex(leafBytes(entry, scratch))).toBe(hex(leafBytes(entry)));
    expect(leafBytes(entry).subarray(1, 10)).toEqual(Uint8Array.of(0, 0, 0, 1, 0x31, 0, 0, 0, 1));
  });
});
