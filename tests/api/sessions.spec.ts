import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRateLimits, limitOf } from '#infra/http/rate-limits.ts';
import { createSessions, type Sessions } from '#infra/http/sessions.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { eventually } from '#tests/kit/eventually.ts';

const database = migratedDatabase();
let now = Date.parse('2026-03-01T12:00:00Z');
const clock = () => new Date(now);

/** A pool that counts what it is asked. */
const counted = () => {
  const asked: unknown[] = [];
  const query = (...args: unknown[]) => {
    asked.push(args[0]);
    return Reflect.apply(database.pool.query, database.pool, args);
  };
  return { pool: { query } as unknown as Pick<pg.Pool, 'query'>, asked };
};

const facts = () => ({
  accountId: randomUUID(),
  role: 'user' as const,
  emailVerified: true,
  profileComplete: false,
});

/** Two processes on one database. */
const processes = (): [Sessions, Sessions] => [
  createSessions({ pool: database.pool, clock }),
  createSessions({ pool: database.pool, clock }),
];

afterEach(() => void vi.useRealTimers());

describe('sessions', () => {
  it('are looked up in one query if many requests arrive at once, each with its own result', async () => {
    const { pool, asked } = counted();
    const sessions = createSessions({ pool, clock });
    const opened = await Promise.all(Array.from({ length: 60 }, () => sessions.open(facts())));
    asked.length = 0;
    const found = await Promise.all([
      ...opened.map(({ token }) => sessions.find(token)),
      sessions.find('x'.repeat(43)),
      sessions.find('no token at all'),
    ]);
    expect(found.map((one) => one?.principal.accountId)).toEqual([
      ...opened.map(({ principal }) => principal.accountId),
      undefined,
      undefined,
    ]);
    expect(asked.length).toBeLessThanOrEqual(2);
    await sessions.stop();
  });

  it('are refused by every process as soon as one revokes them', async () => {
    const [one, two] = processes();
    const { token, principal } = await one.open(facts());
    expect(await two.find(token)).toBeDefined();
    await one.closeAll(principal.accountId);
    expect(await two.find(token)).toBeUndefined();
    await Promise.all([one.stop(), two.stop()]);
  });

  it('get one new token if several requests arrive after a changed role, and the old one works for a moment', async () => {
    const [one, two] = processes();
    const { token, principal } = await one.open(facts());
    await one.update(principal.accountId, { role: 'admin' });
    expect((await two.find(token))?.rotate).toBe(true);
    const renewed = (await Promise.all([one.rotate(token), two.rotate(token), one.rotate(token)])).filter(
      Boolean,
    );
    expect(renewed).toHaveLength(1);
    expect(await two.find(token)).toMatchObject({ rotate: false });
    expect(renewed[0]?.endsAt.getTime()).toBe(now + 12 * 3_600_000);
    now += 30_000;
    expect(await two.find(token)).toBeUndefined();
    expect(await two.find(renewed[0]?.token ?? '')).toMatchObject({ principal: { role: 'admin' } });
    await Promise.all([one.stop(), two.stop()]);
  });

  /** A process that is held up right before it stores a new session, until it may `goOn`. */
  const heldUp = () => {
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const query = async (...args: unknown[]) => {
      if (String(args[0]).includes('insert into app.session')) {
        reached.resolve();
        await goOn.promise;
      }
      return Reflect.apply(database.pool.query, database.pool, args);
    };
    const pool = { query } as unknown as Pick<pg.Pool, 'query'>;
    return { sessions: createSessions({ pool, clock }), reached: reached.promise, goOn: goOn.resolve };
  };

  it('end with their sign-in, also if that has just got another token', async () => {
    const [one, two] = processes();
    const { token, principal } = await one.open(facts());
    const elsewhere = await one.open({ ...facts(), accountId: principal.accountId });
    await one.update(principal.accountId, { role: 'admin' });
    const renewed = await one.rotate(token);
    await two.close(token);
    expect(await one.find(token)).toBeUndefined();
    expect(await one.find(renewed?.token ?? '')).toBeUndefined();
    expect(await one.find(elsewhere.token)).toBeDefined();
    await two.close(token);
    await Promise.all([one.stop(), two.stop()]);
  });

  const changes = [
    ['signed out everywhere', 'closeAll', undefined],
    ['given another role', 'update', 'user'],
  ] as const;

  it.each(changes)('get no token that misses an earlier change: %s', async (_, change, role) => {
    const [one, two] = processes();
    const { sessions, reached, goOn } = heldUp();
    const { token, principal } = await one.open({ ...facts(), role: 'staff' });
    await one.update(principal.accountId, { role: 'admin' });
    const renewing = sessions.rotate(token);
    await reached;
    await two[change](principal.accountId, { role: 'user' });
    goOn();
    const renewed = await renewing;
    const found = await two.find(renewed?.token ?? '');
    expect(found?.principal.role).toBe(role);
    await Promise.all([one.stop(), two.stop(), sessions.stop()]);
  });

  it.each(changes)('get no token that misses a simultaneous change: %s', async (_, change, role) => {
    const [one, two] = processes();
    const { token, principal } = await one.open({ ...facts(), role: 'staff' });
    await one.update(principal.accountId, { role: 'admin' });
    const { renewed, changing } = await inTransaction(database.pool, async (client) => {
      const slow = createSessions({ pool: client, clock });
      const renewed = await slow.rotate(token);
      const changing = two[change](principal.accountId, { role: 'user' });
      await eventually(async () => {
        const { rows } = await database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(1);
      });
      await slow.stop();
      return { renewed, changing };
    });
    await changing;
    const found = await two.find(renewed?.token ?? '');
    expect(found?.principal.role).toBe(role);
    await Promise.all([one.stop(), two.stop()]);
  });

  it('store when they were last used at most once a minute, all in one statement', async () => {
    const { pool, asked } = counted();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const sessions = createSessions({ pool, clock });
    const opened = await Promise.all(Array.from({ length: 5 }, () => sessions.open(facts())));
    const use = () => Promise.all(opened.map(({ token }) => sessions.find(token)));
    const writes = () => asked.filter((text) => String(text).includes('last_seen_at =')).length;
    await use();
    await sessions.flush();
    expect(writes()).toBe(0);
    now += 60_000;
    await use();
    await use();
    await sessions.flush();
    expect(writes()).toBe(1);
    await use();
    await sessions.flush();
    expect(writes()).toBe(1);
    await sessions.stop();
  });

  it('store their last use when flushed, also if the timer ran first', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const slow = Promise.withResolvers<void>();
    const query = async (...args: unknown[]) => {
      if (String(args[0]).includes('last_seen_at =')) await slow.promise;
      return Reflect.apply(database.pool.query, database.pool, args);
    };
    const sessions = createSessions({ pool: { query } as unknown as Pick<pg.Pool, 'query'>, clock });
    const { token, principal } = await sessions.open(facts());
    now += 60_000;
    await sessions.find(token);
    vi.advanceTimersByTime(5_000);
    const flushed = sessions.flush();
    slow.resolve();
    await flushed;
    const { rows } = await database.pool.query('select last_seen_at from app.session where account_id = $1', [
      principal.accountId,
    ]);
    expect(rows).toEqual([{ last_seen_at: new Date(now) }]);
    await sessions.stop();
  });

  it('pass a failure on to the caller and recover', async () => {
    let failing = true;
    const query = (...args: unknown[]) =>
      failing
        ? Promise.reject(new Error('the database is away'))
        : Reflect.apply(database.pool.query, database.pool, args);
    const sessions = createSessions({ pool: { query } as unknown as Pick<pg.Pool, 'query'>, clock });
    await expect(sessions.find('x'.repeat(43))).rejects.toThrow('away');
    failing = false;
    expect(await sessions.find('x'.repeat(43))).toBeUndefined();
    await sessions.stop();
  });

  it('are swept when they have ended', async () => {
    const [sessions, other] = processes();
    await sessions.open(facts());
    now += 31 * 86_400_000;
    expect(await sessions.sweep()).toBeGreaterThan(0);
    expect(await sessions.sweep()).toBe(0);
    await Promise.all([sessions.stop(), other.stop()]);
  });

  it('are swept when unused for longer than their role allows, but not before a last use may still be stored', async () => {
    const [sessions, other] = processes();
    const staff = await sessions.open({ ...facts(), role: 'staff' });
    const user = await sessions.open(facts());
    now += 2 * 3_600_000 - 1_000;
    expect(await other.find(staff.token)).toBeDefined();
    now += 2_000;
    expect(await sessions.sweep()).toBe(0);
    await other.flush();
    expect(await other.find(staff.token)).toBeDefined();
    now += 2 * 3_600_000 + 60_000;
    expect(await sessions.sweep()).toBe(1);
    expect(await other.find(user.token)).toBeDefined();
    await Promise.all([sessions.stop(), other.stop()]);
  });
});

