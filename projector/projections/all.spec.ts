import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { readModelTables } from '#infra/read-models/tables.ts';
import { tablesOf } from '#projector/engine/projection.ts';
import { projections } from './all.ts';

/**
 * The version of each projection, and a digest of its tables at that version, and of the types of events that they follow from. Where a
 * table has changed, or a type has come that moves a row, raise the projection's `version`: only read models of another version are
 * rebuilt. Others would go on without the column, or without what an older projector passed over. Then write both here.
 */
const TABLES_OF_VERSION = {
  accounts: '4 ce9208e8',
  admissions: '4 39a94444',
  audit: '3 e5aa859d',
  bookings: '3 60b72daa',
  catalogue: '7 ab0e85b7',
  disputes: '2 5f56be8a',
  'email-templates': '1 b67a357c',
  hooks: '1 8ee9edf0',
  images: '1 10341504',
  newsletter: '2 8e3a566f',
  promotions: '3 656c1ab4',
  refunds: '3 09fb5389',
  waiters: '1 e8786fdd',
  settings: '1 e7741b3b',
};

it('raises a projection’s version with every change of its tables, and of the events that they follow from', () => {
  const found = projections.map((projection) => {
    const tables = tablesOf([projection]).map(({ name, key, columns, indexes }) => [
      ...[name, key, indexes],
      Object.entries(columns).map(([column, { type, nullable, personal }]) => [
        ...[column, type, nullable],
        ...(personal ? ['personal'] : []),
      ]),
    ]);
    const types = projection.tables.map((projected) => [...projected.types].sort());
    const digest = createHash('sha256')
      .update(JSON.stringify([tables, types]))
      .digest('hex')
      .slice(0, 8);
    return [projection.name, `${projection.version} ${digest}`];
  });
  expect(Object.fromEntries(found)).toEqual(TABLES_OF_VERSION);
});

it('fills exactly the tables that queries know', () => {
  const names = (tables: readonly { readonly name: string }[]) => tables.map(({ name }) => name).sort();
  expect(names(tablesOf(projections))).toEqual(names(readModelTables));
});
