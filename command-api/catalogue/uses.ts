import type { Use } from '#domain/place/state.ts';
import type { Database } from '#infra/postgres/database.ts';
import { LIVE } from '#infra/read-models/read-models.ts';

/** What keeps a city, a venue category or image from being deleted: its venues, or the listings there, in it or with it, past ones too, and the settings that name it. */
const USES = {
  city: `select id, name from ${LIVE}.venue where city_id = $1 and not archived order by name`,
  venue: `select id, title as name from ${LIVE}.listing where venue_id = $1 and not archived order by title`,
  category: `select id, title as name from ${LIVE}.listing where category = $1 and not archived order by title`,
  image: `select id, title as name, 'event' as kind from ${LIVE}.listing where image_url = $1 and not archived
    union all select 0, replace(key, '_', ' '), 'setting' from ${LIVE}.setting where value = $1 order by name`,
};

/** Asks a read model what uses a city (by its id), a venue (by its id) a category (by its slug) or an image (by its path). */
export const usesOf = async (
  { pool }: Database,
  kind: keyof typeof USES,
  key: number | string,
): Promise<readonly Use[]> => {
  const { rows } = await pool.query<Omit<Use, 'kind'> & Partial<Use>>(USES[kind], [key]);
  return rows.map((row): Use => ({ kind: kind === 'city' ? 'venue' : 'event', ...row }));
};
