import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** Where the page says what it is about. */
const ABOUT = /<!-- about:.*?<!-- \/about -->/s;

/** The built client, where it is. */
export const CLIENT_FOLDER = join(import.meta.dirname, '../../web/dist');

/**
 * Sends the client's one HTML page, whatever the status is.
 * @param about what it says of itself in this answer, in the place of what stands there (`web/index.html`)
 */
export const clientPage = (
  folder: string = CLIENT_FOLDER,
  about: (request: FastifyRequest) => Promise<string | undefined> = async () => undefined,
): PageHandler => {
  let html: Promise<string> | undefined;
  return async (request, reply) => {
    html ??= readFile(join(folder, 'index.html'), 'utf8').catch((error) => {
      // Only what was read is kept: the next one who asks may have more luck.
      html = undefined;
      throw error;
    });
    const [page, said] = await Promise.all([html, about(request)]);
    return reply
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(said === undefined ? page : page.replace(ABOUT, () => said));
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
