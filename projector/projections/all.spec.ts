import { expect, it } from 'vitest';
import * as declared from '#infra/read-models/tables.ts';
import { tablesOf } from '#projector/engine/projection.ts';
import { projections } from './all.ts';

it('the projections fill every declared table', () => {
  const names = (tables: readonly { readonly name: string }[]) => tables.map(({ name }) => name).sort();
  expect(names(tablesOf(projections))).toEqual(names(Object.values(declared)));
});
