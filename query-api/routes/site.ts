import type { StripeConfig } from '#domain/contracts/site.ts';
import type { App } from '#infra/http/server.ts';
import { siteEntries } from '#query-api/queries/settings.ts';
import type { QueryContext } from '#query-api/server.ts';

/** What the client has to know about the site and its payments. */
export const siteRoutes = (app: App, { db, payments }: QueryContext): void => {
  const everybody = { capability: 'browse', session: 'ignored' } as const;

  app.get('/api/site-config', { config: everybody }, () => siteEntries(db));

  app.get('/api/stripe-config', { config: everybody }, async (): Promise<StripeConfig> => payments);
};
