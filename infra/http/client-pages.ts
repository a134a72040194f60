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

export interface PageContent {
  readonly head: string;
  readonly html: string;
  readonly end: string;
}

export interface PageParts {
  readonly status?: number | undefined;
  readonly about?: string | undefined;
  /** The same object for the same content: then the page is made and compressed once. */
  readonly content?: PageContent | undefined;
}

const ABOUT = /<!-- about:.*?<!-- \/about -->/s;
const CONTENT = /<!-- content:.*?<!-- \/content -->/s;
const SCRIPTS = /<(?:script type="module"|link rel="modulepreload")/g;

const aboutIn = (page: string, about: string | undefined): string =>
  about === undefined ? page : page.replace(ABOUT, () => about);

const contentIn = (page: string, about: string | undefined, { head, html, end }: PageContent): string =>
  aboutIn(page.replace(SCRIPTS, '$& fetchpriority="low"'), about)
    .replace('</head>', () => `${head}</head>`)
    .replace('</body>', () => `${end}</body>`)
    .replace(CONTENT, () => html);

interface MadePage {
  readonly about: string | undefined;
  readonly page: string;
  packed?: Promise<Buffer>;
}

const compress = promisify<string, Buffer>(gzip);
const readsGzip = (accepted = ''): boolean => /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted);

export const CLIENT_FOLDER = join(import.meta.dirname, '../../web/dist');

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
    if (!app.hasRoute({ method: 'GET', url })) app.get(url, { schema: { hide: true } }, page);
  }
};
