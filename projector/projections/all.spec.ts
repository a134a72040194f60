import { expect, it } from 'vitest';
import { readModelTables } from '#infra/read-models/tables.ts';
import { tablesOf } from '#projector/engine/projection.ts';
import { projections } from './all.ts';

it('fills exactly the tables that queries know', () => {
  const names = (tables: readonly { readonly name: string }[]) => tables.map(({ name }) => name).sort();
  expect(names(tablesOf(projections))).toEqual(names(readModelTables));
});
