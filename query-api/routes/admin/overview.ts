import { sql } from 'kysely';
import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import type { QueryOf } from '#domain/contracts/call.ts';
import { toDecimal } from '#domain/money.ts';
import { HOME_ZONE, toInstant, toWallClock } from '#domain/zone.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { addressPlace, openTexts } from '#infra/read-models/sealed-text.ts';
import type { QueryContext } from '#query-api/context.ts';
import { contains, csvRoute, listRoute } from '#query-api/routes/list.ts';

const DAYS = 30;
const DAY = 86_400_000;

/** The age groups from the youngest, each with the age at which it ends. */
const AGES: readonly (readonly [name: string, under: number])[] = [
  ['Under 18', 18],
  ['18–24', 25],
  ['25–34', 35],
  ['35–44', 45],
  ['45–54', 55],
  ['55–64', 65],
  ['65 and over', Number.POSITIVE_INFINITY],
];

/** The dates of the last days, the given one last. */
const daysUntil = (today: string): readonly string[] =>
  Array.from({ length: DAYS }, (_, i) =>
    new Date(Date.parse(today) - (DAYS - 1 - i) * DAY).toISOString().slice(0, 10),
  );

/** Full years from a date of birth to a day, both `YYYY-MM-DD`. */
const ageOn = (birth: string, day: string): number =>
  Number(day.slice(0, 4)) - Number(birth.slice(0, 4)) - (day.slice(5) < birth.slice(5) ? 1 : 0);

