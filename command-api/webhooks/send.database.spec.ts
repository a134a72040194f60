import { expect, it } from 'vitest';
import { migratedDatabase } from '#tests/kit/database.ts';
import { NEXT, sweepDeliveries } from './send.ts';

const database = migratedDatabase();

/** A message that waits for a webhook: after so many tries, due in so many minutes. */
type Waiting = readonly [hook: number, tries: number, dueIn: number];

const wait = async (messages: readonly Waiting[]): Promise<void> => {
  await database.pool.query('truncate app.hook_delivery');
  await database.pool.query(
    `insert into app.hook_delivery (id, hook_id, message_id, type, body, tries, due_at) overriding system value
     select place, hook, place::text, 'test', '{}', tries, now() + due * interval '1 minute'
       from unnest($1::integer[], $2::integer[], $3::integer[]) with ordinality as m (hook, tries, due, place)`,
    [messages.map(([hook]) => hook), messages.map(([, tries]) => tries), messages.map(([, , due]) => due)],
  );
};
/** The ids of the next messages of these webhooks. */
const next = async (...hooks: number[]): Promise<readonly number[]> => {
  const { rows } = await database.pool.query<{ id: number }>(NEXT, [hooks]);
  return rows.map(({ id }) => id);
};

it.each<readonly [what: string, messages: readonly Waiting[], next: readonly number[]]>([
  [
    'the first, where all are due',
    [
      [1, 0, 0],
      [1, 0, 0],
    ],
    [1],
  ],
  [
    'none, while the first has to wait for its second try',
    [
      [1, 1, 5],
      [1, 0, 0],
    ],
    [],
  ],
  [
    'the one after a message that has had its three tries',
    [
      [1, 3, 5],
      [1, 0, 0],
    ],
    [2],
  ],
  [
    'one that has had its three tries, as soon as it is due again',
    [
      [1, 3, 0],
      [1, 0, 0],
    ],
    [1],
  ],
  [
    'such a one also behind one that has to wait',
    [
      [1, 1, 5],
      [1, 3, 0],
      [1, 0, 0],
    ],
    [2],
  ],
  [
    'the first before such a one',
    [
      [1, 2, 0],
      [1, 3, 0],
    ],
    [1],
  ],
  [
    'the first of those',
    [
      [1, 3, 5],
      [1, 4, 0],
      [1, 3, 0],
    ],
    [2],
  ],
  [
    'of each webhook its own',
    [
      [2, 0, 0],
      [1, 1, 5],
      [2, 0, 0],
      [3, 0, 0],
    ],
    [1],
  ],
])('webhooks: the sender picks %s', async (_what, messages, ids) => {
  await wait(messages);
  expect(await next(1, 2)).toEqual(ids);
});

it('webhooks: the sender reads few rows, however many messages wait', async () => {
  const crowd = 2_000;
  const due = Array.from({ length: crowd }, (): Waiting => [1, 0, 0]);
  const later = Array.from({ length: crowd }, (): Waiting => [2, 5, 60]);
  await wait([...due, ...later, [2, 0, 0]]);
  await database.pool.query('analyze app.hook_delivery');
  const client = await database.pool.connect();
  const read = async (): Promise<number> => {
    const { rows } = await client.query<{ read: number }>(
      `select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_all_tables where relid = 'app.hook_delivery'::regclass`,
    );
    return rows[0]?.read ?? Number.NaN;
  };
  try {
    await client.query('begin');
    const before = await read();
    const { rows } = await client.query<{ id: number }>(NEXT, [[1, 2]]);
    expect(rows.map(({ id }) => id)).toEqual([1, 2 * crowd + 1]);
    expect((await read()) - before).toBeLessThan(20);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

it('webhooks: messages are kept for 30 days', async () => {
  await wait([
    [1, 0, 0],
    [1, 0, 0],
  ]);
  await database.pool.query(`update app.hook_delivery set created_at = now() - id * interval '29 days'`);
  await sweepDeliveries(database.pool);
  expect((await database.pool.query('select id from app.hook_delivery')).rows).toEqual([{ id: 1 }]);
});
