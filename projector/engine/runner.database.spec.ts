import { randomUUID } from 'node:crypto';
import { setTimeout as pause, setImmediate as tick } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { allEvents } from '#domain/all-events.ts';
import { cityEvents } from '#domain/place/events.ts';
import { createCodec } from '#infra/event-log/codec.ts';
import type { NewEvent } from '#infra/event-log/event-log.ts';
import { findViolations } from '#infra/read-models/invariants.ts';
import { followReadModels, type ReadModelsNotice, type ReadProgress } from '#infra/read-models/progress.ts';
import { projections } from '#projector/projections/all.ts';
import { describeComparison } from '#projector/rebuild/compare.ts';
import { compareWithRebuild, RebuildDiffers, rebuild } from '#projector/rebuild/rebuild.ts';
import { switchBack } from '#projector/rebuild/switch.ts';
import { type MixedEvent, salesMix } from '#tests/bench/sales-mix.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { createMemoryKeyStore } from '#tests/kit/memory-keys.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import type { Projection } from './projection.ts';
import { type Runner, type RunnerNews, type RunnerOptions, startRunner } from './runner.ts';
import { createReadModels, openProjectorPool } from './schema.ts';

const LEASE = 600;
/** Doesn't run out while a spec runs, however slow the machine. */
const LONG_LEASE = 3_600_000;
const PATIENCE = 60_000;

