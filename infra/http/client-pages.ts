import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyRequest } from 'fastify';
import { PAGES } from '#domain/contracts/pages.ts';
import type { PageHandler } from './not-found.ts';
import type { App } from './server.ts';

/** What is on a page before the client draws it. */
export interface PageContent {
  /** What the head has more. */
  readonly head: string;
  /** What stands in the root. */
  readonly html: string;
  /** What follows it. */
  readonly end: string;
}

/** What an answer has besides the built page. */
export interface PageParts {
  /** Its status, where it is another than the route's. */
  readonly status?: number | undefined;
  /** What the page says of itself, for others. */
  readonly about?: string | undefined;
  /** The same object for the same content: then the page is made and compressed once. */
  readonly content?: PageContent | undefined;
}

// The places in the built page (`web/index.html`).
const ABOUT = /<!-- about:.*?<!-- \/about -->/s;
const CONTENT = /<!-- content:.*?<!-- \/content -->/s;
const SCRIPTS = /<(?:script type="module"|link rel="modulepreload")/g;

const aboutIn = (page: string, about: string | undefined): string =>
  about === undefined ? page : page.replace(ABOUT, () => about);

/** The page with content. Its pictures go before the scripts, which only take over what is there. */
const contentIn = (page: string, about: string | undefined, { head, html, end }: PageContent): string =>
  aboutIn(page.replace(SCRIPTS, '$& fetchpriority="low"'), about)
    .replace('</head>', () => `${head}</head>`)
    .replace('</body>', () => `${end}</body>`)
    .replace(CONTENT, () => html);

/** A page as it was made for the last who asked. */
interface MadePage {
  readonly about: string | undefined;
  readonly page: string;
  packed?: Promise<Buffer>;
}

const compress = promisify<string, Buffer>(gzip);
/** Whether a client reads gzip, by its `Accept-Encoding`. */
const readsGzip = (accepted = ''): boolean => /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted);

/** The built client, where it is. */
export const CLIENT_FOLDER = join(import.meta.dirname, '../../web/dist');

/**
 * Sends the client's one HTML page, whatever the status is.
 * @param partsOf what it has in this answer
 */
export const clientPage = (
  folder: string = CLIENT_FOLDER,
  partsOf: (request: FastifyRequest) => Promise<PageParts> = async () => ({}),
): PageHandler => {
  let html: Promise<string> | undefined;
  const made = new WeakMap<PageContent, MadePage>();
  const pageWith = (empty: string, about: string | undefined, content: PageContent): MadePage => {
    const before = made.get(content);
    if (before && before.about === about) return before;
    const page = { about, page: contentIn(empty, about, content) };
    made.set(content, page);
    return page;
  };
  return async (request, reply) => {
    html ??= readFile(join(folder, 'index.html'), 'utf8').catch((error) => {
      // Only what was read is kept: the next one who asks may have more luck.
      html = undefined;
      throw error;
    });
    const [empty, { status, about, content }] = await Promise.all([html, partsOf(request)]);
    if (status !== undefined) reply.code(status);
    reply.type('text/html; charset=utf-8');
    reply.headers({ 'cache-control': 'no-cache', vary: 'cookie, accept-encoding' });
    if (!content) return reply.send(aboutIn(empty, about));
    const whole = pageWith(empty, about, content);
    if (!readsGzip(request.headers['accept-encoding'])) return reply.send(whole.page);
    whole.packed ??= compress(whole.page);
    return reply.header('content-encoding', 'gzip').send(await whole.packed);
  };
};

/** Serves the built client: its files, for a year where their names hold their hash, and its pages. */
export const installClient = async (app: App, folder: string = CLIENT_FOLDER): Promise<void> => {
  if (!existsSync(join(folder, 'index.html'))) throw new Error('the client is not built: npm run build');
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (response, path) => {
      const hashed = path.includes('/assets/');
      response.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const page = clientPage(folder);
  for (const { path: url } of PAGES) {
    // The query API renders some of them.
    if (!app.hasRoute({ method: 'GET', url })) app.get(url, { schema: { hide: true } }, page);
  }
};
