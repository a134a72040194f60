import type { Pool } from 'pg';
import type { Finding } from '#domain/contracts/log-proofs.ts';
import { openCheckpoint } from '#domain/proof/proof.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { START } from '#infra/event-log/event-log.ts';
import { checkLog, type LogChecked } from './check-log.ts';
import { HASH_BYTES, leafHash } from './hashing.ts';
import { leavesOf, nameAt, nameOf, readNodes, readTree } from './tree-store.ts';

export interface RecheckOptions {
  readonly pool: Pick<Pool, 'query'>;
  readonly log: EventLog;
  readonly publicKeys: readonly Uint8Array<ArrayBuffer>[];
  say?(compared: number): void;
}

const LEAVES = 65_536;
const PAGE = 2_000;

/** Entries appended meanwhile are newer than the tree, not differences. */
export const recheck = async ({ pool, log, publicKeys, say }: RecheckOptions): Promise<LogChecked> => {
  // Read before the tree, so that none covers entries appended meanwhile.
  const { rows } = await pool.query<{ size: string; note: string }>(
    'SELECT size, note FROM app.tree_checkpoint',
  );
  const tree = await readTree(pool);
  // The tree is another log's, of which this one is a copy, and is about to be rebuilt.
  const size = tree.logId === log.id ? tree.size : 0;
  const signed = new Map<number, Uint8Array>();
  const forged: number[] = [];
  for (const { size: stated, note } of rows) {
    const checkpoint = await openCheckpoint(note, publicKeys);
    if (checkpoint?.size === Number(stated)) signed.set(checkpoint.size, checkpoint.root);
    else forged.push(Number(stated));
  }
  // Read after the tree: nodes of later leaves are never asked for.
  const asStored = await readNodes(pool);
  const torn: Finding[] = [];
  const checked = await checkLog({
    signed,
    nameOf: (index) => nameAt(pool, index),
    onFull: (subtree) => {
      const entries = 2 ** subtree.level;
      const from = subtree.index * entries;
      // Of nested subtrees, report only the smaller, which comes first.
      const told = (torn.at(-1)?.entry ?? 0) > from;
      if (!told && !asStored(subtree))
        torn.push({ kind: 'torn', entry: from + 1, other: from + entries, name: null });
    },
    ...(say ? { say } : {}),
    leaves: (async function* () {
      for (let from = 0; from < size; from += LEAVES) {
        const to = Math.min(from + LEAVES, size);
        const leaves = await leavesOf(pool, [from, to]);
        yield leaves;
        const there = from + leaves.length / HASH_BYTES;
        if (there === to) continue;
        torn.push({ kind: 'torn', entry: there + 1, other: size, name: null });
        return;
      }
    })(),
    entries: (async function* () {
      for await (const { events } of log.readAll(START, { pageSize: PAGE }))
        yield events.map((event) => ({ hash: leafHash(event), name: nameOf(event) }));
    })(),
  });
  const unsigned = forged.map((stated) => ({ kind: 'forged', entry: stated, name: null }) as const);
  return { ...checked, findings: [...checked.findings, ...torn, ...unsigned] };
};
