import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { type RecordedEvent, START } from '#infra/event-log/event-log.ts';
import { openDatabase } from '#infra/postgres/database.ts';
import { migrate, readMigrations } from '#infra/postgres/migrate.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { checkpointOf, positionOf, type SubscriptionOptions, subscribe } from './subscription.ts';

/** The database of a release that kept each checkpoint in a table of its own, and connections to it. */
const formerDatabase = async () => {
  const url = await freshDatabase();
  const migrations = await readMigrations();
  await migrate(
    url,
    migrations.filter(({ name }) => name < '105-'),
  );
  const connect = async () => {
    const client = new pg.Client(url);
    await client.connect();
    atTheEnd(() => client.end());
    return client;
  };
  const upgrade = () => migrate(url);
  return { upgrade, connect, client: await connect() };
};

const subscriptions = async (client: pg.Client) => {
  const columns = 'name, log_id, position, holder, version';
  const { rows } = await client.query(`select ${columns} from app.subscription order by name`);
  return rows;
};

const [ours, theirs] = [randomUUID(), randomUUID()];

it('a subscription shares its checkpoints and leases with programs of the former release', async () => {
  const { upgrade, client } = await formerDatabase();
  const start = () =>
    client.query(
      `insert into app.job_checkpoint (name, log_id, position) values ('jobs', 'log', '') on conflict (name) do nothing`,
    );
  const take = (table: string, holder: string, version: number) =>
    client.query(
      `UPDATE ${table} SET holder = $1, lease_until = clock_timestamp() + interval '1 hour', version = $2
        WHERE (holder = $1 OR holder IS NULL OR lease_until < clock_timestamp() OR version < $2) AND version <= $2`,
      [holder, version],
    );
  const react = (from: string, to: string) =>
    client.query(
      'update app.job_checkpoint set position = $3 where name = $1 and holder = $2 and position = $4',
      ['jobs', theirs, to, from],
    );
  const tell = (to: string) =>
    client.query('UPDATE app.hook_follower SET log_id = $2, position = $3 WHERE holder = $1', [
      theirs,
      'log',
      to,
    ]);
  await start();
  await take('app.job_checkpoint', theirs, 5);
  await react('', '1');
  await take('app.hook_follower', theirs, 1);
  await tell('2');

  await upgrade();
  expect(await subscriptions(client)).toEqual([
    { name: 'jobs', log_id: 'log', position: '1', holder: theirs, version: 5 },
    { name: 'webhooks', log_id: 'log', position: '2', holder: theirs, version: 1 },
  ]);
  // The former release goes on, for as long as no newer program has taken its lease.
  await start();
  expect((await react('1', '3')).rowCount).toBe(1);
  expect((await tell('4')).rowCount).toBe(1);
  for (const name of ['jobs', 'webhooks'])
    await client.query(`update app.subscription set holder = $1, version = 6 where name = $2`, [ours, name]);
  expect((await react('3', '5')).rowCount).toBe(0);
  expect((await tell('6')).rowCount).toBe(0);
  expect((await take('app.job_checkpoint', theirs, 5)).rowCount).toBe(0);
  expect((await take('app.hook_follower', theirs, 1)).rowCount).toBe(0);
  expect(await subscriptions(client)).toEqual([
    { name: 'jobs', log_id: 'log', position: '3', holder: ours, version: 6 },
    { name: 'webhooks', log_id: 'log', position: '4', holder: ours, version: 6 },
  ]);
});

it('a subscription loses nothing that a program of the former release commits during the upgrade', async () => {
  const { upgrade, connect, client } = await formerDatabase();
  await client.query(`insert into app.job_checkpoint (name, log_id, position) values ('jobs', 'log', '1')`);
  const batches = await Promise.all(
    ['job_checkpoint', 'hook_follower'].map(async (table) => {
      const batch = await connect();
      await batch.query('begin');
      await batch.query(`update app.${table} set log_id = 'log', position = '2'`);
      return batch;
    }),
  );
  const upgraded = upgrade();
  for (const batch of batches) {
    await expect
      .poll(
        async () =>
          (
            await client.query(
              'select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
            )
          ).rowCount,
      )
      .toBeGreaterThan(0);
    await batch.query('commit');
  }
  await upgraded;
  expect((await subscriptions(client)).map(({ position }) => position)).toEqual(['2', '2']);
});

