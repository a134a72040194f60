import { type Kysely, type NotNull, type SqlBool, sql } from 'kysely';
import { NIGHT } from '#domain/kernel/policy.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import { contains } from './contains.ts';
import { disputeOf } from './disputes.ts';

export const everyBooking = (
  db: Kysely<ReadModels>,
  {
    search = '',
    status,
  }: {
    readonly search?: string | undefined;
    readonly status?: 'confirmed' | 'cancelled' | 'refunded' | 'completed' | undefined;
  },
  now: Date,
) => {
  /** As `isOver`. */
  const over = db
    .selectFrom('listing')
    .select('id')
    .where(sql`(date::date + 1)::timestamp at time zone zone`, '<=', now)
    .where('starts_at', '<=', new Date(now.getTime() - NIGHT).toISOString());
  /** As `shownStatus`. */
  const cameBack = db
    .selectFrom('refund')
    .select('booking_id')
    .where(sql<SqlBool>`booking_id = b.id and status <> 'succeeded'`);
  const shown = sql<
    'confirmed' | 'cancelled' | 'refunded'
  >`case when b.status = 'refunded' and exists ${cameBack}
    then 'cancelled' else b.status end`;
  let found = db
    .selectFrom('booking as b')
    // Always matches; PostgreSQL skips an outer join whose columns are unused.
    .leftJoin('listing as l', 'l.id', 'b.listing_id')
    .leftJoin('person as p', 'p.account_id', 'b.user_id')
    .select(['b.id', 'b.reference', 'b.quantity', 'b.total', 'b.placed_at', 'b.listing_id'])
    .select(shown.as('status'))
    .select([
      'l.title',
      'l.date',
      'l.time',
      'l.zone',
      'l.starts_at',
      'p.email',
      'p.first_name',
      'p.last_name',
    ])
    .select(disputeOf(db, 'b.id'))
    .$narrowType<{ title: NotNull; date: NotNull; time: NotNull; zone: NotNull; starts_at: NotNull }>();
  if (status === 'completed') found = found.where('b.listing_id', 'in', over);
  if (status === 'confirmed') found = found.where('b.listing_id', 'not in', over);
  if (status) found = found.where(shown, '=', status === 'completed' ? 'confirmed' : status);
  for (const word of search.split(/\s+/).filter(Boolean)) {
    // There are fewer people and events than bookings.
    const people = db.selectFrom('person').select('account_id');
    const named = people.where(contains(['email', 'first_name', 'last_name'], word));
    const titled = db
      .selectFrom('listing')
      .select('id')
      .where(contains(['title'], word));
    found = found.where((eb) =>
      eb.or([
        // Twice as fast as `contains`.
        sql<SqlBool>`strpos(b.reference, ${word.toUpperCase()}) > 0`,
        eb('b.user_id', 'in', named),
        eb('b.listing_id', 'in', titled),
      ]),
    );
  }
  return found;
};
