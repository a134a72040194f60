import type { Use } from '#domain/place/state.ts';
import type { Database } from '#infra/postgres/database.ts';
import { LIVE } from '#infra/read-models/read-models.ts';

/** What keeps a city, a venue or a category from being deleted: its venues, or the listings there or in it, past ones too. */
const USES = {
  city: `select id, name from ${LIVE}.venue where city_id = $1 and not archived order by name`,
  venue: `select id, title as name from ${LIVE}.listing where venue_id = $1 and not archived order by title`,
  category: `select id, title as name from ${LIVE}.listing where category = $1 and not archived order by title`,
};

/** Asks a read model what uses a city (by its id), a venue (by its id) or a category (by its slug). */
export const usesOf = async (
  { pool }: Database,
  kind: keyof typeof USES,
  key: number | string,
): Promise<readonly Use[]> => {
  const { rows } = await pool.query<{ id: number; name: string }>(USES[kind], [key]);
  return rows.map((row): Use => ({ kind: kind === 'city' ? 'venue' : 'event', ...row }));
};
