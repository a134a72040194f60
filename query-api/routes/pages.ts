import type { FastifyRequest } from 'fastify';
import { COOKIE_CONSENT, GIVEN_DATA, headers, SIGNED_IN_HINT } from '#domain/contracts/envelope.ts';
import { idParams } from '#domain/contracts/fields.ts';
import { PAGES, type PagePath } from '#domain/contracts/pages.ts';
import type { GivenAnswer } from '#domain/contracts/rendering.ts';
import { sanitizeDescription } from '#infra/html/sanitize-html.ts';
import { CLIENT_FOLDER, clientPage, type PageContent } from '#infra/http/client-pages.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { escaped, eventHead, type Head, siteHead, tagsOf } from '#query-api/pages/head.ts';
import { openRenderer, type PageWithScripts } from '#query-api/pages/renderer.ts';
import { findEvent } from '#query-api/queries/listings.ts';
import { loadSettings } from '#query-api/queries/settings.ts';

const OPEN = { config: { capability: 'browse', session: 'ignored' }, schema: { hide: true } } as const;

const EVENT_PAGE: PagePath = '/events/:id';

/** A sitemap has at most 50,000 addresses. */
const MOST = 45_000;

const PRIVATE = [
  ...PAGES.filter(({ module }) => !module).map(({ path }) => path.replace(/:.*/, '')),
  '/sandbox/',
]
  .filter((path, _, all) => !all.some((other) => other !== path && path.startsWith(other)))
  .sort((one, other) => one.localeCompare(other));

const idIn = (params: unknown): number | undefined => {
  const found = idParams().safeParse(params);
  return found.success ? found.data.id : undefined;
};

/** Returning visitors already have the client's scripts. */
const isKnown = ({ cookies }: FastifyRequest): boolean =>
  SIGNED_IN_HINT in cookies || COOKIE_CONSENT in cookies;

const contents = new WeakMap<PageWithScripts, PageContent>();
const contentOf = (page: PageWithScripts): PageContent => {
  const { html, css, given, scripts, imported } = page;
  const content = contents.get(page) ?? {
    head: [
      // React recognises these attributes and adds no styles of its own.
      `<style data-href="tamagui-css" data-precedence="default">${css}</style>`,
      ...scripts.map(
        (script) => `<link rel="modulepreload" fetchpriority="low" href="/${script}" data-page>`,
      ),
      ...imported.map((script) => `<link rel="modulepreload" fetchpriority="low" href="/${script}">`),
      '<script src="/early-press.js" async></script>',
    ].join(''),
    html,
    // No text can close the element.
    end: `<script type="application/json" id="${GIVEN_DATA}">${JSON.stringify(given).replace(/</g, '\\u003c')}</script>`,
  };
  contents.set(page, content);
  return content;
};

interface Drawn {
  readonly module: string;
  readonly reads?: readonly string[];
  readonly paths: RegExp;
}

const addressOf = (url: string, reads: readonly string[]): string => {
  const [path = '/', query] = url.split('?', 2);
  const asked = new URLSearchParams(query);
  const read = new URLSearchParams(
    reads.flatMap((name) => (asked.get(name) ? [[name, asked.get(name) ?? '']] : [])),
  );
  return read.size > 0 ? `${path}?${read}` : path;
};

export const pageRoutes = (app: App, { db, config, clock }: QueryContext): void => {
  const { baseUrl } = config;

  const renderer = openRenderer({
    client: CLIENT_FOLDER,
    now: () => clock().getTime(),
    onError: (error, module) => app.log.warn({ err: error, module }, 'a page is sent without its content'),
  });
  app.addHook('onClose', () => renderer.close());
  /** Anonymous, but counted for the visitor's address. */
  const askAs =
    ({ ip }: FastifyRequest) =>
    async (url: string): Promise<GivenAnswer> => {
      const reply = await app.inject({ url, remoteAddress: ip });
      const read = [headers.total, headers.cursor].flatMap((name) => {
        const value = reply.headers[name.toLowerCase()];
        return value === undefined ? [] : [[name, String(value)]];
      });
      return { status: reply.statusCode, headers: Object.fromEntries(read), body: reply.body };
    };
  const contentFor = async (request: FastifyRequest, { paths, module, reads = [] }: Drawn) => {
    if (request.method === 'HEAD' || isKnown(request)) return undefined;
    const address = addressOf(request.url, reads);
    // The client's router may read other spellings (`//`, `%61bout`, `/events/01`) differently.
    if (!paths.test(address)) return undefined;
    const page = await renderer.render(address, `src/${module}.tsx`, askAs(request));
    return page && contentOf(page);
  };

  const page = (drawn: Drawn, head: (request: FastifyRequest) => Promise<Head>) =>
    clientPage(CLIENT_FOLDER, async (request) => {
      const [about, content] = await Promise.all([
        head(request).catch((error: unknown) => {
          request.log.warn({ err: error }, 'a page is sent without what it is about');
          return undefined;
        }),
        contentFor(request, drawn),
      ]);
      return { about: about && tagsOf(about), content, status: about?.isMissing ? 404 : undefined };
    });

  for (const { module, ...about } of PAGES) {
    if (!module || about.path === EVENT_PAGE) continue;
    const drawn = { ...about, module, paths: new RegExp(`^${about.path}(\\?|$)`) };
    app.get(
      about.path,
      OPEN,
      page(drawn, async () => siteHead(await loadSettings(db), baseUrl, about)),
    );
  }

  const missing = { path: '/events', title: 'Event Not Found' };
  app.get(
    EVENT_PAGE,
    OPEN,
    page({ module: 'features/events/event', paths: /^\/events\/[1-9]\d*$/ }, async ({ params }) => {
      const settings = await loadSettings(db);
      const id = idIn(params);
      const { bookingEnabled } = settings;
      const view = { baseUrl, now: clock(), bookingEnabled, sanitize: sanitizeDescription };
      const event = id === undefined ? undefined : await findEvent(db, id, view);
      return event
        ? eventHead(event, settings, view)
        : { ...siteHead(settings, baseUrl, missing), isHidden: true, isMissing: true };
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