describe('the projector’s runner', { timeout: 120_000 }, () => {
  let url: string;
  let pool: pg.Pool;
  let log: MemoryEventLog;
  let progress: ReadProgress;
  let mix: Iterator<MixedEvent>;
  const runners: Runner[] = [];
  const codec = createCodec(createMemoryKeyStore(), allEvents);

  beforeEach(async () => {
    url = await freshDatabase();
    pool = openProjectorPool(url, () => undefined);
    log = new MemoryEventLog();
    await createReadModels(pool, 'read', projections, log.id);
    progress = followReadModels({ pool, url });
    mix = salesMix(7);
  });
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    await progress.close();
    await log.close();
    await pool.end();
  });

  const start = (options: Partial<RunnerOptions> = {}): Runner => {
    const runner = startRunner({ pool, log, codec, projections, lease: LEASE, pageSize: 200, ...options });
    runners.push(runner);
    return runner;
  };
  const failures = () => {
    const said: string[] = [];
    return { said, trouble: { met: (error: unknown) => void said.push(`${error}`), over: () => undefined } };
  };
  const sell = async (count: number): Promise<void> => {
    for (let written = 0; written < count; written++) {
      const { stream, event, at, actor } = mix.next().value;
      const context = { commandId: randomUUID(), correlationId: randomUUID(), actor, at };
      const encoded: NewEvent = await codec.encode(
        event,
        randomUUID(),
        stream,
        context,
        await codec.encodeMeta(context),
      );
      await log.append([{ stream, expected: 'any', events: [encoded] }]);
    }
  };
  const caughtUp = async (): Promise<void> => {
    expect(await progress.waitFor(await log.head(), PATIENCE)).toBe(true);
  };
  const compared = async (): Promise<string> =>
    describeComparison(await compareWithRebuild({ pool, log, codec, projections }));

  it('projects sales into rows that equal a rebuild from zero', async () => {
    start();
    await sell(2_000);
    await caughtUp();
    expect(await compared()).toBe('no row differs');
    const { rows } = await pool.query('SELECT count(*)::integer AS bookings FROM read.booking');
    expect(rows[0]?.bookings).toBeGreaterThan(100);
    const { rows: parked } = await pool.query('SELECT * FROM read.parked');
    expect(parked).toEqual([]);
    const later = { now: new Date('2027-01-01T00:00:00.000Z') };
    expect(await findViolations(pool, later)).toEqual([]);
    await pool.query('UPDATE read.inventory SET sold = sold + 1 WHERE listing_id = 1');
    expect(await findViolations(pool, later)).toMatchObject([
      { rule: 'sold equals confirmed bookings', of: '1' },
    ]);
    expect(await compared()).toContain('inventory 1');
  });

  it('notifies listeners of the changed listings', async () => {
    const listening = followReadModels({ pool, url });
    const notices: ReadModelsNotice[] = [];
    listening.onNotice((notice) => notices.push(notice));
    // It is told once when its connection stands; what is sent before is not heard.
    await vi.waitFor(() => expect(notices).toHaveLength(1), PATIENCE);
    start();
    await sell(450);
    await vi.waitFor(
      () =>
        expect(notices.flatMap(({ listings }) => listings ?? [])).toEqual(
          expect.arrayContaining([1, 2, 200]),
        ),
      PATIENCE,
    );
    await listening.close();
  });

  it('notifies of a commit once, after it', async () => {
    await sell(450);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    atTheEnd(() => query.mockRestore());
    start({ pageSize: 1_000 });
    await caughtUp();
    const asked = () => query.mock.calls.map(([text]) => String(text));
    const isTold = (text: string) => text === 'commit' || text.includes('pg_notify');
    await vi.waitFor(() =>
      expect(asked().filter(isTold)).toEqual(['commit', expect.stringContaining('pg_notify')]),
    );
  });

  it('pauses between two batches, so that purchases get the processor', async () => {
    await sell(50);
    start({ pace: 3_600_000 });
    await caughtUp();
    const { position } = await progress.current();
    await sell(50);
    await pause(300);
    expect((await progress.current()).position).toBe(position);
  });

  it('answers a waiting query with false if the position is not reached', async () => {
    expect(await progress.waitFor('00000000000000000009', 50)).toBe(false);
  });

  it('queries the position once for all waiting queries', async () => {
    let asked = 0;
    const query = (...args: unknown[]) => {
      asked += 1;
      return Reflect.apply(pool.query, pool, args);
    };
    const crowded = followReadModels({ pool: { query } as unknown as typeof pool, url });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => crowded.waitFor('00000000000000000009', 50)),
    );
    expect(answers).toEqual(answers.map(() => false));
    expect(asked).toBeLessThan(20);
    await crowded.close();
  });

  it('runs in one of several processes, and another takes over when it ends', async () => {
    const first = start({ lease: LONG_LEASE });
    await vi.waitFor(() => expect(first.leads()).toBe(true), PATIENCE);
    const second = start();
    await sell(100);
    await caughtUp();
    expect([first.leads(), second.leads()]).toEqual([true, false]);
    await first.stop();
    await sell(100);
    await caughtUp();
    expect(second.leads()).toBe(true);
    expect(await compared()).toBe('no row differs');
  });

  it('takes over from a killed process once its lease has run out on the database’s clock', async () => {
    await pool.query(
      `UPDATE read.checkpoint SET holder = $1, lease_until = clock_timestamp() + interval '1 second'`,
      [randomUUID()],
    );
    const runner = start();
    await sell(50);
    await caughtUp();
    expect(runner.leads()).toBe(true);
  });

  it('commits nothing more once another process has the lease', async () => {
    const news: RunnerNews['kind'][] = [];
    const runner = start({ lease: LONG_LEASE, onNews: ({ kind }) => news.push(kind) });
    await sell(50);
    await caughtUp();
    await pool.query(
      `UPDATE read.checkpoint SET holder = $1, lease_until = clock_timestamp() + interval '1 hour'`,
      [randomUUID()],
    );
    const at = (await progress.current()).position;
    await sell(50);
    await vi.waitFor(() => expect(news).toContain('moved'), PATIENCE);
    expect(runner.leads()).toBe(false);
    expect((await progress.current()).position).toBe(at);
  });

  it('rebuilds and switches during sales, and continues in the new read models', async () => {
    start();
    await sell(1_000);
    let selling = true;
    const sales = (async () => {
      while (selling) {
        await sell(20);
        await tick();
      }
    })();
    const rebuilt = await rebuild({ pool, log, codec, projections });
    expect(rebuilt.comparison?.equal).toBe(true);
    selling = false;
    await sales;
    await sell(50);
    await caughtUp();
    expect(await compared()).toBe('no row differs');

    await switchBack(pool, log);
    await sell(50);
    await vi.waitFor(
      async () => expect((await progress.current()).position).toBe(await log.head()),
      PATIENCE,
    );
    expect(await compared()).toBe('no row differs');
  });

  it('does not switch to read models that differ, and reports the differences', async () => {
    const runner = start();
    await sell(500);
    await caughtUp();
    await runner.stop();
    await pool.query('UPDATE read.inventory SET held = held + 1 WHERE listing_id = 3');
    const error = await rebuild({ pool, log, codec, projections }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RebuildDiffers);
    expect(error).toMatchObject({ comparison: { differing: { inventory: 1 } } });
    const { rows } = await pool.query('SELECT held FROM read.inventory WHERE listing_id = 3');
    expect(rows[0]?.held).toBeGreaterThan(0);
  });

  it('replaces damaged read models on request, and still reports the differences', async () => {
    const runner = start();
    await sell(500);
    await caughtUp();
    await runner.stop();
    await pool.query('UPDATE read.inventory SET held = held + 1 WHERE listing_id = 3');
    const done = await rebuild({ pool, log, codec, projections, despiteDifferences: true });
    expect(done).toMatchObject({ switched: true, comparison: { differing: { inventory: 1 } } });
    expect(await compared()).toBe('no row differs');
  });

  it('leaves events written by a newer program to a newer process, and parks none of them', async () => {
    const { said, trouble } = failures();
    const older = createCodec(createMemoryKeyStore(), {
      ...allEvents,
      CityAdded: { ...cityEvents.CityAdded, version: 0 },
    });
    const old = start({ codec: older, lease: LONG_LEASE, trouble });
    await sell(300);
    await vi.waitFor(() => expect(said.join()).toMatch(/newer program/), PATIENCE);
    // The old one lives on, and does not keep the lease.
    start({ lease: LONG_LEASE });
    await caughtUp();
    expect(old.leads()).toBe(false);
    const { rows } = await pool.query('SELECT * FROM read.parked');
    expect(rows).toEqual([]);
  });

  it('leaves read models of other folds alone until they are rebuilt, and then uses them', async () => {
    const { said, trouble } = failures();
    const newer: readonly Projection[] = projections.map((projection) =>
      projection.name === 'admissions' ? { ...projection, version: projection.version + 1 } : projection,
    );
    await sell(300);
    start({ projections: newer, trouble });
    await vi.waitFor(() => expect(said.join()).toMatch(/older version of admissions/), PATIENCE);
    const rebuilt = await rebuild({ pool, log, codec, projections: newer });
    expect(rebuilt).toMatchObject({ comparison: { equal: true }, switched: true });
    await sell(50);
    await caughtUp();
  });
});