/** Figures of the whole site, the audit trail, and what is known of its users. */
export const adminOverviewRoutes = (app: App, context: QueryContext): void => {
  const { db, keys, clock } = context;
  const today = () => toWallClock(clock().toISOString(), HOME_ZONE).date;
  const users = db
    .selectFrom('account as a')
    .where('a.deleted_at', 'is', null)
    .where('a.erased_at', 'is', null);

  route(app, overviewCalls.stats, async () => {
    const now = today();
    const days = daysUntil(now);
    const since = (date: string) => new Date(toInstant({ date, time: '00:00' }, HOME_ZONE));
    const placed = db.selectFrom('booking as b').where('b.unfilled', 'is', null);
    const day = sql<string>`to_char(b.placed_at at time zone ${HOME_ZONE}, 'YYYY-MM-DD')`;
    const [people, listings, bookings, back, perDay] = await Promise.all([
      users
        .select([
          sql<number>`count(*)::int`.as('total'),
          sql<number>`count(*) filter (where a.is_active)::int`.as('active'),
        ])
        .executeTakeFirstOrThrow(),
      db
        .selectFrom('listing')
        .where('archived', '=', false)
        .select([
          sql<number>`count(*)::int`.as('total'),
          sql<number>`count(*) filter (where featured)::int`.as('featured'),
        ])
        .executeTakeFirstOrThrow(),
      placed
        .select([
          sql<number>`count(*)::int`.as('total'),
          sql<number>`count(*) filter (where b.placed_at >= ${since(`${now.slice(0, 7)}-01`)})::int`.as(
            'month',
          ),
          sql<string>`coalesce(sum(b.total), 0)`.as('paid'),
        ])
        .executeTakeFirstOrThrow(),
      db
        .selectFrom('refund as r')
        .innerJoin('booking as b', 'b.id', 'r.booking_id')
        .where('b.unfilled', 'is', null)
        .where('r.status', '=', 'succeeded')
        .select(sql<string>`coalesce(sum(r.amount), 0)`.as('amount'))
        .executeTakeFirstOrThrow(),
      placed
        .where('b.placed_at', '>=', since(days[0] ?? now).toISOString())
        .select([
          day.as('date'),
          sql<number>`count(*)::int`.as('bookings'),
          sql<string>`sum(b.total)`.as('paid'),
        ])
        .groupBy(sql`1`)
        .execute(),
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
    };
  });

  const trail = {
    sorts: { date: 'a.position' },
    usual: '-date' as const,
    id: 'a.id',
    select({ entity, search }: QueryOf<typeof overviewCalls.audit>) {
      let found = db
        .selectFrom('audit as a')
        .leftJoin('person as p', (on) =>
          on.on('p.account_id', '=', sql`case when a.actor_kind = 'user' then a.actor_id::uuid end`),
        )
        .selectAll('a')
        .select('p.email');
      if (entity) found = found.where('a.entity_type', '=', entity);
      if (!search) return found;
      // There are fewer people than entries: they are searched first.
      const people = db
        .selectFrom('person')
        .select(sql<string>`account_id::text`.as('id'))
        .where(contains(['email'], search));
      return found.where((eb) =>
        eb.or([
          contains(['a.details', 'a.entity_id'], search),
          eb.and([eb('a.actor_kind', '=', 'user'), eb('a.actor_id', 'in', people)]),
        ]),
      );
    },
  };
  type Rows = readonly Awaited<ReturnType<ReturnType<typeof trail.select>['execute']>>[number][];
  const entries = async (rows: Rows) => {
    const addresses = await openTexts(
      keys,
      rows.map(({ ip, correlation_id }) => ({ text: ip, place: addressPlace(correlation_id) })),
    );
    return rows.map((row, index) => ({
      id: row.id,
      userId: row.actor_kind === 'user' ? row.actor_id : null,
      userEmail: row.email,
      action: row.action,
      entityType: row.entity_type,
      entityId: row.entity_id,
      details: row.details,
      ipAddress: addresses[index] ?? null,
      createdAt: row.at,
    }));
  };
  listRoute(app, overviewCalls.audit, trail, entries);
  csvRoute(app, context, overviewCalls.exportAudit, trail, {
    name: 'audit',
    items: entries,
    columns: [
      ['Time', ({ createdAt }) => createdAt],
      ['User ID', ({ userId }) => userId],
      ['User', ({ userEmail }) => userEmail],
      ['Action', ({ action }) => action],
      ['Entity', ({ entityType }) => entityType],
      ['Entity ID', ({ entityId }) => entityId],
      ['Details', ({ details }) => details],
      ['IP address', ({ ipAddress }) => ipAddress],
    ],
  });

  route(app, overviewCalls.analytics, async () => {
    const people = users.innerJoin('person as p', 'p.account_id', 'a.id');
    const [{ total }, births, preferring, topCategories] = await Promise.all([
      users.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
      people
        .where('p.date_of_birth', 'is not', null)
        .select([sql<string>`p.date_of_birth`.as('date'), sql<number>`count(*)::int`.as('people')])
        .groupBy('p.date_of_birth')
        .execute(),
      people
        .where(sql`jsonb_array_length(p.favorite_categories)`, '>', 0)
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow(),
      people
        .innerJoin(sql<string>`jsonb_array_elements_text(p.favorite_categories)`.as('chosen'), (on) =>
          on.onTrue(),
        )
        .leftJoin('category as c', (on) => on.on('c.slug', '=', sql.ref('chosen')))
        .select([
          sql<string>`coalesce(c.name, chosen)`.as('category'),
          sql<number>`count(*)::int`.as('count'),
        ])
        .groupBy(sql`1`)
        .orderBy(sql`2`, 'desc')
        .orderBy(sql`1`)
        .limit(10)
        .execute(),
    ]);
    const now = today();
    const ageGroups: Record<string, number> = Object.fromEntries(AGES.map(([name]) => [name, 0]));
    let years = 0;
    let known = 0;
    for (const { date, people: born } of births) {
      const age = ageOn(date, now);
      const [name = ''] = AGES.find(([, under]) => age < under) ?? [];
      ageGroups[name] = (ageGroups[name] ?? 0) + born;
      years += age * born;
      known += born;
    }
    return {
      totalUsers: total,
      usersWithDOB: known,
      usersWithPreferences: preferring.count,
      averageAge: known > 0 ? Math.round((years / known) * 10) / 10 : null,
      ageGroups,
      topCategories,
    };
  });
};
