import { sql } from 'kysely';
import type { QueryOf } from '#domain/contracts/call.ts';
import { adminNewsletterCalls } from '#domain/contracts/newsletter.ts';
import { HOME_ZONE, toInstant, toWallClock } from '#domain/zone.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context.ts';
import { contains, csvRoute, listRoute } from '#query-api/routes/list.ts';

/** The instant at which the month began in London. */
const monthOf = (now: Date): string => {
  const { date } = toWallClock(now.toISOString(), HOME_ZONE);
  return toInstant({ date: `${date.slice(0, 7)}-01`, time: '00:00' }, HOME_ZONE);
};

/** The newsletter's addresses, and their numbers. */
export const adminNewsletterRoutes = (app: App, context: QueryContext): void => {
  const { db, clock } = context;
  const source = {
    sorts: { email: 'email', source: 'source', subscribed: 'subscribed_at' },
    usual: '-subscribed' as const,
    id: 'id',
    select({ search, status }: QueryOf<typeof adminNewsletterCalls.list>) {
      let found = db
        .selectFrom('subscriber')
        .select(['id', 'email', 'source', 'subscribed_at as subscribedAt', 'active as isActive']);
      if (status) found = found.where('active', '=', status === 'active');
      return search ? found.where(contains(['email', 'source'], search)) : found;
    },
  };
  listRoute(app, adminNewsletterCalls.list, source, (rows) => [...rows]);
  csvRoute(app, context, adminNewsletterCalls.exportCsv, source, {
    name: 'newsletter',
    items: (rows) => rows,
    columns: [
      ['Email', ({ email }) => email],
      ['Source', ({ source: from }) => from],
      ['Subscribed', ({ subscribedAt }) => subscribedAt],
      ['Status', ({ isActive }) => (isActive ? 'Active' : 'Unsubscribed')],
    ],
  });

  route(app, adminNewsletterCalls.stats, async () => {
    const { total, active, month } = await db
      .selectFrom('subscriber')
      .select(({ fn }) => [
        fn.countAll<string>().as('total'),
        sql<string>`count(*) filter (where active)`.as('active'),
        sql<string>`count(*) filter (where subscribed_at >= ${monthOf(clock())}::timestamptz)`.as('month'),
      ])
      .executeTakeFirstOrThrow();
    return { total: Number(total), active: Number(active), thisMonth: Number(month) };
  });
};
