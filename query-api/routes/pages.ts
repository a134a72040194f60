import type { FastifyRequest } from 'fastify';
import { idParams } from '#domain/contracts/fields.ts';
import { CLIENT_FOLDER, clientPage } from '#infra/http/client-pages.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context.ts';
import { escaped, eventHead, type Head, siteHead, tagsOf } from '#query-api/pages/head.ts';
import { findEvent } from '#query-api/queries/listings.ts';
import { loadSettings } from '#query-api/queries/settings.ts';

const OPEN = { config: { capability: 'browse', session: 'ignored' }, schema: { hide: true } } as const;

/** Events in the sitemap, at the most. The format allows 50,000 addresses. */
const MOST = 45_000;

/** What is nobody's to find: people's own pages, the staff's, and links out of mails. */
const PRIVATE = [
  '/admin',
  '/audit',
  '/auth',
  '/booking/',
  '/newsletter-unsubscribe',
  '/profile',
  '/reset-password',
  '/sandbox/',
  '/scanner',
  '/T/',
  '/verify-email',
  '/verify-ticket/',
];

/** The id in a page's address, which may be anything: people type those. */
const idIn = (params: unknown): number | undefined => {
  const found = idParams().safeParse(params);
  return found.success ? found.data.id : undefined;
};

/** The client's pages that others find and share, with what each is about in its head; and what search engines ask for beside them. */
export const pageRoutes = (app: App, { db, config, clock }: QueryContext): void => {
  const { baseUrl } = config;

  /** The page is served even where nothing can be found out about it. */
  const page = (head: (request: FastifyRequest) => Promise<Head>) =>
    clientPage(CLIENT_FOLDER, (request) =>
      head(request).then(tagsOf, (error: unknown) => {
        request.log.warn({ err: error }, 'a page is sent without what it is about');
        return undefined;
      }),
    );

  for (const about of [{ path: '/' }, { path: '/events', title: 'All Events' }])
    app.get(
      about.path,
      OPEN,
      page(async () => siteHead(await loadSettings(db), baseUrl, about)),
    );

  const missing = { path: '/events', title: 'Event Not Found' };
  app.get(
    '/events/:id',
    OPEN,
    page(async ({ params }) => {
      const settings = await loadSettings(db);
      const id = idIn(params);
      const view = { baseUrl, now: clock(), bookingEnabled: settings.bookingEnabled };
      const event = id === undefined ? undefined : await findEvent(db, id, view);
      return event
        ? eventHead(event, settings, baseUrl)
        : { ...siteHead(settings, baseUrl, missing), isHidden: true };
    }),
  );

  app.get('/sitemap.xml', OPEN, async (_request, reply) => {
    const events = await db
      .selectFrom('listing')
      .select('id')
      .where('archived', '=', false)
      .where('is_active', '=', true)
      .where('starts_at', '>', clock().toISOString())
      .orderBy('starts_at')
      .limit(MOST)
      .execute();
    const paths = [
      ...['/', '/events', '/about', '/help', '/contact'],
      ...events.map(({ id }) => `/events/${id}`),
    ];
    const urls = paths.map((path) => `  <url><loc>${escaped(baseUrl + path)}</loc></url>\n`);
    return reply
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('')}</urlset>\n`,
      );
  });

  app.get('/robots.txt', OPEN, (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        `User-agent: *\n${PRIVATE.map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${baseUrl}/sitemap.xml\n`,
      ),
  );
};
