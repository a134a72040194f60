import { siteCalls } from '#domain/contracts/site.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { siteEntries } from '#query-api/queries/settings.ts';

export const siteRoutes = (app: App, { db, payments, config }: QueryContext): void => {
  route(app, siteCalls.config, async () =>
    (await siteEntries(db)).map(({ key, value }) => ({
      key,
      value: value.startsWith('/images/') ? config.baseUrl + value : value,
    })),
  );

  route(app, siteCalls.payments, async () => payments);
};
