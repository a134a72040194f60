import { type RawBuilder, sql } from 'kysely';

/** How many rows there are. */
export const count: RawBuilder<number> = sql`count(*)::int`;

/** How many rows meet a condition. */
export const countOf = (condition: RawBuilder<unknown>): RawBuilder<number> =>
  sql`count(*) filter (where ${condition})::int`;
