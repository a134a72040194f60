import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { beforeEach, expect, it, vi } from 'vitest';
import { troubleWith } from '#infra/lib/outage.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { type Lease, lead, leaseOn } from './leader.ts';

const database = migratedDatabase();
const never = new AbortController().signal;
/** Doesn't run out while a spec runs, however slow the machine. */
const LONG = 3_600_000;
const SHORT = 300;

beforeEach(async () => {
  await database.pool.query(
    `drop table if exists lent;
     create table lent (name text primary key, holder uuid, lease_until timestamptz, version integer not null default 0);
     insert into lent (name) values ('a'), ('b')`,
  );
});
const lease = (ms = LONG, name = 'a'): Lease =>
  leaseOn({ pool: database.pool, table: 'lent', row: `name = '${name}'`, ms });
/** Holds a lease until it is lost, or `over` aborts. */
const held = async (one: Lease, over: AbortSignal = never) => {
  const begun = Promise.withResolvers<void>();
  const ended = one.hold(over, async (signal) => {
    begun.resolve();
    if (!signal.aborted) await once(signal, 'abort');
  });
  await Promise.race([begun.promise, ended]);
  return { ended };
};
/** Resolves when the lease has been renewed. */
const renewed = async (): Promise<void> => {
  const until = async () =>
    (await database.pool.query(`select lease_until from lent where name = 'a'`)).rows[0].lease_until;
  const first = await until();
  while ((await until()) <= first) await pause(20);
};
const nothing = async (): Promise<void> => undefined;

it('a lease is held by one process at a time, for each row', async () => {
  const over = new AbortController();
  const first = lease();
  const { ended } = await held(first, over.signal);
  expect(await lease().hold(never, nothing)).toBe(false);
  expect(await lease(LONG, 'b').hold(never, nothing)).toBe(true);
  over.abort();
  expect(await ended).toBe(true);
});

it('a lease stays with its last holder until it is released', async () => {
  const first = lease();
  await first.hold(never, nothing);
  expect(await lease().hold(never, nothing)).toBe(false);
  expect(await first.hold(never, nothing)).toBe(true);
  const second = lease();
  await second.giveBack();
  expect(await second.hold(never, nothing)).toBe(false);
  await first.giveBack();
  expect(await second.hold(never, nothing)).toBe(true);
});

it('a lease is renewed for as long as the work takes', async () => {
  const over = new AbortController();
  const { ended } = await held(lease(SHORT), over.signal);
  await renewed();
  over.abort();
  await ended;
});

it('a lease goes to another process once it has run out, for example after a kill', async () => {
  await lease(SHORT).hold(never, nothing);
  const second = lease();
  while (!(await second.hold(never, nothing))) await pause(20);
});

/** The database, but for the queries that `fails` picks by their number. */
const failing = (fails: (query: number) => boolean): Pick<pg.Pool, 'query'> => {
  let queries = 0;
  const query = (...asked: unknown[]) =>
    fails(++queries)
      ? Promise.reject(new Error('the database is away'))
      : Reflect.apply(database.pool.query, database.pool, asked);
  return { query: query as pg.Pool['query'] };
};

it('a lost lease ends its holder’s work as soon as that is noticed', async () => {
  let asked = 0;
  const pool = failing((query) => {
    asked = query;
    return false;
  });
  const { ended } = await held(leaseOn({ pool, table: 'lent', row: `name = 'a'`, ms: SHORT }));
  await database.pool.query(
    `update lent set holder = $1, lease_until = now() + interval '1 hour' where name = 'a'`,
    [randomUUID()],
  );
  const before = asked;
  expect(await ended).toBe(true);
  expect(asked - before).toBeLessThan(2);
});

it('a lease that could not be renewed in time ends the work', async () => {
  const pool = failing((query) => query > 1);
  const { ended } = await held(leaseOn({ pool, table: 'lent', row: `name = 'a'`, ms: SHORT }));
  expect(await ended).toBe(true);
});

it('a lease survives a failed renewal', async () => {
  const pool = failing((query) => query === 2);
  const over = new AbortController();
  const { ended } = await held(leaseOn({ pool, table: 'lent', row: `name = 'a'`, ms: 3_000 }), over.signal);
  expect(await Promise.race([renewed(), ended])).not.toBe(true);
  over.abort();
  await ended;
});

