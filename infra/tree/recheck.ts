/** The full recheck: reads the whole log from its store, and compares it with the tree and with all that was ever signed. */
import type { Pool } from 'pg';
import { openCheckpoint } from '#domain/tree/checkpoint.ts';
import type { EventLog } from '#infra/event-log/event-log.ts';
import { START } from '#infra/event-log/event-log.ts';
import { checkLog, type LogChecked } from './check-log.ts';
import { leafHash } from './hashing.ts';
import { leavesOf, nameAt, nameOf, readTree } from './tree-store.ts';

export interface RecheckOptions {
  readonly pool: Pick<Pool, 'query'>;
  readonly log: EventLog;
  /** The keys whose checkpoints count: 32 raw bytes each. */
  readonly publicKeys: readonly Uint8Array<ArrayBuffer>[];
  say?(compared: number): void;
}

/** How many leaves are read at a time. */
const LEAVES = 65_536;
const PAGE = 2_000;

/** Compares the log with its tree as it is now. Entries that come meanwhile are newer than the tree, and no difference. */
export const recheck = async ({ pool, log, publicKeys, say }: RecheckOptions): Promise<LogChecked> => {
  // Before the tree is read: none of them is of entries that come meanwhile.
  const { rows } = await pool.query<{ size: string; note: string }>(
    'SELECT size, note FROM app.tree_checkpoint',
  );
  const { size } = await readTree(pool);
  const signed = new Map<number, Uint8Array>();
  const forged: number[] = [];
  for (const { size: stated, note } of rows) {
    const checkpoint = await openCheckpoint(note, publicKeys);
    if (checkpoint?.size === Number(stated)) signed.set(checkpoint.size, checkpoint.root);
    else forged.push(Number(stated));
  }
  const checked = await checkLog({
    signed,
    nameOf: (index) => nameAt(pool, index),
    ...(say ? { say } : {}),
    leaves: (async function* () {
      for (let from = 0; from < size; from += LEAVES)
        yield await leavesOf(pool, [from, Math.min(from + LEAVES, size)]);
    })(),
    entries: (async function* () {
      for await (const { events } of log.readAll(START, { pageSize: PAGE }))
        yield events.map((event) => ({ hash: leafHash(event), name: nameOf(event) }));
    })(),
  });
  const unsigned = forged.map((stated) => ({ kind: 'forged', entry: stated, name: null }) as const);
  return { ...checked, findings: [...checked.findings, ...unsigned] };
};
