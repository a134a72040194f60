import { NAME_MARK } from '#infra/read-models/search.ts';
import { listingSearchTable } from '#infra/read-models/tables.ts';
import type { DeclaredProjection, Derived } from '#projector/engine/projection.ts';
import { categories } from './categories.ts';
import { inventory, listings } from './listings.ts';
import { cities, venues } from './places.ts';

/** Derived by SQL: renaming a venue changes the search text of all its listings. */
const search: Derived = {
  table: listingSearchTable,
  derive: (changed, schema) => {
    const of = (table: string) => changed.get(table) ?? [];
    const values = [of('listing'), of('venue'), of('city'), of('category')];
    if (values.every((keys) => keys.length === 0)) return undefined;
    return {
      text: `INSERT INTO ${schema}.listing_search (listing_id, document)
        SELECT l.id, array_to_tsvector(ARRAY(
          SELECT word FROM unnest(string_to_array(concat_ws(' ', l.words, regexp_replace(
            concat_ws(' ', l.names, v.words, c.words, k.words), '\\S+', '\\& ${NAME_MARK}\\&', 'g')), ' ')) AS word
          WHERE word <> ''))
        FROM ${schema}.listing l
        LEFT JOIN ${schema}.venue v ON v.id = l.venue_id
        LEFT JOIN ${schema}.city c ON c.id = l.city_id
        LEFT JOIN ${schema}.category k ON k.slug = l.category
        WHERE l.id = ANY($1::integer[]) OR l.venue_id = ANY($2::integer[])
          OR l.city_id = ANY($3::integer[]) OR l.category = ANY($4::text[])
        ON CONFLICT (listing_id) DO UPDATE SET document = excluded.document`,
      values,
    };
  },
};

export const catalogue: DeclaredProjection = {
  name: 'catalogue',
  fold: 1,
  tables: [listings, inventory, cities, venues, categories],
  derived: [search],
};
