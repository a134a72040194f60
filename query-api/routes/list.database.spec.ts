import { beforeAll, expect, it } from 'vitest';
import { readModels } from '#infra/read-models/read-models.ts';
import { documentTable } from '#infra/read-models/tables.ts';
import { createReadModels } from '#projector/engine/schema.ts';
import { projections } from '#projector/projections/all.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { documents } from './list.ts';

interface Note {
  readonly words: string;
  readonly place: number;
}
const note = { name: 'note', initial: null as Note | null };

const database = migratedDatabase();
const notes = () => documents(readModels(database.pool), note, ['words']);
beforeAll(async () => {
  await createReadModels(database.pool, 'read', projections, 'a log');
  const row = (id: string, words: string, place: number, aggregate = 'note') => [
    ...[aggregate, id, { words, place }],
    '[]',
  ];
  for (const values of [
    row('a', 'Éclair', 10),
    row('b', '100% rye', 9),
    row('c', 'Bun', 100),
    row('d', 'Bun', 1, 'other'),
  ])
    await database.pool.query(
      `insert into read.${documentTable.name} (aggregate, id, state, images) values ($1, $2, $3, $4)`,
      values,
    );
});

const ids = async (search: string | undefined, sort: string): Promise<string> => {
  const { select, sorts } = notes();
  const rows = await select({ search }).orderBy(sorts(sort)).execute();
  return rows.map(({ id }) => id).join('');
};

it('a list returns the documents of one aggregate in the order of a field, with numbers as numbers', async () => {
  expect(await ids(undefined, 'place')).toBe('bac');
  expect(await ids(undefined, 'words')).toBe('bca');
  expect(await notes().select({ search: 'bun' }).execute()).toEqual([
    { id: 'c', state: { words: 'Bun', place: 100 } },
  ]);
});

it('a list searches the named fields for the literal text', async () => {
  expect(await ids('0%', 'place')).toBe('b');
  expect(await ids('1', 'place')).toBe('b');
  expect(await ids('ÉCL', 'place')).toBe('a');
});
