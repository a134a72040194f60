import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyRequest } from 'fastify';
import type { PageHandler } from './not-found.ts';
import type { App } from './server.ts';

/** The client's pages, as its router has them. What is not among them answers 404, with the client's own page. */
export const CLIENT_PAGES = [
  '/',
  '/landing',
  '/events',
  '/events/:id',
  '/booking/:eventId',
  '/profile',
  '/profile/security',
  '/profile-complete',
  '/profile-deleted',
  '/auth',
  '/verify-email',
  '/reset-password',
  '/newsletter-unsubscribe',
  '/scanner',
  '/verify-ticket/:token',
  '/T/:token',
  '/admin',
  '/audit',
  '/help',
  '/contact',
  '/about',
  '/privacy',
  '/terms',
  '/cookies',
] as const;

/** What an answer has in places that the page names (`web/index.html`). What is not given stays as it stands there. */
export interface PageParts {
  /** What the page says of itself, for others. */
  readonly about?: string | undefined;
  /** The end of the head. */
  readonly head?: string;
  /** What is on the page already. Its pictures then go before the scripts. */
  readonly content?: string;
  /** What follows it. */
  readonly end?: string;
}

const PLACES: Readonly<Record<keyof PageParts, RegExp>> = {
  about: /<!-- about:.*?<!-- \/about -->/s,
  head: /(?=<\/head>)/,
  end: /(?=<\/body>)/,
  content: /<!-- content:.*?<!-- \/content -->/s,
};

/** How scripts stand in the built page. */
const SCRIPTS = /<(?:script type="module"|link rel="modulepreload")/g;

const filled = (page: string, parts: PageParts): string => {
  let html = parts.content === undefined ? page : page.replace(SCRIPTS, '$& fetchpriority="low"');
  for (const [name, place] of Object.entries(PLACES)) {
    const part = parts[name as keyof PageParts];
    if (part !== undefined) html = html.replace(place, () => part);
  }
  return html;
};

/** How many pages are kept as they were compressed: everybody may ask for the same one when a sale begins. */
const MOST_PACKED = 20;

/** Compresses pages, equal ones once. */
const packer = (): ((page: string) => Promise<Buffer>) => {
  const compress = promisify<string, Buffer>(gzip);
  const kept = new Map<string, Promise<Buffer>>();
  return (page) => {
    const packed = kept.get(page) ?? compress(page);
    kept.delete(page);
    kept.set(page, packed);
    const [oldest] = kept.keys();
    if (kept.size > MOST_PACKED && oldest !== undefined) kept.delete(oldest);
    return packed;
  };
};

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
  const packed = packer();
  return async (request, reply) => {
    html ??= readFile(join(folder, 'index.html'), 'utf8').catch((error) => {
      // Only what was read is kept: the next one who asks may have more luck.
      html = undefined;
      throw error;
    });
    const [empty, parts] = await Promise.all([html, partsOf(request)]);
    const page = filled(empty, parts);
    reply.type('text/html; charset=utf-8');
    reply.headers({ 'cache-control': 'no-cache', vary: 'cookie, accept-encoding' });
    return /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
      ? reply.header('content-encoding', 'gzip').send(await packed(page))
      : reply.send(page);
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
  for (const url of CLIENT_PAGES) {
    // The query API says in some of them what they are about.
    if (!app.hasRoute({ method: 'GET', url })) app.get(url, { schema: { hide: true } }, page);
  }
};
