import { expect, it } from 'vitest';
import { toInstant } from '#domain/kernel/zone.ts';
import { migratedDatabase } from '#tests/kit/database.ts';
import { isZone } from './city-zone.ts';

const database = migratedDatabase();
const known = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ name: string }>('SELECT name FROM pg_timezone_names');
  return rows.map(({ name }) => name);
};

it('every zone that the city dialog offers is known to PostgreSQL', async () => {
  const names = new Set(await known());
  const offered = Intl.supportedValuesOf('timeZone');
  expect(offered.filter((zone) => !isZone(zone))).toEqual([]);
  expect(offered.filter((zone) => !names.has(zone))).toEqual([]);
});

it('every zone means the same to PostgreSQL, in winter and in summer', async () => {
  const { rows: short } = await database.pool.query<{ name: string }>(
    'SELECT abbrev AS name FROM pg_timezone_abbrevs',
  );
  const zones = [...(await known()), ...short.map(({ name }) => name)].filter(isZone);
  expect(zones.length).toBeGreaterThan(400);
  for (const date of ['2026-01-15', '2026-07-15']) {
    const { rows } = await database.pool.query<{ zone: string; at: Date }>(
      'SELECT zone, ($2::date)::timestamp AT TIME ZONE zone AS at FROM unnest($1::text[]) AS zone',
      [zones, date],
    );
    const otherwise = rows.filter(
      ({ zone, at }) => at.toISOString() !== toInstant({ date, time: '00:00' }, zone),
    );
    expect(otherwise).toEqual([]);
  }
});
