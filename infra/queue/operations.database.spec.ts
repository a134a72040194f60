import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { migrate, readMigrations } from '#infra/postgres/migrate.ts';
import { freshDatabase, migratedDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { askForCheck, askForProjectionWork, COMPARE_LOG, runOperation, takeOperation } from './operations.ts';

const HOUR = 3_600_000;

describe('a long operation', () => {
  const database = migratedDatabase();
  beforeEach(() => database.pool.query('truncate app.operation'));

  const rows = async () => (await database.pool.query('select * from app.operation order by id')).rows;
  const taken = async (kind: 'build' | typeof COMPARE_LOG, cutOffAfter = HOUR): Promise<number> =>
    (await takeOperation(database.pool, [kind], cutOffAfter))?.id ?? expect.fail('none was found');

  it('excludes others on the read models until it has ended', async () => {
    const { pool } = database;
    expect(await askForProjectionWork(pool, 'build', 'sue')).toBe(true);
    expect(await askForProjectionWork(pool, 'check', 'sue')).toBe(false);
    await runOperation(pool, await taken('build'), async () => ({ outcome: 'built' }));
    expect(await askForProjectionWork(pool, 'check', 'sue')).toBe(true);
    expect(await rows()).toMatchObject([
      { kind: 'build', asked_by: 'sue', outcome: 'built', failed: false },
      { kind: 'check', started_at: null },
    ]);
  });

  it('on the log is queued at most once, beside a running one and one on the read models', async () => {
    const { pool } = database;
    await askForProjectionWork(pool, 'build', 'sue');
    const first = await askForCheck(pool, 'sue');
    expect(await askForCheck(pool, 'ann')).toBe(first);
    expect(await taken(COMPARE_LOG)).toBe(first);
    const second = await askForCheck(pool, 'ann');
    expect(second).not.toBe(first);
    expect((await rows()).map(({ id }) => id)).toEqual([expect.any(Number), first, second]);
  });

  it('runs in one process, and in another once it was interrupted', async () => {
    const { pool } = database;
    await askForProjectionWork(pool, 'build', 'sue');
    const id = await taken('build');
    expect(await takeOperation(pool, ['build'], HOUR)).toBeUndefined();
    expect(await taken('build', 0)).toBe(id);
    await pool.query(`update app.operation set told_at = told_at - interval '2 hours'`);
    expect(await taken('build')).toBe(id);
  });

  it('reports its progress and its error', async () => {
    const { pool } = database;
    await askForProjectionWork(pool, 'build', 'sue');
    const failing = runOperation(pool, await taken('build'), async (tell) => {
      tell({ phase: 'load', events: 7, seconds: 2, fraction: 0.5 });
      await eventually(async () =>
        expect(await rows()).toMatchObject([{ phase: 'load', events: 7, seconds: 2, fraction: 0.5 }]),
      );
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await rows()).toMatchObject([
      { phase: 'load', events: 7, failed: true, outcome: 'the disk is full', ended_at: expect.any(Date) },
    ]);
  });

  it('is left to the next process if this one was stopped', async () => {
    const { pool } = database;
    const id = await askForCheck(pool, 'sue');
    const stopped = AbortSignal.abort();
    await taken(COMPARE_LOG);
    const ended = runOperation(pool, id, () => Promise.reject(stopped.reason), stopped);
    await expect(ended).rejects.toThrow();
    expect(await rows()).toMatchObject([{ id, ended_at: null }]);
  });
});

describe('upgrading from the former release', () => {
  /** The database of a release with a table for each kind of operation, and connections to it. */
  const formerDatabase = async () => {
    const url = await freshDatabase();
    const migrations = await readMigrations();
    await migrate(
      url,
      migrations.filter(({ name }) => name < '106-'),
    );
    const connect = async () => {
      const client = new pg.Client(url);
      await client.connect();
      atTheEnd(() => client.end());
      return client;
    };
    return { upgrade: () => migrate(url), connect, client: await connect() };
  };

  /** The statements of the former release. */
  const former = (client: pg.Client) => ({
    askForWork: (kind: string) =>
      client.query(
        'INSERT INTO app.projection_work (kind, asked_by) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [kind, 'sue'],
      ),
    takeWork: async () =>
      (
        await client.query(
          `UPDATE app.projection_work SET started_at = clock_timestamp(), told_at = clock_timestamp()
            WHERE ended_at IS NULL AND (started_at IS NULL OR told_at < clock_timestamp() - interval '1 minute')
            RETURNING id::text, kind`,
        )
      ).rows,
    endWork: (id: string) =>
      client.query(
        `UPDATE app.projection_work SET ended_at = clock_timestamp(), outcome = 'built', failed = false WHERE id = $1 AND ended_at IS NULL`,
        [id],
      ),
    askForCheck: async () =>
      (
        await client.query(
          `WITH waiting AS (SELECT id FROM app.tree_check WHERE started_at IS NULL), asked AS (
             INSERT INTO app.tree_check (asked_by) SELECT $1 WHERE NOT EXISTS (SELECT FROM waiting) RETURNING id
           ) SELECT max(id) AS id FROM (SELECT id FROM waiting UNION ALL SELECT id FROM asked) both_of_them`,
          ['sue'],
        )
      ).rows[0].id,
    takeCheck: async () =>
      (
        await client.query(
          `UPDATE app.tree_check SET started_at = clock_timestamp(), compared = 0, size = (SELECT size FROM app.tree)
            WHERE id = (SELECT id FROM app.tree_check WHERE done_at IS NULL ORDER BY id LIMIT 1) RETURNING id, size`,
        )
      ).rows[0]?.id,
    endCheck: (id: string) =>
      client.query(
        `UPDATE app.tree_check SET done_at = clock_timestamp(), findings = '[]', error = null,
           compared = coalesce(9, compared), size = coalesce(9, size) WHERE id = $1`,
        [id],
      ),
  });
  const shown = async (client: pg.Client) =>
    (
      await client.query(
        `select kind, started_at is not null as started, ended_at is not null as ended, outcome from app.operation order by id`,
      )
    ).rows;

  it('keeps the operations and shares them with programs of the former release', async () => {
    const { upgrade, client } = await formerDatabase();
    const theirs = former(client);
    await theirs.askForWork('build');
    const [build] = await theirs.takeWork();
    await theirs.askForCheck();
    await theirs.endCheck(await theirs.takeCheck());
    const running = await theirs.askForCheck();
    expect(await theirs.takeCheck()).toBe(running);

    await upgrade();
    // Their rebuild goes on; their comparison is made again.
    expect((await theirs.endWork(build.id)).rowCount).toBe(1);
    expect((await theirs.endCheck(running)).rowCount).toBe(0);
    expect(await shown(client)).toEqual([
      { kind: 'build', started: true, ended: true, outcome: 'built' },
      { kind: 'compare-log', started: true, ended: true, outcome: null },
      { kind: 'compare-log', started: true, ended: false, outcome: null },
    ]);
    const again = await theirs.takeCheck();
    expect((await theirs.endCheck(again)).rowCount).toBe(1);

    await theirs.askForWork('switch');
    expect((await theirs.askForWork('check')).rowCount).toBe(0);
    const asked = await theirs.askForCheck();
    expect(await theirs.askForCheck()).toBe(asked);
    expect((await shown(client)).slice(3)).toEqual([
      { kind: 'switch', started: false, ended: false, outcome: null },
      { kind: 'compare-log', started: false, ended: false, outcome: null },
    ]);
    expect(await theirs.takeWork()).toEqual([{ id: expect.any(String), kind: 'switch' }]);
    expect(await theirs.takeCheck()).toBe(asked);
    const { rows } = await client.query(
      'select compared, size, findings, error from app.tree_check order by id',
    );
    expect(rows).toEqual([
      { compared: '9', size: '9', findings: [], error: null },
      { compared: '9', size: '9', findings: [], error: null },
      { compared: '0', size: '0', findings: null, error: null },
    ]);
  });

  it('loses nothing that a program of the former release commits meanwhile', async () => {
    const { upgrade, connect, client } = await formerDatabase();
    const theirs = await connect();
    await theirs.query('begin');
    await former(theirs).askForWork('build');
    const upgraded = upgrade();
    await expect
      .poll(async () => (await client.query('select from pg_locks where not granted')).rowCount)
      .toBeGreaterThan(0);
    await theirs.query('commit');
    await upgraded;
    expect(await shown(client)).toMatchObject([{ kind: 'build', started: false }]);
  });
});
