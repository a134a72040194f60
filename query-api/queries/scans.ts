import { type Kysely, sql } from 'kysely';
import type { DoorCount } from '#domain/contracts/tickets.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';

/** Actors without an account have ids that are not UUIDs. */
const scanner = sql<string>`case when s.by_id ~ '^[0-9a-fA-F-]{36}$' then s.by_id::uuid end`;

export const nameOf = (person: string) =>
  sql<
    string | null
  >`nullif(concat_ws(' ', ${sql.ref(`${person}.first_name`)}, ${sql.ref(`${person}.last_name`)}), '')`;

/** Without undone scans; a conflict recorded for the same scan remains. */
export const scans = (db: Kysely<ReadModels>, outcome: ReadModels['scan']['outcome']) => {
  const found = db
    .selectFrom('scan as s')
    .innerJoin('booking as b', 'b.id', 's.booking_id')
    .innerJoin('listing as l', 'l.id', 's.listing_id')
    .leftJoin('person as p', 'p.account_id', 'b.user_id')
    .leftJoin('person as w', (join) => join.on('w.account_id', '=', scanner))
    .select([
      's.id',
      's.at',
      's.booking_id',
      's.page',
      's.quantity',
      's.gate',
      's.by_id',
      'l.title',
      'p.email',
    ])
    .select(['b.reference', nameOf('w').as('scanned_by')])
    .where('s.outcome', '=', outcome);
  if (outcome !== 'admitted') return found;
  return found.where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom('scan as u')
          .select('u.id')
          .whereRef('u.booking_id', '=', 's.booking_id')
          .whereRef('u.page', '=', 's.page')
          .whereRef('u.undoes', '=', 's.at'),
      ),
    ),
  );
};

export const doorCounts = async (
  db: Kysely<ReadModels>,
  listingIds: readonly number[],
): Promise<readonly DoorCount[]> => {
  const disputed = db
    .selectFrom('admission as a')
    .innerJoin('booking as b', 'b.id', 'a.booking_id')
    .select(sql<number>`coalesce(sum(b.quantity - a.admitted), 0)::int`.as('people'))
    .whereRef('a.listing_id', '=', sql.ref('l.id'))
    .where('a.suspended', '=', true)
    .where('b.status', '=', 'confirmed');
  return db
    .selectFrom('listing as l')
    .leftJoin('door as d', 'd.listing_id', 'l.id')
    .select('l.id as eventId')
    .select(sql<number>`coalesce(d.booked, 0) - ${disputed}`.as('expected'))
    .select(sql<number>`coalesce(d.admitted, 0)`.as('inside'))
    .select(sql<number>`coalesce(d.conflicts, 0)`.as('conflicts'))
    .where('l.id', 'in', listingIds)
    .execute();
};
