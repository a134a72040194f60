import { sql } from 'kysely';
import { toSavedCategory } from '#domain/answers/content.ts';
import { adminCategoryCalls } from '#domain/contracts/admin-categories.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { exportedListRoutes } from '#query-api/routes/list.ts';

export const adminCategoryRoutes = (app: App, context: QueryContext): void => {
  exportedListRoutes(app, context, adminCategoryCalls.list, adminCategoryCalls.exportCsv, {
    name: 'categories',
    sorts: { name: 'k.name', events: 'used.events' },
    usual: sql`k.id`,
    id: 'k.id',
    select({ search }) {
      const found = context.db
        .selectFrom('category as k')
        .innerJoinLateral(
          (eb) =>
            eb
              .selectFrom('listing as l')
              .select(({ fn }) => fn.countAll<string>().as('events'))
              .whereRef('l.category', '=', 'k.slug')
              .where('l.archived', '=', false)
              .as('used'),
          (join) => join.onTrue(),
        )
        .select(['k.id', 'k.slug', 'k.name', 'k.emoji', 'k.description', 'used.events'])
        .where('k.archived', '=', false);
      return search ? found.where(contains(['k.name', 'k.description'], search)) : found;
    },
    items: (rows) =>
      rows.map(({ events, ...row }) => toSavedCategory({ ...row, eventCount: Number(events) })),
    columns: [
      ['ID', ({ id }) => id],
      ['Name', ({ name }) => name],
      ['Emoji', ({ emoji }) => emoji],
      ['Description', ({ description }) => description],
      ['Events', ({ eventCount }) => eventCount],
    ],
  });
};
