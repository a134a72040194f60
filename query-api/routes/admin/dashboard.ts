import { sql } from 'kysely';
import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { startOfMonth } from '#domain/kernel/month.ts';
import { HOME_ZONE, toInstant, toWallClock } from '#domain/kernel/zone.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { presentAccounts } from '#query-api/queries/accounts.ts';
import { count, countOf } from '#query-api/queries/count.ts';
import { compareMonth } from '#query-api/queries/month-comparison.ts';

const DAYS = 30;
const DAY = 86_400_000;

const daysUntil = (today: string): readonly string[] =>
  Array.from({ length: DAYS }, (_, i) =>
    new Date(Date.parse(today) - (DAYS - 1 - i) * DAY).toISOString().slice(0, 10),
  );

const lostTo = (db: QueryContext['db']) =>
  db
    .selectFrom('dispute')
    .where('outcome', '=', 'lost')
    .groupBy('booking_id')
    .select(({ fn }) => ['booking_id', fn.sum<string>('amount').as('amount')])
    .as('d');

export const adminDashboardRoutes = (app: App, { db, clock }: QueryContext): void => {
  route(app, overviewCalls.stats, async () => {
    const now = clock();
    const today = toWallClock(now.toISOString(), HOME_ZONE).date;
    const days = daysUntil(today);
    const since = (date: string) => new Date(toInstant({ date, time: '00:00' }, HOME_ZONE));
    const placed = db.selectFrom('booking as b').where('b.unfilled', 'is', null);
    const day = sql<string>`to_char(b.placed_at at time zone ${HOME_ZONE}, 'YYYY-MM-DD')`;
    const [people, listings, bookings, back, perDay, month] = await Promise.all([
      presentAccounts(db)
        .select([count.as('total'), countOf(sql`a.is_active`).as('active')])
        .executeTakeFirstOrThrow(),
      db
        .selectFrom('listing')
        .where('archived', '=', false)
        .select([count.as('total'), countOf(sql`featured`).as('featured')])
        .executeTakeFirstOrThrow(),
      placed
        .select([
          count.as('total'),
          countOf(sql`b.placed_at >= ${startOfMonth(now)}::timestamptz`).as('month'),
          sql<string>`coalesce(sum(b.total), 0)`.as('paid'),
        ])
        .executeTakeFirstOrThrow(),
      // A payment may be both refunded and lost to a dispute: don't subtract it twice.
      placed
        .leftJoin('refund as r', (join) =>
          join.onRef('r.booking_id', '=', 'b.id').on('r.status', '=', 'succeeded'),
        )
        .leftJoin(lostTo(db), 'd.booking_id', 'b.id')
        .where(({ or, eb }) => or([eb('r.booking_id', 'is not', null), eb('d.booking_id', 'is not', null)]))
        .select(
          sql<string>`coalesce(sum(least(b.total, coalesce(r.amount, 0) + coalesce(d.amount, 0))), 0)`.as(
            'amount',
          ),
        )
        .executeTakeFirstOrThrow(),
      placed
        .where('b.placed_at', '>=', since(days[0] ?? today).toISOString())
        .select([day.as('date'), count.as('bookings'), sql<string>`sum(b.total)`.as('paid')])
        .groupBy(sql`1`)
        .execute(),
      compareMonth(db, now),
    ]);
    const found = new Map(perDay.map((row) => [row.date, row]));
    return {
      users: people,
      events: listings,
      bookings: {
        total: bookings.total,
        revenue: toDecimal(Number(bookings.paid) - Number(back.amount)),
        thisMonth: bookings.month,
        perDay: days.map((date) => ({
          date,
          bookings: found.get(date)?.bookings ?? 0,
          revenue: toDecimal(Number(found.get(date)?.paid ?? 0)),
        })),
      },
      month,
    };
  });
};
