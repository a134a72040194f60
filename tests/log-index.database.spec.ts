import { expect, it } from 'vitest';
import { createLogIndex, startLogIndex } from '#projector/log-index.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';

const database = migratedDatabase();

it('the projector leaves an index of a newer version to newer ones until none has filled it for a minute', async () => {
  const { pool } = database;
  const log = new MemoryEventLog();
  const ours = async () => (await pool.query('SELECT version FROM log_index.checkpoint')).rows[0].version;
  await pool.query('DROP SCHEMA IF EXISTS log_index CASCADE');
  await createLogIndex(pool, log);
  const version = await ours();
  // Whoever made it has a minute to begin with it, before an older one may.
  const { rows } = await pool.query(
    `SELECT lease_until > now() - interval '50 seconds' AS fresh FROM log_index.checkpoint`,
  );
  expect(rows).toEqual([{ fresh: true }]);

  await pool.query('UPDATE log_index.checkpoint SET version = 99');
  await createLogIndex(pool, log);
  expect(await ours()).toBe(99);
  const indexing = startLogIndex(pool, log, { first: 10, longest: 10 });
  try {
    await new Promise((done) => setTimeout(done, 1_200));
    expect(await ours()).toBe(99);
    await pool.query(`UPDATE log_index.checkpoint SET lease_until = now() - interval '2 minutes'`);
    // What it fills from here on is of its version, so that a newer one makes it anew.
    await eventually(async () => expect(await ours()).toBe(version));
  } finally {
    await indexing.stop();
  }
});
