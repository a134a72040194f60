/**
 * The tree is in PostgreSQL, whichever store has the log. Only the sequencer writes. Leaves and full
 * subtrees of 256 entries and more are stored.
 */
import type { Pool } from 'pg';
import { type Range, type Subtree, subtreesOf } from '#domain/proof/proof.ts';
import { type Position, START } from '#infra/event-log/event-log.ts';
import { Frontier, HASH_BYTES, type HashedSubtree, joinAll } from './hashing.ts';

type Db = Pick<Pool, 'query'>;

const STORED_LEVEL = 8;
const BLOCK = 2 ** STORED_LEVEL;

export interface TreeState {
  /** Name of the log; `null` before the first sequencer. */
  readonly origin: string | null;
  readonly logId: string | null;
  readonly size: number;
  readonly position: Position;
  /** Why signing has stopped. */
  readonly broken: string | null;
  readonly brokenAt: Date | null;
}

export const readTree = async (db: Db): Promise<TreeState> => {
  const { rows } = await db.query<{ [K in keyof TreeState]: TreeState[K] | string }>(
    `SELECT origin, log_id AS "logId", size, position, broken, broken_at AS "brokenAt" FROM app.tree`,
  );
  const [row] = rows;
  if (!row) throw new Error('the table of the tree is empty');
  return { ...row, size: Number(row.size) } as TreeState;
};

export class TornTree extends Error {
  override readonly name = 'TornTree';
}

export const nameOf = ({
  stream,
  revision,
}: {
  readonly stream: string;
  readonly revision: number;
}): string => `${stream}@${revision}`;

export const placeIn = (name: string): { readonly stream: string; readonly revision: number } => {
  const border = name.lastIndexOf('@');
  return { stream: name.slice(0, border), revision: Number(name.slice(border + 1)) };
};

/** Stops before the first missing leaf. */
export const leavesOf = async (db: Db, [from, to]: Range): Promise<Buffer> => {
  const { rows } = await db.query<{ first: string; hashes: Buffer }>(
    `SELECT first, hashes FROM app.tree_run
      WHERE first >= coalesce((SELECT max(first) FROM app.tree_run WHERE first <= $1), 0) AND first < $2 ORDER BY first`,
    [from, to],
  );
  const start = Number(rows[0]?.first ?? from);
  if (start > from) return Buffer.alloc(0);
  const runs: Buffer[] = [];
  let next = start;
  for (const { first, hashes } of rows) {
    if (Number(first) !== next) break;
    runs.push(hashes);
    next += hashes.length / HASH_BYTES;
  }
  const until = Math.min(to, Math.floor(next));
  return Buffer.concat(runs).subarray((from - start) * HASH_BYTES, (until - start) * HASH_BYTES);
};

const keyOf = ({ level, index }: Subtree): string => `${level}/${index}`;

export const readNodes = async (db: Db): Promise<(subtree: HashedSubtree) => boolean> => {
  const { rows } = await db.query<{ level: number; index: string; hash: Buffer }>(
    'SELECT level, index, hash FROM app.tree_node',
  );
  const stored = new Map(rows.map(({ level, index, hash }) => [`${level}/${index}`, hash]));
  return (subtree) =>
    subtree.level < STORED_LEVEL || stored.get(keyOf(subtree))?.equals(subtree.hash) === true;
};

export const hashesOfRanges = async (db: Db, ranges: readonly Range[]): Promise<readonly Buffer[]> => {
  const parts = ranges.map(subtreesOf);
  const found = new Map<string, Buffer>();
  const large = parts.flat().filter(({ level }) => level >= STORED_LEVEL);
  if (large.length > 0) {
    const { rows } = await db.query<{ level: number; index: string; hash: Buffer }>(
      `SELECT n.* FROM app.tree_node n JOIN unnest($1::smallint[], $2::bigint[]) AS asked (level, index) USING (level, index)`,
      [large.map(({ level }) => level), large.map(({ index }) => index)],
    );
    for (const { level, index, hash } of rows) found.set(`${level}/${index}`, hash);
  }
  const small = parts.flat().filter(({ level }) => level < STORED_LEVEL);
  const blocks = Map.groupBy(small, ({ level, index }) => Math.floor((index * 2 ** level) / BLOCK));
  for (const [block, subtrees] of blocks) {
    const start = block * BLOCK;
    const leaves = await leavesOf(db, [start, start + BLOCK]);
    for (const subtree of subtrees) {
      const first = subtree.index * 2 ** subtree.level - start;
      const frontier = new Frontier();
      for (let leaf = first; leaf < first + 2 ** subtree.level; leaf += 1)
        frontier.append(leaves.subarray(leaf * HASH_BYTES, (leaf + 1) * HASH_BYTES));
      found.set(keyOf(subtree), frontier.root());
    }
  }
  return parts.map((subtrees) =>
    joinAll(
      subtrees.map((subtree) => {
        const hash = found.get(keyOf(subtree));
        if (hash?.length !== HASH_BYTES) throw new TornTree(`The tree has lost its part ${keyOf(subtree)}.`);
        return hash;
      }),
    ),
  );
};

