import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { tablesOf } from '#projector/projection.ts';
import { projections } from './all.ts';

/**
 * The version of each projection, and a digest of its tables at that version. Where a table has changed, raise the projection's
 * `version`: only read models of another version are rebuilt, and others would go on without the column. Then write both here.
 */
const TABLES_OF_VERSION = {
  accounts: '2 b1a6b860',
  admissions: '2 2a80b7e8',
  audit: '1 dc5686cf',
  bookings: '1 e3b49de6',
  catalogue: '3 c7648daa',
  disputes: '1 5289afb9',
  'email-templates': '1 fc28217e',
  images: '1 9ad3b905',
  newsletter: '1 4dcc9d4b',
  promotions: '2 f0129d13',
  refunds: '2 f719a05a',
  settings: '1 9b9af826',
};

it('raises a projection’s version with every change of its tables', () => {
  const found = projections.map((projection) => {
    const tables = tablesOf([projection]).map(({ name, key, columns, indexes }) => [
      ...[name, key, indexes],
      Object.entries(columns).map(([column, { type, nullable }]) => [column, type, nullable]),
    ]);
    const digest = createHash('sha256').update(JSON.stringify(tables)).digest('hex').slice(0, 8);
    return [projection.name, `${projection.version} ${digest}`];
  });
  expect(Object.fromEntries(found)).toEqual(TABLES_OF_VERSION);
});