it('a lease reports the work’s error and is no longer renewed', async () => {
  const first = lease(SHORT);
  const thrown = first.hold(never, () => Promise.reject(new Error('of the work')));
  await expect(thrown).rejects.toThrow('of the work');
  const second = lease();
  while (!(await second.hold(never, nothing))) await pause(20);
});

const ofProgram = (program: number): Lease =>
  leaseOn({ pool: database.pool, table: 'lent', row: `name = 'a'`, ms: LONG, program });
/** As if nobody had held the lease for so long. */
const pass = (time: string) =>
  database.pool.query(`update lent set lease_until = clock_timestamp() - $1::interval where name = 'a'`, [
    time,
  ]);

it('a lease is taken from an older program by a newer one at once', async () => {
  const older = ofProgram(1);
  expect(await older.hold(never, nothing)).toBe(true);
  expect(await ofProgram(1).hold(never, nothing)).toBe(false);
  const newer = ofProgram(2);
  expect(await newer.hold(never, nothing)).toBe(true);
  expect(await older.hold(never, nothing)).toBe(false);
  expect(await newer.hold(never, nothing)).toBe(true);
});

it('a lease is left to newer programs until none has run for a while', async () => {
  const [older, newer] = [ofProgram(1), ofProgram(2)];
  await newer.hold(never, nothing);
  await newer.giveBack();
  await pass('10 s');
  expect(await older.hold(never, nothing)).toBe(false);
  await pass('5 min');
  expect(await older.hold(never, nothing)).toBe(true);
  // From here on it is the site's program, as after an upgrade that was taken back.
  await older.giveBack();
  expect(await older.hold(never, nothing)).toBe(true);
  expect(await newer.hold(never, nothing)).toBe(true);
});

/** Leads with a lease that others may take, and with work that fails as it is told to. */
const leading = (work: (progressed: () => void, round: number) => void) => {
  const heard: string[] = [];
  const begun: number[] = [];
  const trouble = {
    met: (error: unknown) => void heard.push(`${error}`),
    over: () => void heard.push('over'),
  };
  const { stop } = lead(
    lease(),
    async (signal, progressed) => {
      work(progressed, begun.push(performance.now()));
      if (!signal.aborted) await once(signal, 'abort');
    },
    { trouble, first: 40, longest: 10_000 },
  );
  atTheEnd(stop);
  return { heard, begun };
};

it('leading is retried at growing intervals while the work fails, and the trouble ends once the work progresses', async () => {
  const { heard, begun } = leading((progressed, round) => {
    if (round === 4) progressed();
    if (round < 6) throw new Error('away');
    progressed();
  });
  await vi.waitFor(() => expect(begun).toHaveLength(6), 20_000);
  const away = 'Error: away';
  expect(heard).toEqual([away, away, away, 'over', away, away, 'over']);
  const [, , third = 0, fourth = 0] = begun;
  expect(fourth - third).toBeGreaterThanOrEqual(80);
});

it('a lease is released when the work fails, because another process may succeed', async () => {
  const { begun } = leading(() => {
    throw new Error('away');
  });
  await vi.waitFor(() => expect(begun.length).toBeGreaterThan(3), 20_000);
  const other = lease();
  while (!(await other.hold(never, nothing))) await pause(5);
});

it('leading reports the end of a trouble if another process has led for a while since', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  atTheEnd(() => vi.useRealTimers());
  await lease().hold(never, nothing);
  const lines: string[] = [];
  const told = (level: string) => (_about: object, words: string) => void lines.push(`${level}: ${words}`);
  const trouble = troubleWith({ warn: told('warn'), info: told('info') } as never, 'fails');
  const pool = failing((query) => query <= 2);
  const options = { pool, table: 'lent', row: `name = 'a'`, ms: LONG };
  const { stop } = lead(leaseOn(options), nothing, { trouble, first: 40 });
  atTheEnd(stop);
  await vi.waitFor(() => {
    vi.advanceTimersByTime(1_000);
    expect(lines).toEqual(['warn: fails', 'info: works again']);
  }, 20_000);
});
