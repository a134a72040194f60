import type pg from 'pg';
import { expect, it } from 'vitest';
import { createLogIndex } from '#projector/log-index.ts';
import { IndexedLog } from '#query-api/queries/log.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';

const database = migratedDatabase();

it('finds the checkouts of a listing without looking at those of others', async () => {
  const { pool } = database;
  const log = new MemoryEventLog();
  await createLogIndex(pool, log);
  await pool.query(
    `INSERT INTO log_index.entry (position, recorded_at, id, revision, stream, type, actor, correlation_id, words)
      SELECT n, now(), gen_random_uuid(), 0, format('checkout-%s-%s', gen_random_uuid(), n % 1000), 'CheckoutOpened', '', '', ''
      FROM generate_series(1, 20000) n`,
  );
  await pool.query('ANALYZE log_index.entry');
  const plans: string[] = [];
  const explaining = {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
      plans.push(JSON.stringify(rows));
      return pool.query(text, values);
    },
  } as unknown as pg.Pool;
  const found = await new IndexedLog(explaining, log).checkoutsOf(7);
  expect(found).toHaveLength(20);
  expect(found.every((stream) => stream.endsWith('-7'))).toBe(true);
  expect(plans).toHaveLength(1);
  expect(plans[0]).toContain('Index');
  expect(plans[0]).not.toMatch(/"Rows Removed by (Filter|Index Recheck)":[1-9]/);
});
