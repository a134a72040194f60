/** What only concerns PostgreSQL: whoever opens the log makes its schema, or finds it made. */
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { START } from '#infra/event-log/event-log.ts';
import { PostgresEventLog } from '#infra/event-log/postgres.ts';
import { freshDatabase } from '#tests/kit/database.ts';
import { someEvent } from './writer.ts';

test('any number of processes can open the log at the same moment, the first time and later', async () => {
  const url = await freshDatabase();
  const ids = new Set<string>();
  for (let round = 0; round < 10; round += 1) {
    const opening = Array.from({ length: 8 }, () => PostgresEventLog.open({ url, connections: 1 }));
    for (const log of await Promise.all(opening)) {
      ids.add(log.id);
      await log.close();
    }
  }
  expect(ids.size).toBe(1);
});

test('a subscription gets its process’s own appends without reading the log again', async () => {
  const url = await freshDatabase();
  const log = await PostgresEventLog.open({ url });
  const other = await PostgresEventLog.open({ url });
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const pagesRead = () =>
    query.mock.calls.filter(([asked]) => (asked as { name?: string } | undefined)?.name === 'log-page')
      .length;
  const stop = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const { events } of log.subscribe(START, { signal: stop.signal }))
      seen.push(...events.map(({ id }) => id));
  })();
  const appendTo = async (writer: PostgresEventLog, stream: string) => {
    const event = someEvent();
    await writer.append([{ stream, expected: 'none', events: [event] }]);
    await expect.poll(() => seen.at(-1)).toBe(event.id);
  };
  await appendTo(log, 'first');
  // The first page of all, and what was announced while nobody could know that it was known.
  await expect.poll(pagesRead).toBeGreaterThan(0);
  const before = pagesRead();
  for (let n = 0; n < 20; n += 1) await appendTo(log, `own-${n}`);
  expect(pagesRead() - before).toBeLessThanOrEqual(1);
  await appendTo(other, 'foreign');
  expect(pagesRead() - before).toBeGreaterThan(0);
  query.mockRestore();
  stop.abort();
  await following;
  await Promise.all([log.close(), other.close()]);
});
