import { type RawBuilder, sql } from 'kysely';

export const count: RawBuilder<number> = sql`count(*)::int`;

export const countOf = (condition: RawBuilder<unknown>): RawBuilder<number> =>
  sql`count(*) filter (where ${condition})::int`;
