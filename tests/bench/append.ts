/**
 * What an append costs: single events from 64 callers through the group commit, beside a plain INSERT of the same
 * bytes from 16 connections to the same PostgreSQL (fsync on), and how both stand in a log of a million events.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { GroupCommit } from '#command-api/commands/group-commit.ts';
import { unmeasured } from '#command-api/commands/metrics.ts';
import type { NewEvent } from '#infra/event-log/event-log.ts';
import { PostgresEventLog } from '#infra/event-log/postgres.ts';
import { openDatabase } from '#infra/postgres/database.ts';
import { type Row, row } from './row.ts';
import type { Stage } from './stage.ts';

const CALLERS = 64;
const CONNECTIONS = 16;
const TURNS = 4;
const UNIT = 'events/s';
const DURATION = 4_000;
const FILL = 1_000_000;

const someEvent = (): NewEvent => ({
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
const rate = async (callers: number, work: () => Promise<number>, duration = DURATION): Promise<number> => {
  const together = async (ms: number): Promise<number> => {
    const until = performance.now() + ms;
    let count = 0;
    const caller = async (): Promise<void> => {
      while (performance.now() < until) count += await work();
    };
    await Promise.all(Array.from({ length: callers }, caller));
    return count;
  };
  await together(duration / 4);
  const began = performance.now();
  return (await together(duration)) / ((performance.now() - began) / 1_000);
};

const fillLog = (pool: pg.Pool): Promise<unknown> =>
  pool.query(
    `INSERT INTO log.event (position, recorded_at, revision, version, id, stream, type, data, meta)
     SELECT coalesce((SELECT max(position) FROM log.event), 0) + n, now(), n % 10, 1, gen_random_uuid(),
       'filled-' || n / 10, 'TicketsHeld', repeat('x', 110), repeat('y', 200)
     FROM generate_series(1::bigint, $1::bigint) n`,
    [FILL],
  );

const item = () => ({ stream: `bench-${randomUUID()}`, expected: 'none' as const, events: [someEvent()] });
const single = (log: PostgresEventLog) => async () => (await log.append([item()])).length;
const fifty = (log: PostgresEventLog) => async () =>
  (await log.append(Array.from({ length: 50 }, item))).length;

/** A young log and a large one on the same server, in turns, so that what else the machine does hits both alike. */
const growth = async (stage: Stage): Promise<readonly Row[]> => {
  const [youngUrl, grownUrl] = [await stage.freshDatabase(), await stage.freshDatabase()];
  const filled = openDatabase(grownUrl, { max: 1 });
  const logs = [
    await PostgresEventLog.open({ url: youngUrl }),
    await PostgresEventLog.open({ url: grownUrl }),
  ];
  try {
    await fillLog(filled.pool);
    await filled.pool.query('VACUUM ANALYZE log.event');
    await filled.pool.query('CHECKPOINT');
    const figures = [0, 0];
    for (let turn = 0; turn < TURNS; turn += 1)
      for (const [index, log] of logs.entries())
        figures[index] = (figures[index] ?? 0) + (await rate(2, fifty(log), DURATION / 2)) / TURNS;
    const sizes = ['young log', `log of ${FILL.toLocaleString('en-GB')} events`];
    return sizes.map((size, index) => row(`append of 50 events a call, ${size}`, figures[index] ?? 0, UNIT));
  } finally {
    await Promise.all([...logs, filled].map((one) => one.close()));
  }
};

const PLAIN = `CREATE TABLE plain (
  id bigserial PRIMARY KEY, recorded_at timestamptz NOT NULL DEFAULT now(), event_id uuid NOT NULL, stream text NOT NULL,
  type text NOT NULL, data text NOT NULL, meta text NOT NULL)`;

export const run = async (stage: Stage): Promise<readonly Row[]> => {
  const url = await stage.freshDatabase();
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
  try {
    await pool.query(PLAIN);
    const plain = await rate(CONNECTIONS, plainInsert);
    const appended = await rate(CALLERS, grouped);
    return [
      row(`plain INSERT, ${CONNECTIONS} connections`, plain, 'rows/s'),
      row(`append of one event, ${CALLERS} callers, group commit`, appended, UNIT),
      row('ratio to the plain INSERT', appended / plain, '×'),
      row('append of one event a call, 4 callers', await rate(4, single(log)), UNIT),
      row('append of 50 events a call, 2 callers', await rate(2, fifty(log)), UNIT),
      ...(await growth(stage)),
    ];
  } finally {
    await log.close();
    await close();
  }
};
