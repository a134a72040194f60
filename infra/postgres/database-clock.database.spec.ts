import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { readConfig } from '#infra/config/config.ts';
import { aheadOfStore } from '#infra/event-log/eventstoredb/event-log.ts';
import { layFoundation } from '#infra/foundation/foundation.ts';
import { freshDatabase, migratedDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { followDatabaseClock, refuseSkew } from './database-clock.ts';

const MINUTE = 60_000;
/** However long a busy machine takes between two looks at a clock that is set and stands still. */
const CLOSE = 50_000;
const database = migratedDatabase();
afterEach(() => {
  vi.useRealTimers();
});

/** Sets this machine's clock, as far as anybody here sees. */
const setClockAhead = (milliseconds: number): void => {
  vi.useFakeTimers({ now: Date.now() + milliseconds, toFake: ['Date'] });
};

it('the clock follows the database’s time, whatever this machine’s clock shows', async () => {
  for (const ahead of [15 * MINUTE, -15 * MINUTE]) {
    const real = Date.now();
    setClockAhead(ahead);
    const followed = await followDatabaseClock(database.pool, () => undefined);
    expect(Math.abs(followed.clock().getTime() - real)).toBeLessThan(CLOSE);
    expect(Math.abs(followed.ahead() - ahead)).toBeLessThan(CLOSE);
    vi.useRealTimers();
    expect(Math.abs(followed.ahead())).toBeLessThan(CLOSE);
    await followed.stop();
  }
});

it('a database clock more than 30 s from this machine’s is refused, and the error names the difference', async () => {
  refuseSkew(29_000, "PostgreSQL's");
  const databaseUrl = await freshDatabase();
  const config = readConfig({ DATA_DIR: await freshFolder(), DEMO: 'off' });
  const start = () => layFoundation({ name: 'spec', config, databaseUrl, logger: silentLogger() });
  for (const [ahead, words] of [
    [15 * MINUTE, /(8[5-9]\d|90\d) s ahead of PostgreSQL's/],
    [-MINUTE, /(59|[6-9]\d) s behind PostgreSQL's/],
  ] as const) {
    setClockAhead(ahead);
    await expect(start()).rejects.toThrow(words);
    vi.useRealTimers();
  }
  const site = await start();
  setClockAhead(15 * MINUTE);
  expect(Math.abs(site.clock().getTime() - (Date.now() - 15 * MINUTE))).toBeLessThan(CLOSE);
  await site.close();
});

it('the clock follows the first EventStoreDB node that answers', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(404, { date: new Date(Date.now() - 90_000).toUTCString() }).end(),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  atTheEnd(() => server.close());
  const { port } = server.address() as AddressInfo;
  const ahead = await aheadOfStore(`esdb://admin:changeit@127.0.0.1:1,127.0.0.1:${port}?tls=false`);
  expect(Math.abs((ahead ?? 0) - 90_000)).toBeLessThan(CLOSE);
  expect(await aheadOfStore('esdb+discover://admin:changeit@127.0.0.1:1?tls=false')).toBeUndefined();
});
