import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { readConfig } from '#infra/config/config.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { versionsOf } from './engine/projection.ts';
import { projections } from './projections/all.ts';
import { openProjectorService } from './service.ts';

it('the projector leaves read models of a newer version to a newer one, and rebuilds those of an older version', async () => {
  const databaseUrl = await freshDatabase('tables');
  const config = readConfig({ DATA_DIR: await freshFolder(), DEMO: 'off' });
  const lines: string[] = [];
  const said = () => lines.join('');
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const foundation = await layFoundation({ name: 'spec', config, databaseUrl, logger });
  atTheEnd(() => foundation.close());
  const start = async (saysFirst: RegExp) => {
    lines.length = 0;
    const { stop } = await openProjectorService(foundation);
    await vi.waitFor(() => expect(said()).toMatch(saysFirst), 20_000);
    await stop();
  };
  const madeBy = (versions: Readonly<Record<string, number>>) =>
    foundation.database.pool.query('update read.checkpoint set versions = $1', [versions]);
  await start(/^$/);

  const ours = versionsOf(projections);
  await madeBy({ ...ours, bookings: 99 });
  await start(/newer version of bookings/);
  expect(said()).not.toMatch(/rebuilt beside/);
  await madeBy({ ...ours, unheardOf: 1 });
  await start(/newer version of unheardOf/);
  expect(said()).not.toMatch(/rebuilt beside/);

  await madeBy({ ...ours, bookings: 0 });
  await start(/rebuilt beside/);
});

it('the projector reports a broken invariant only if two checks find it, because the demo dates purchases back', async () => {
  const databaseUrl = await freshDatabase('tables');
  const config = readConfig({ DATA_DIR: await freshFolder(), DEMO: 'off' });
  const said: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void said.push(JSON.parse(line).of) });
  const foundation = await layFoundation({ name: 'spec', config, databaseUrl, logger });
  atTheEnd(() => foundation.close());
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  atTheEnd(() => vi.useRealTimers());
  const { stop } = await openProjectorService(foundation);
  const { pool } = foundation.database;
  const pay = (attempt: string) =>
    pool.query(
      `insert into read.paid_attempt (attempt, user_id, listing_id, amount, late, paid_at)
       values ($1, $1, 1, 100, false, now() - interval '40 days')`,
      [attempt],
    );
  const look = async (): Promise<void> => {
    vi.advanceTimersByTime(60_000);
    await pause(500);
  };
  const [booked, lost] = [randomUUID(), randomUUID()];
  await pay(booked);
  await look();
  await pool.query('delete from read.paid_attempt');
  await pay(lost);
  await look();
  expect(said).toEqual([]);
  await look();
  await vi.waitFor(() => expect(said).toEqual([lost]), { timeout: 30_000 });
  await stop();
});

it('the projector checks the invariants one at a time, however long a check takes', async () => {
  const databaseUrl = await freshDatabase('tables');
  const config = readConfig({ DATA_DIR: await freshFolder(), DEMO: 'off' });
  const foundation = await layFoundation({ name: 'spec', config, databaseUrl, logger: silentLogger() });
  atTheEnd(() => foundation.close());
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  atTheEnd(() => vi.useRealTimers());
  const { stop } = await openProjectorService(foundation);
  const { pool } = foundation.database;
  const looks = async (): Promise<number> => {
    const { rows } = await pool.query<{ looks: number }>(
      `select count(*)::integer as looks from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%tickets within capacity%'
          and pid <> pg_backend_pid()`,
    );
    return rows[0]?.looks ?? 0;
  };
  await inTransaction(pool, async (client) => {
    await client.query('lock table read.refund in access exclusive mode');
    vi.advanceTimersByTime(180_000);
    await vi.waitFor(async () => expect(await looks()).toBeGreaterThan(0), 10_000);
    await pause(100);
    expect(await looks()).toBe(1);
  });
  await vi.waitFor(async () => expect(await looks()).toBe(0), 10_000);
  await inTransaction(pool, async (client) => {
    await client.query('lock table read.refund in access exclusive mode');
    // The first look may still be on its way to its end.
    await vi.waitFor(async () => {
      vi.advanceTimersByTime(60_000);
      expect(await looks()).toBe(1);
    }, 10_000);
  });
  await stop();
});
