import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '#domain/contracts/log-proofs.ts';
import { sayFindings } from '#domain/proof/proof.ts';
import { checkLog } from './check-log.ts';
import type { Found } from './differences.ts';
import { Frontier } from './hashing.ts';

const entry = (name: string, bytes = name): Found => ({
  name,
  hash: createHash('sha256').update(bytes).digest(),
});
const entries = (many: number): Found[] => Array.from({ length: many }, (_, at) => entry(`booking-${at}@0`));

const rootOf = (log: readonly Found[]): Buffer => {
  const frontier = new Frontier();
  for (const { hash } of log) frontier.append(hash);
  return frontier.root();
};

/** Compares a log with the tree of another, whose checkpoints were signed at some sizes. */
const check = (
  log: readonly Found[],
  tree: readonly Found[],
  signed: ReadonlyMap<number, Uint8Array> = new Map([[tree.length, rootOf(tree)]]),
) =>
  checkLog({
    signed,
    nameOf: async (index) => tree[index]?.name,
    leaves: (async function* () {
      for (let at = 0; at < tree.length; at += 3)
        yield Buffer.concat(tree.slice(at, at + 3).map(({ hash }) => hash));
    })(),
    entries: (async function* () {
      for (let at = 0; at < log.length; at += 7) yield log.slice(at, at + 7);
    })(),
  });

const found = async (log: readonly Found[], tree: readonly Found[]): Promise<readonly Finding[]> =>
  (await check(log, tree)).findings;

const put = (log: readonly Found[], at: number, ...some: Found[]) => log.toSpliced(at, 0, ...some);

describe('comparing a log with its tree', () => {
  const tree = entries(20);

  it('finds no difference, also if the log has grown meanwhile', async () => {
    expect(await check(tree, tree)).toMatchObject({ size: 20, newer: 0, findings: [], root: rootOf(tree) });
    expect(await check([...tree, entry('new@0')], tree)).toMatchObject({ newer: 1, findings: [] });
    expect((await check([], [])).findings).toEqual([]);
  });

  it.each([0, 7, 19])('names entry %i if it was changed', async (at) => {
    const log = tree.with(at, entry(`booking-${at}@0`, 'forged'));
    expect(await found([...log, entry('new@0')], tree)).toEqual([
      { kind: 'changed', entry: at + 1, name: `booking-${at}@0` },
    ]);
  });

  it.each([0, 7, 19])('names entry %i if it was dropped', async (at) => {
    const missing = [{ kind: 'missing', entry: at + 1, name: `booking-${at}@0` }];
    expect(await found(tree.toSpliced(at, 1), tree)).toEqual(missing);
    expect(await found([...tree.toSpliced(at, 1), entry('new@0'), entry('new@1')], tree)).toEqual(missing);
  });

  it.each([0, 7, 19])('names an entry inserted before entry %i', async (at) => {
    expect(await found([...put(tree, at, entry('forged@4')), entry('new@0')], tree)).toEqual([
      { kind: 'added', entry: at + 1, name: 'forged@4' },
    ]);
  });

  it('names both entries that were swapped, next to each other or not', async () => {
    for (const [one, other] of [
      [3, 4],
      [0, 19],
      [5, 11],
    ] as const) {
      const log = tree.with(one, tree[other] as Found).with(other, tree[one] as Found);
      expect(await found(log, tree)).toMatchObject([{ kind: 'swapped', entry: one + 1, other: other + 1 }]);
    }
  });

  it('names the range in which entries were moved', async () => {
    const log = put(tree.toSpliced(4, 1), 9, tree[4] as Found);
    expect(await found(log, tree)).toEqual([{ kind: 'moved', entry: 5, other: 10, name: null }]);
  });

  it('names a copied entry, and one that was moved to another stream', async () => {
    expect(await found(put(tree, 9, tree[3] as Found), tree)).toMatchObject([{ kind: 'added', entry: 10 }]);
    expect(await found(tree.with(6, entry('booking-99@0')), tree)).toEqual([
      { kind: 'changed', entry: 7, name: 'booking-6@0', now: 'booking-99@0' },
    ]);
  });

  it('names several findings at once', async () => {
    const log = tree.with(2, entry('booking-2@0', 'forged')).toSpliced(10, 1);
    const findings = await found(log, tree);
    expect(findings.map(({ kind, entry }) => [kind, entry])).toEqual([
      ['changed', 3],
      ['missing', 11],
    ]);
    expect(sayFindings(findings)).toBe(
      'Entry 3 (booking-2, revision 0) was changed. Entry 11 (booking-10, revision 0) is missing.',
    );
  });

  it('names the checkpoints between which an entry was changed together with its leaf', async () => {
    const signed = new Map([5, 10, 20].map((size) => [size, rootOf(tree.slice(0, size))]));
    const forged = tree.with(7, entry('booking-7@0', 'forged'));
    expect((await check(forged, forged, signed)).findings).toEqual([
      { kind: 'unsigned', entry: 6, other: 10, name: null },
    ]);
    const cut = tree.slice(0, 12);
    expect((await check(cut, cut, signed)).findings).toEqual([
      { kind: 'short', entry: 13, other: 20, name: null },
    ]);
  });

  it('uses the checkpoints if leaves were removed', async () => {
    const signed = new Map([5, 10, 20].map((size) => [size, rootOf(tree.slice(0, size))]));
    const forged = tree.with(7, entry('booking-7@0', 'forged'));
    for (const left of [0, 3, 7]) {
      expect((await check(forged, tree.slice(0, left), signed)).findings).toEqual([
        { kind: 'unsigned', entry: 6, other: 10, name: null },
      ]);
      expect(await check(tree, tree.slice(0, left), signed)).toMatchObject({
        size: left,
        newer: 20 - left,
        root: rootOf(tree.slice(0, left)),
        findings: [],
      });
    }
  });

  it('finds any dropped or reordered entries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(tree), async (log) => {
        const same = log.length === tree.length && log.every((one, at) => one === tree[at]);
        expect((await found(log, tree)).length === 0).toBe(same);
      }),
    );
  });
});
