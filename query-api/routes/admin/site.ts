import { toAdminSetting } from '#domain/answers/content.ts';
import { type SiteKey, siteDefaults } from '#domain/content/site-defaults.ts';
import { adminSiteCalls } from '#domain/contracts/admin-site.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';

export const adminSiteRoutes = (app: App, { db }: QueryContext): void => {
  route(app, adminSiteCalls.list, async () => {
    const rows = await db.selectFrom('setting').selectAll().execute();
    return (Object.keys(siteDefaults) as SiteKey[]).map((key) => {
      const set = rows.find((row) => row.key === key);
      return toAdminSetting(key, set && { ...set, at: set.updated_at });
    });
  });
};
