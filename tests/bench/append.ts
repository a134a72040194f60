/**
 * What an append costs: single events from 64 callers through the group commit, beside a plain INSERT of the same
 * bytes from 16 connections to the same PostgreSQL (fsync on), and how both stand in a log of a million events.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { GroupCommit } from '#command-api/lane/group-commit.ts';
import { unmeasured } from '#command-api/lane/metrics.ts';
import type { NewEvent } from '#infra/event-log/event-log.ts';
import { PostgresEventLog } from '#infra/event-log/postgres.ts';
import { openDatabase } from '#infra/postgres/database.ts';
import { startEmbedded } from '#infra/postgres/embedded.ts';
import { print, type Row } from './row.ts';

export interface AppendBenchOptions {
  /** PostgreSQL to use; its log is filled. Default: a server of its own in a temporary folder. */
  readonly url?: string;
  /** Milliseconds a figure. Default 4,000. */
  readonly duration?: number;
  /** Events of the large log that is held against a young one. Default 1,000,000; 0 leaves that out. */
  readonly fill?: number;
}

const CALLERS = 64;
const CONNECTIONS = 16;
const TURNS = 4;

export const someEvent = (): NewEvent => ({
  id: randomUUID(),
  type: 'TicketsHeld',
  version: 1,
  data: JSON.stringify({ attempt: randomUUID(), quantity: 2, until: '2026-11-21T10:15:00.000Z' }),
  meta: JSON.stringify({
    actor: { id: randomUUID(), kind: 'user', role: 'user' },
    at: '2026-11-21T10:00:00.000Z',
    commandId: randomUUID(),
    correlationId: randomUUID(),
  }),
});

/** Calls `work` from so many callers, after a short warm-up; what it counts a second. */
export const rate = async (
  callers: number,
  duration: number,
  work: () => Promise<number>,
): Promise<number> => {
  const loop = async (until: number): Promise<number> => {
    let count = 0;
    while (performance.now() < until) count += await work();
    return count;
  };
  const together = (ms: number) => {
    const until = performance.now() + ms;
    return Promise.all(Array.from({ length: callers }, () => loop(until)));
  };
  await together(duration / 4);
  const began = performance.now();
  const counts = await together(duration);
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - began) / 1_000);
};

const fillLog = (pool: pg.Pool, events: number): Promise<unknown> =>
  pool.query(
    `INSERT INTO log.event (position, recorded_at, revision, version, id, stream, type, data, meta)
     SELECT coalesce((SELECT max(position) FROM log.event), 0) + n, now(), n % 10, 1, gen_random_uuid(),
       'filled-' || n / 10, 'TicketsHeld', repeat('x', 110), repeat('y', 200)
     FROM generate_series(1::bigint, $1::bigint) n`,
    [events],
  );

/** A young log and a large one on the same server, in turns, so that what else the machine does hits both alike. */
const growth = async (
  url: string,
  pool: pg.Pool,
  duration: number,
  fill: number,
): Promise<[small: number, large: number]> => {
  const name = `bench_${randomUUID().replaceAll('-', '')}`;
  await pool.query(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const filled = openDatabase(own.href, { max: 1 });
  const small = await PostgresEventLog.open({ url });
  const large = await PostgresEventLog.open({ url: own.href });
  try {
    await fillLog(filled.pool, fill);
    await filled.pool.query('VACUUM ANALYZE log.event');
    await filled.pool.query('CHECKPOINT');
    const figures: [number, number] = [0, 0];
    for (let turn = 0; turn < TURNS; turn += 1) {
      figures[0] += (await rate(2, duration / 2, fifty(small))) / TURNS;
      figures[1] += (await rate(2, duration / 2, fifty(large))) / TURNS;
    }
    return figures;
  } finally {
    await Promise.all([small.close(), large.close(), filled.close()]);
    await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
};

const item = () => ({ stream: `bench-${randomUUID()}`, expected: 'none' as const, events: [someEvent()] });
const fifty = (log: PostgresEventLog) => async () =>
  (await log.append(Array.from({ length: 50 }, item))).length;

const PLAIN = `CREATE TABLE plain (
  id bigserial PRIMARY KEY, recorded_at timestamptz NOT NULL DEFAULT now(), event_id uuid NOT NULL, stream text NOT NULL,
  type text NOT NULL, data text NOT NULL, meta text NOT NULL)`;

const measure = async (url: string, duration: number, fill: number): Promise<Row[]> => {
  const log = await PostgresEventLog.open({ url });
  const { pool, close } = openDatabase(url, { max: CONNECTIONS });
  const group = new GroupCommit(log, { inFlight: 2, mostBytes: 900_000, metrics: unmeasured });
  const plainInsert = async () => {
    const { id, type, data, meta } = someEvent();
    await pool.query({
      name: 'plain',
      text: 'INSERT INTO plain (event_id, stream, type, data, meta) VALUES ($1, $2, $3, $4, $5)',
      values: [id, `bench-${randomUUID()}`, type, data, meta],
    });
    return 1;
  };
  const grouped = async () => {
    await group.append(item(), 400);
    return 1;
  };
  const single = async () => (await log.append([item()])).length;

  try {
    await pool.query('DROP TABLE IF EXISTS plain');
    await pool.query(PLAIN);
    const rows: Row[] = [];
    const row = (what: string, figure: number, unit = 'events/s') => rows.push({ what, figure, unit });
    const plain = await rate(CONNECTIONS, duration, plainInsert);
    row(`plain INSERT, ${CONNECTIONS} connections`, plain, 'rows/s');
    const appended = await rate(CALLERS, duration, grouped);
    row(`append of one event, ${CALLERS} callers, group commit`, appended);
    row('ratio to the plain INSERT', appended / plain, '×');
    row('append of one event a call, 4 callers', await rate(4, duration, single));
    row('append of 50 events a call, 2 callers', await rate(2, duration, fifty(log)));
    if (fill > 0) {
      const [small, large] = await growth(url, pool, duration, fill);
      row('append of 50 events a call, young log', small);
      row(`append of 50 events a call, log of ${fill.toLocaleString('en-GB')} events`, large);
    }
    return rows;
  } finally {
    await log.close();
    await close();
  }
};

/** Measures; takes about half a minute. */
export const run = async ({
  url,
  duration = 4_000,
  fill = 1_000_000,
}: AppendBenchOptions = {}): Promise<Row[]> => {
  if (url) return measure(url, duration, fill);
  const folder = await mkdtemp(join(tmpdir(), 'reprise-bench-'));
  await chmod(folder, 0o755);
  const server = await startEmbedded({ dataDir: join(folder, 'postgres') });
  try {
    return await measure(server.url, duration, fill);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) print(await run());
