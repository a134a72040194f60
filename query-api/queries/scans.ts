import { type Kysely, sql } from 'kysely';
import type { ReadModels } from '#infra/read-models/tables.ts';

/** The id of the account that scanned. The row keeps it as text, since an actor without an account has an id that is no UUID. */
const scanner = sql<string>`case when s.by_id ~ '^[0-9a-fA-F-]{36}$' then s.by_id::uuid end`;

/** Scans with an outcome, each with its listing, the ticket's owner and who scanned it. */
export const scans = (db: Kysely<ReadModels>, outcome: ReadModels['scan']['outcome']) =>
  db
    .selectFrom('scan as s')
    .innerJoin('booking as b', 'b.id', 's.booking_id')
    .innerJoin('listing as l', 'l.id', 's.listing_id')
    .leftJoin('person as p', 'p.account_id', 'b.user_id')
    .leftJoin('person as w', (join) => join.on('w.account_id', '=', scanner))
    .select(['s.id', 's.at', 's.quantity', 's.gate', 'l.title', 'p.email'])
    .select(sql<string | null>`nullif(concat_ws(' ', w.first_name, w.last_name), '')`.as('scanned_by'))
    .where('s.outcome', '=', outcome);
