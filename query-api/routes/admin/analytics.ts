import { sql } from 'kysely';
import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import { HOME_ZONE, toWallClock } from '#domain/kernel/zone.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { presentAccounts } from '#query-api/queries/accounts.ts';
import { count } from '#query-api/queries/count.ts';

const AGES: readonly (readonly [name: string, under: number])[] = [
  ['Under 18', 18],
  ['18–24', 25],
  ['25–34', 35],
  ['35–44', 45],
  ['45–54', 55],
  ['55–64', 65],
  ['65 and over', Number.POSITIVE_INFINITY],
];

const ageOn = (birth: string, day: string): number =>
  Number(day.slice(0, 4)) - Number(birth.slice(0, 4)) - (day.slice(5) < birth.slice(5) ? 1 : 0);

export const adminAnalyticsRoutes = (app: App, { db, clock }: QueryContext): void => {
  route(app, overviewCalls.analytics, async () => {
    const users = presentAccounts(db);
    const people = users.innerJoin('person as p', 'p.account_id', 'a.id');
    const [{ total }, births, preferring, topCategories] = await Promise.all([
      users.select(count.as('total')).executeTakeFirstOrThrow(),
      people
        .where('p.date_of_birth', 'is not', null)
        .select([sql<string>`p.date_of_birth`.as('date'), count.as('people')])
        .groupBy('p.date_of_birth')
        .execute(),
      people
        .where(sql`jsonb_array_length(p.favorite_categories)`, '>', 0)
        .select(count.as('count'))
        .executeTakeFirstOrThrow(),
      people
        .innerJoin(sql<string>`jsonb_array_elements_text(p.favorite_categories)`.as('chosen'), (on) =>
          on.onTrue(),
        )
        .leftJoin('category as c', (on) => on.on('c.slug', '=', sql.ref('chosen')))
        .select([sql<string>`coalesce(c.name, chosen)`.as('category'), count.as('count')])
        .groupBy(sql`1`)
        .orderBy(sql`2`, 'desc')
        .orderBy(sql`1`)
        .limit(10)
        .execute(),
    ]);
    const now = toWallClock(clock().toISOString(), HOME_ZONE).date;
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
