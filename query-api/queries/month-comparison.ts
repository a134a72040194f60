import { type Kysely, sql } from 'kysely';
import type { MonthComparison } from '#domain/contracts/admin-overview.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { monthSoFar } from '#domain/kernel/month.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import { presentAccounts } from './accounts.ts';
import { countOf } from './count.ts';

export const compareMonth = async (db: Kysely<ReadModels>, now: Date): Promise<MonthComparison> => {
  const { from, before, by, whole } = monthSoFar(now);
  const within = (column: string) => ({
    now: sql`${sql.ref(column)} >= ${from}::timestamptz`,
    before: sql`${sql.ref(column)} < ${before.until}::timestamptz`,
  });
  const placed = within('b.placed_at');
  const registered = within('a.registered_at');
  const paid = (stretch: typeof placed.now) =>
    sql<string>`coalesce(sum(b.total) filter (where ${stretch}), 0)`;
  const [people, bookings] = await Promise.all([
    presentAccounts(db)
      .where('a.registered_at', '>=', before.from)
      .select([countOf(registered.now).as('now'), countOf(registered.before).as('before')])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('booking as b')
      .where('b.unfilled', 'is', null)
      .where('b.placed_at', '>=', before.from)
      .select([
        countOf(placed.now).as('now'),
        countOf(placed.before).as('before'),
        paid(placed.now).as('paidNow'),
        paid(placed.before).as('paidBefore'),
      ])
      .executeTakeFirstOrThrow(),
  ]);
  return {
    ...{ by, whole },
    joined: { now: people.now, before: people.before || null },
    booked: { now: bookings.now, before: bookings.before || null },
    taken: {
      now: toDecimal(Number(bookings.paidNow)),
      before: bookings.before ? toDecimal(Number(bookings.paidBefore)) : null,
    },
  };
};
