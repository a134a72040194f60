import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { tablesOf } from '#projector/projection.ts';
import { projections } from './all.ts';

/**
 * The version of each projection, and a digest of its tables at that version. Where a table has changed, raise the projection's
 * `version`: only read models of another version are rebuilt, and others would go on without the column. Then write both here.
 */
const TABLES_OF_VERSION = {
  accounts: '4 97278943',
  admissions: '3 b4bf81a5',
  audit: '3 9faaee35',
  bookings: '2 e3b49de6',
  catalogue: '4 447e5f25',
  disputes: '2 a2c0ad97',
  'email-templates': '1 fc28217e',
  hooks: '1 e8097b65',
  images: '1 9ad3b905',
  newsletter: '2 de624407',
  promotions: '2 f0129d13',
  refunds: '3 89fe3bdb',
  settings: '1 9b9af826',
};

it('raises a projection’s version with every change of its tables', () => {
  const found = projections.map((projection) => {
    const tables = tablesOf([projection]).map(({ name, key, columns, indexes }) => [
      ...[name, key, indexes],
      Object.entries(columns).map(([column, { type, nullable, personal }]) => [
        ...[column, type, nullable],
        ...(personal ? ['personal'] : []),
      ]),
    ]);
    const digest = createHash('sha256').update(JSON.stringify(tables)).digest('hex').slice(0, 8);
    return [projection.name, `${projection.version} ${digest}`];
  });
  expect(Object.fromEntries(found)).toEqual(TABLES_OF_VERSION);
});