export const loadFrontier = async (db: Db, size: number): Promise<Frontier> =>
  new Frontier(
    size,
    await hashesOfRanges(
      db,
      subtreesOf([0, size]).map(
        ({ level, index }) => [index * 2 ** level, (index + 1) * 2 ** level] as const,
      ),
    ),
  );

export interface Run {
  readonly first: number;
  readonly after: Position;
  readonly until: Position;
  readonly hashes: readonly Buffer[];
  readonly names: readonly string[];
  readonly full: readonly HashedSubtree[];
}

/** Resolves to false if the tree has changed or the lease was lost. */
export const addRun = async (db: Db, holder: string, run: Run): Promise<boolean> => {
  const full = run.full.filter(({ level }) => level >= STORED_LEVEL);
  const { rowCount } = await db.query(
    `WITH moved AS (
       UPDATE app.tree SET size = $2 + cardinality($6::text[]), position = $4
        WHERE holder = $1 AND size = $2 AND position = $3 RETURNING size
     ), run AS (
       INSERT INTO app.tree_run (first, after, hashes, names) SELECT $2, $3, $5, $6 FROM moved
     ), node AS (
       INSERT INTO app.tree_node (level, index, hash)
       SELECT n.* FROM unnest($7::smallint[], $8::bigint[], $9::bytea[]) AS n, moved
     ) SELECT FROM moved`,
    [
      holder,
      run.first,
      run.after,
      run.until,
      Buffer.concat(run.hashes),
      run.names,
      full.map(({ level }) => level),
      full.map(({ index }) => index),
      full.map(({ hash }) => hash),
    ],
  );
  return rowCount === 1;
};

/** Rebuilds the leaves of another log, such as a copy's source. Nothing is signed that does not continue its checkpoints. */
export const adoptLog = async (db: Db, holder: string, logId: string, origin: string): Promise<TreeState> => {
  const state = await readTree(db);
  if (state.logId === logId) return state;
  await db.query(
    `WITH adopted AS (
       UPDATE app.tree SET log_id = $2, origin = coalesce(origin, $3), size = 0, position = $4 WHERE holder = $1 RETURNING 1
     ), runs AS (DELETE FROM app.tree_run WHERE EXISTS (SELECT FROM adopted)
     ) DELETE FROM app.tree_node WHERE EXISTS (SELECT FROM adopted)`,
    [holder, logId, origin, START],
  );
  return readTree(db);
};

/** From 0; `undefined` if the tree does not have it yet. */
export const indexOf = async (
  db: Db,
  entry: { readonly stream: string; readonly revision: number; readonly position: Position },
): Promise<number | undefined> => {
  const name = nameOf(entry);
  const { rows } = await db.query<{ index: string | null }>(
    `SELECT first + array_position(names, $2) - 1 AS index FROM app.tree_run
      WHERE after < $1 ORDER BY after DESC LIMIT 1`,
    [entry.position, name],
  );
  if (rows[0]?.index != null) return Number(rows[0].index);
  if ((await readTree(db)).position < entry.position) return undefined;
  const { rows: searched } = await db.query<{ index: string }>(
    `SELECT first + array_position(names, $1) - 1 AS index FROM app.tree_run WHERE names @> ARRAY[$1] LIMIT 1`,
    [name],
  );
  return searched[0] && Number(searched[0].index);
};

export const nameAt = async (db: Db, index: number): Promise<string | undefined> => {
  const { rows } = await db.query<{ name: string | null }>(
    `SELECT names[$1::bigint - first + 1] AS name FROM app.tree_run WHERE first <= $1 ORDER BY first DESC LIMIT 1`,
    [index],
  );
  return rows[0]?.name ?? undefined;
};

export const newestCheckpoint = async (db: Db, atLeast = 0): Promise<string | undefined> => {
  const { rows } = await db.query<{ note: string }>(
    'SELECT note FROM app.tree_checkpoint WHERE size >= $1 ORDER BY size DESC LIMIT 1',
    [atLeast],
  );
  return rows[0]?.note;
};