/** Doesn't run out while a spec runs, however slow the machine. */
const LONG = 3_600_000;

/** A log, and a subscription to it that has a checkpoint. */
const subscribed = async () => {
  const { pool, close } = openDatabase(await freshDatabase('tables'));
  atTheEnd(close);
  const log = new MemoryEventLog();
  const append = (...types: readonly string[]) =>
    log.append([
      {
        stream: 'a',
        expected: 'any',
        events: types.map((type) => ({ id: randomUUID(), type, version: 1, data: '{}', meta: '{}' })),
      },
    ]);
  await pool.query(`insert into app.subscription (name, log_id, position) values ('jobs', $1, $2)`, [
    log.id,
    START,
  ]);
  const handled: string[] = [];
  const failures: unknown[] = [];
  const start = (options: Partial<SubscriptionOptions<RecordedEvent>> = {}) => {
    const subscription = subscribe<RecordedEvent>({
      ...{ log, pool, checkpoint: checkpointOf('jobs'), program: 1, lease: LONG },
      trouble: { met: (error) => void failures.push(error), over: () => undefined },
      async decode(events) {
        if (events.some(({ type }) => type === 'Newer')) throw new SyntaxError('of a newer program');
        return events;
      },
      async handle(events) {
        return () => void handled.push(...events.map(({ type }) => type));
      },
      ...options,
    });
    atTheEnd(() => subscription.stop());
    return subscription;
  };
  return { pool, log, append, start, handled, failures };
};

it('a subscription handles nothing more once another process has the lease', async () => {
  const { pool, append, start, handled } = await subscribed();
  await append('Sold');
  start();
  await vi.waitFor(() => expect(handled).toEqual(['Sold']), 20_000);
  await pool.query('update app.subscription set holder = $1, lease_until = now() + $2::interval', [
    randomUUID(),
    '1 hour',
  ]);
  const at = await positionOf(pool, 'jobs');
  await append('Returned');
  await new Promise((done) => setTimeout(done, 300));
  expect(handled).toEqual(['Sold']);
  expect(await positionOf(pool, 'jobs')).toBe(at);
});

it('a subscription handles the events before an unreadable one, and skips that after a while', async () => {
  const { pool, log, append, start, handled, failures } = await subscribed();
  const passed: string[] = [];
  const fallback = ({ event }: { readonly event: RecordedEvent }) => void passed.push(event.type);
  await append('Sold', 'Sold', 'Newer', 'Sold', 'Returned');
  const patient = start({ unreadable: { wait: LONG, fallback } });
  await vi.waitFor(() => expect(failures).not.toEqual([]), 20_000);
  expect([handled, passed]).toEqual([['Sold', 'Sold'], []]);
  await patient.stop();
  start({ unreadable: { wait: 0, fallback } });
  await vi.waitFor(async () => expect(await positionOf(pool, 'jobs')).toBe(await log.head()), 20_000);
  await vi.waitFor(() => expect(handled).toEqual(['Sold', 'Sold', 'Sold', 'Returned']), 20_000);
  expect(passed).toEqual(['Newer']);
});

it('a subscription rolls back the handler’s writes if the handler fails, and retries', async () => {
  const { pool, log, append, start, failures } = await subscribed();
  await append('Sold');
  start({
    first: 10,
    async handle(_, transaction) {
      await transaction.query(`insert into app.mark (name) values ('handled')`);
      if (failures.length === 0) throw new Error('away');
      return undefined;
    },
  });
  await vi.waitFor(async () => expect(await positionOf(pool, 'jobs')).toBe(await log.head()), 20_000);
  expect(failures).toEqual([new Error('away')]);
});