describe('rate limits', () => {
  it('are shared by processes, store no address, and end with their window', async () => {
    const limits = [1, 2].map(() => createRateLimits({ factor: 1, pool: database.pool, clock }));
    const tries = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => limits[index % 2]?.take('registration', '198.51.100.7')),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    const { rows } = await database.pool.query<{ all: string }>(
      'select l::text as all from app.rate_limit l',
    );
    expect(rows.map((row) => row.all).join()).not.toContain('198.51.100.7');
    now += 3_600_000;
    await limits[0]?.take('registration', '198.51.100.7');
    now += 3_600_000;
    expect(await limits[0]?.sweep()).toBe(1);
  });

  it.each(['registration', 'promotion'] as const)(
    'last no longer after the clock was put back: %s',
    async (name) => {
      const limits = createRateLimits({ factor: 1, pool: database.pool, clock });
      const { most, within } = limitOf(name);
      const putBack = 600_000;
      for (let count = 0; count < most; count += 1) await limits.take(name, 'slow');
      now -= putBack;
      await limits.take(name, 'slow');
      for (let count = 1; count < most; count += 1) await limits.take(name, 'slow');
      await expect(async () => limits.take(name, 'slow')).rejects.toMatchObject({ code: 'TOO_MANY' });
      now += within;
      await limits.take(name, 'slow');
      now += putBack;
    },
  );

  it('are raised or lifted by configuration', async () => {
    const raised = createRateLimits({ factor: 10, pool: database.pool, clock });
    for (let count = 0; count < 100; count += 1) raised.takeNow('promotion', 'me');
    expect(() => raised.takeNow('promotion', 'me')).toThrow(expect.objectContaining({ code: 'TOO_MANY' }));
    const lifted = createRateLimits({ factor: 'off', pool: database.pool, clock });
    for (let count = 0; count < 200; count += 1) lifted.takeNow('promotion', 'me');
  });
});
