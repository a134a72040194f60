import { adminSiteCalls } from '#domain/contracts/admin-site.ts';
import { siteDefaults } from '#domain/contracts/site.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context.ts';

/** The site's settings, as superusers change them. */
export const adminSiteRoutes = (app: App, { db }: QueryContext): void => {
  route(app, adminSiteCalls.list, async () => {
    const rows = await db.selectFrom('setting').selectAll().execute();
    return Object.entries(siteDefaults).map(([key, value]) => {
      const set = rows.find((row) => row.key === key);
      return set
        ? {
            key,
            value: set.value,
            description: set.description,
            category: set.category,
            updatedAt: set.updated_at,
          }
        : { key, value, description: '', category: 'general', updatedAt: null };
    });
  });
};
