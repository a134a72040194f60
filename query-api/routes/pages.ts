import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toEvent } from '#domain/listing/answer.ts';
import { CLIENT_FOLDER } from '#infra/http/client-pages.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context.ts';
import { escaped, eventHead, type Head, siteHead, tagsOf } from '#query-api/pages/head.ts';
import { listingParts, listings } from '#query-api/queries/listings.ts';
import { loadSettings } from '#query-api/queries/settings.ts';

/** Where the client's page says what it is about (`web/index.html`). */
const ABOUT = /<!-- about:.*?<!-- \/about -->/s;

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

/** The client's pages that others find and share, with what each is about in its head; and what search engines ask for beside them. */
export const pageRoutes = (app: App, { db, config, clock }: QueryContext): void => {
  const { baseUrl } = config;
  let client: Promise<string> | undefined;
  const clientHtml = (): Promise<string> => {
    client ??= readFile(join(CLIENT_FOLDER, 'index.html'), 'utf8');
    return client;
  };

  /** The page is served even where nothing can be found out about it. */
  const page = async (
    request: FastifyRequest,
    reply: FastifyReply,
    about: () => Promise<Head | undefined>,
  ) => {
    const html = await clientHtml();
    const head = await about().catch((error: unknown) => {
      request.log.warn({ err: error }, 'a page is sent without what it is about');
      return undefined;
    });
    return reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(head ? html.replace(ABOUT, () => tagsOf(head)) : html);
  };

  for (const about of [{ path: '/' }, { path: '/events', title: 'All Events' }])
    app.get(about.path, OPEN, (request, reply) =>
      page(request, reply, async () => siteHead(await loadSettings(db), baseUrl, about)),
    );

  app.get<{ Params: { id: string } }>('/events/:id', OPEN, (request, reply) =>
    page(request, reply, async () => {
      const settings = await loadSettings(db);
      const id = /^[1-9]\d{0,8}$/.test(request.params.id) ? Number(request.params.id) : undefined;
      const row = id && (await listings(db).where('l.id', '=', id).executeTakeFirst());
      if (!row)
        return {
          ...siteHead(settings, baseUrl, { path: '/events', title: 'Event Not Found' }),
          isHidden: true,
        };
      const { bookingEnabled } = settings;
      return eventHead(
        toEvent(listingParts(row), { baseUrl, now: clock(), bookingEnabled }),
        settings,
        baseUrl,
      );
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
