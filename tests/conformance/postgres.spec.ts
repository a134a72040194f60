/** What only concerns PostgreSQL: whoever opens the log makes its schema, or finds it made. */
import { expect, test } from 'vitest';
import { PostgresEventLog } from '#infra/event-log/postgres.ts';
import { freshDatabase } from '#tests/kit/database.ts';

test('any number of processes may open it at the same moment, the first time and ever after', async () => {
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
