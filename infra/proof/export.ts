/**
 * One JSON value a line: header, the tree's leaves with their entries' names, all entries in order, and the
 * signed checkpoints. `verify-log` needs only the public key.
 */
import type { Pool } from 'pg';
import type { Entry } from '#domain/proof/proof.ts';
import { canonicalJson } from '#infra/event-log/canonical-json.ts';
import { type EventLog, type RecordedEvent, START } from '#infra/event-log/event-log.ts';
import { readTree } from './tree-store.ts';

const EXPORT_FORM = 'reprise-log/1';

export interface OtherLine {
  readonly form?: string;
  readonly leaves?: string;
  readonly names?: readonly string[];
  readonly checkpoint?: string;
}

export const ENTRY_START = '{"data":';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Altered text stays a string, byte for byte. */
const embed = (text: string): string => {
  const value = parsed(text);
  return typeof value === 'object' && value !== null && canonicalJson(value) === text
    ? text
    : JSON.stringify(text);
};

export const lineOf = ({ data, meta, recordedAt, ...rest }: RecordedEvent): string => {
  const { id, position, revision, stream, type, version } = rest;
  const tail = canonicalJson({ position, revision, stream, time: recordedAt, type, version });
  return `${ENTRY_START}${embed(data)},"id":${JSON.stringify(id)},"meta":${embed(meta)},${tail.slice(1)}`;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : canonicalJson(value));

export const entryOf = (line: string): Entry => {
  const { data, meta, id, revision, stream, time, type, version } = JSON.parse(line);
  return { data: textOf(data), meta: textOf(meta), id, revision, stream, recordedAt: time, type, version };
};

const RUNS = 500;
const PAGE = 1_000;

export interface TreeToExport {
  readonly origin: string | null;
  readonly size: number;
  /** Of the largest checkpoint; exceeds the tree if the log was cut off. */
  readonly signed: number;
}

export const treeToExport = async (pool: Pick<Pool, 'query'>): Promise<TreeToExport> => {
  // Read before the tree, which then has at least the signed entries.
  const { rows } = await pool.query<{ largest: string | null }>(
    'SELECT max(size) AS largest FROM app.tree_checkpoint',
  );
  const { origin, size } = await readTree(pool);
  return { origin, size, signed: Number(rows[0]?.largest ?? 0) };
};

export const exportedLines = async function* (
  pool: Pick<Pool, 'query'>,
  log: EventLog,
  { origin, size, signed }: TreeToExport,
): AsyncGenerator<string> {
  const until = await log.head();
  yield `${JSON.stringify({ form: EXPORT_FORM, origin, log: log.id })}\n`;
  for (let next = 0; next < size; ) {
    const { rows } = await pool.query<{ first: string; hashes: Buffer; names: string[] }>(
      'SELECT first, hashes, names FROM app.tree_run WHERE first >= $1 AND first < $2 ORDER BY first LIMIT $3',
      [next, size, RUNS],
    );
    const last = rows.at(-1);
    if (!last) break;
    next = Number(last.first) + last.names.length;
    for (const { hashes, names } of rows)
      yield `${JSON.stringify({ leaves: hashes.toString('base64'), names })}\n`;
  }
  for await (const { events } of log.readAll(START, { pageSize: PAGE, until }))
    yield events.map((event) => `${lineOf(event)}\n`).join('');
  const { rows: checkpoints } = await pool.query<{ note: string }>(
    // A checkpoint larger than the log shows that the log was cut off.
    'SELECT note FROM app.tree_checkpoint WHERE size <= $1 ORDER BY size',
    [Math.max(size, signed)],
  );
  for (const { note } of checkpoints) yield `${JSON.stringify({ checkpoint: note })}\n`;
};
