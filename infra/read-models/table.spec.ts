import { expect, expectTypeOf, it } from 'vitest';
import { integer, json, type KeyOf, optional, type RowOf, table, text, uuid } from './table.ts';
import type { ReadModels } from './tables.ts';

const visitTable = table('visit', {
  key: ['day', 'listing_id'],
  columns: {
    day: text(),
    listing_id: integer(),
    how: text<'foot' | 'bus'>(),
    guide: optional(uuid()),
    tags: json<readonly string[]>(),
  },
  indexes: ['(guide)'],
});

it('a row’s type follows from its table’s declaration, including nullable columns', () => {
  expectTypeOf<RowOf<typeof visitTable>>().toEqualTypeOf<{
    day: string;
    listing_id: number;
    how: 'foot' | 'bus';
    guide: string | null;
    tags: readonly string[];
  }>();
  expectTypeOf<ReadModels['booking']['cancelled_at']>().toEqualTypeOf<string | null>();
  expectTypeOf<ReadModels['booking']['placed_at']>().toEqualTypeOf<string>();
});

it('a key of one column is its value, and a key of several columns is their values', () => {
  expectTypeOf<KeyOf<typeof visitTable>>().toEqualTypeOf<readonly [string, number]>();
  const single = table('single', { key: 'id', columns: { id: integer() } });
  expectTypeOf<KeyOf<typeof single>>().toEqualTypeOf<number>();
  expect(single.indexes).toEqual([]);
  // @ts-expect-error: the key is no column
  table('keyless', { key: 'id', columns: { name: text() } });
});
