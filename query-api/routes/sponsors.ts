import { pictureOf } from '#domain/answers/picture.ts';
import { adminSponsorCalls, MOST_SPONSORS, sponsorCalls } from '#domain/contracts/sponsors.ts';
import { sponsor, toAdminSponsor } from '#domain/sponsor/sponsor.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { documents, exportedListRoutes } from './list.ts';

export const sponsorRoutes = (app: App, context: QueryContext): void => {
  const { baseUrl } = context.config;
  const source = documents(context.db, sponsor, ['name', 'link']);

  route(app, sponsorCalls.list, async () => {
    const rows = await source
      .select()
      .orderBy(source.sorts('order'))
      .orderBy('id')
      .limit(MOST_SPONSORS)
      .execute();
    return rows.flatMap(({ id, state: { name, link, logo } }) => {
      const picture = pictureOf(logo, baseUrl);
      return picture ? [{ id, name, link, logo: picture }] : [];
    });
  });

  exportedListRoutes(app, context, adminSponsorCalls.list, adminSponsorCalls.exportCsv, {
    ...source,
    name: 'sponsors',
    usual: 'order',
    items: (rows) => rows.map(({ id, state }) => toAdminSponsor(id, state, baseUrl)),
    columns: [
      ['Order', ({ order }) => order],
      ['Name', ({ name }) => name],
      ['Link', ({ link }) => link],
      ['Logo', ({ logo }) => logo],
    ],
  });
};
