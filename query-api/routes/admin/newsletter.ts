import { sql } from 'kysely';
import { adminNewsletterCalls } from '#domain/contracts/newsletter.ts';
import { startOfMonth } from '#domain/kernel/month.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { count, countOf } from '#query-api/queries/count.ts';
import { exportedListRoutes } from '#query-api/routes/list.ts';

export const adminNewsletterRoutes = (app: App, context: QueryContext): void => {
  const { db, clock, unsubscribeLinks } = context;
  exportedListRoutes(app, context, adminNewsletterCalls.list, adminNewsletterCalls.exportCsv, {
    name: 'newsletter',
    sorts: { email: 'email', source: 'source', subscribed: 'subscribed_at' },
    usual: '-subscribed',
    id: 'id',
    select({ search, status }) {
      let found = db
        .selectFrom('subscriber')
        .select(['id', 'email', 'source', 'subscribed_at as subscribedAt', 'active as isActive']);
      if (status) found = found.where('active', '=', status === 'active');
      return search ? found.where(contains(['email', 'source'], search)) : found;
    },
    items: (rows) => rows,
    columns: [
      ['Email', ({ email }) => email],
      ['Source', ({ source: from }) => from],
      ['Subscribed', ({ subscribedAt }) => subscribedAt],
      ['Status', ({ isActive }) => (isActive ? 'Active' : 'Unsubscribed')],
      ['Unsubscribe link', ({ id, isActive }) => (isActive ? unsubscribeLinks.linkOf(id) : '')],
    ],
  });

  route(app, adminNewsletterCalls.stats, () =>
    db
      .selectFrom('subscriber')
      .select([
        count.as('total'),
        countOf(sql`active`).as('active'),
        countOf(sql`subscribed_at >= ${startOfMonth(clock())}::timestamptz`).as('thisMonth'),
      ])
      .executeTakeFirstOrThrow(),
  );
};
