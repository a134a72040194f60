import { type Kysely, sql } from 'kysely';
import type { ReadModels } from '#infra/read-models/tables.ts';

/**
 * As `standing`.
 * @param booking the column with the booking's id
 */
export const disputeOf = (db: Kysely<ReadModels>, booking: string) =>
  db
    .selectFrom('dispute as d')
    .where('d.booking_id', '=', sql.ref<number>(booking))
    .where(sql<boolean>`not (d.inquiry and d.outcome is null)`)
    .select(({ fn, val }) => fn.coalesce('d.outcome', val('open' as const)).as('status'))
    .orderBy(sql`d.outcome is not distinct from 'won'`)
    .orderBy('d.opened_at', 'desc')
    .limit(1)
    .as('dispute');
