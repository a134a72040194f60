import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { sql } from 'kysely';
import { beforeEach, expect, it, vi } from 'vitest';
import { PostgresEventLog } from '#infra/event-log/postgres.ts';
import { createSessions } from '#infra/http/sessions.ts';
import { isOutage } from '#infra/lib/postgres-outage.ts';
import { readModels } from '#infra/read-models/read-models.ts';
import { leaseOn } from '#infra/subscriptions/leader.ts';
import { openProjectorPool } from '#projector/engine/schema.ts';
import { type Gate, openGate } from '#tests/conformance/gate.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { openDatabase } from './database.ts';
import { listen } from './listener.ts';

const database = migratedDatabase();
const HOUR = 3_600_000;
const ignore = (): void => undefined;

let gate: Gate;
let url: string;
beforeEach(async () => {
  const through = new URL(database.url);
  const port = Number(through.port);
  gate = await openGate(() => port);
  atTheEnd(() => gate.shut());
  through.port = String(gate.port);
  url = through.href;
});

/** A pool with so many connections that stand. */
const connected = async (connections: number, longest?: number) => {
  const { pool, close } = openDatabase(url, { max: connections, ...(longest && { longest }) });
  // A connection says goodbye to nobody where all is frozen.
  atTheEnd(async () => {
    await gate.shut();
    await close();
  });
  await Promise.all(Array.from({ length: connections }, () => pool.query('select pg_sleep(0.05)')));
  return pool;
};

it('a database that stops answering is given up, and asked again once it is back', async () => {
  const pool = await connected(2, HOUR);
  const impatient = await connected(2, 5_000);
  const sessions = createSessions({ pool, clock: () => new Date() });
  atTheEnd(() => sessions.stop());
  const { token } = await sessions.open({
    accountId: randomUUID(),
    role: 'user',
    emailVerified: true,
    profileComplete: true,
  });
  const lease = leaseOn({ pool, table: 'app.subscription', row: `name = 'webhooks'`, ms: HOUR });
  const led = () => lease.hold(AbortSignal.any([]), async () => undefined);

  gate.freeze();
  const asked = await Promise.allSettled([
    sessions.find(token),
    led(),
    impatient.query('select 1'),
    sql`select 1`.execute(readModels(impatient)),
  ]);
  expect(asked.map((one) => one.status === 'rejected' && isOutage(one.reason))).toEqual(Array(4).fill(true));
  // Nobody is given these connections again.
  expect([pool.totalCount, impatient.totalCount]).toEqual([0, 0]);
  gate.thaw();
  expect(await sessions.find(token)).toBeDefined();
  expect(await led()).toBe(true);
});

it('a quiet connection is tested every half minute', async () => {
  const asking = vi.spyOn(Socket.prototype, 'setKeepAlive');
  atTheEnd(() => asking.mockRestore());
  await connected(1);
  const projector = openProjectorPool(url, ignore);
  atTheEnd(() => projector.end());
  await projector.query('select 1');
  const log = await PostgresEventLog.open({ url });
  atTheEnd(() => log.close());
  const listener = listen({ url, channel: 'quiet', onNotify: ignore, onConnect: ignore });
  atTheEnd(() => listener.close());
  await listener.ready;
  // One of a pool, of the projector, of the log, and of a listener at the least.
  expect(asking.mock.calls.length).toBeGreaterThanOrEqual(4);
  for (const call of asking.mock.calls) expect(call).toEqual([true, 30_000]);
});
