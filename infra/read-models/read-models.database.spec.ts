import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { toRefusal } from '#infra/http/errors.ts';
import { createReadModels } from '#projector/engine/schema.ts';
import { projections } from '#projector/projections/all.ts';
import { openQueryService } from '#query-api/service.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { readModels } from './read-models.ts';

const database = migratedDatabase();
beforeEach(async () => {
  await database.pool.query('drop schema if exists read cascade');
  await createReadModels(database.pool, 'read', projections, 'a log');
});

/** What a caller is told of a query that fails. */
const toldOf = (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: unknown) => toRefusal(error).status,
  );
const extras = () => readModels(database.pool).selectFrom('listing').select('extras').execute();
const nonsense = () =>
  readModels(database.pool).selectFrom('listing').select(sql`nonsense`.as('it')).execute();

it('queries wait for a rebuild if an older version made the read models', async () => {
  expect(await toldOf(extras())).toBeUndefined();
  await database.pool.query('alter table read.listing drop column extras');
  expect(await toldOf(extras())).toBe(503);
  await database.pool.query('alter table read.listing add column extras jsonb');
  expect(await toldOf(extras())).toBeUndefined();
});

it('a wrong query counts as a defect', async () => {
  expect(await toldOf(nonsense())).toBe(500);
});

it('queries are not ready while the read models lack a table or a column', async () => {
  const { pool, url } = database;
  const signer = { publicKeys: [{ publicKey: 'of these specs' }] };
  const queries = await openQueryService({ database: { pool }, databaseUrl: url, signer } as never);
  atTheEnd(() => queries.stop());
  const probe = () => Promise.all(queries.checks.map((check) => check.probe()));
  await probe();
  await pool.query('alter table read.listing drop column extras; drop table read.dispute');
  await expect(probe()).rejects.toThrow(/rebuild.*dispute, listing/);
});
