import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { PAGES } from '#domain/contracts/pages.ts';
import { clientPage } from '#infra/http/client-pages.ts';
import { createRateLimits } from '#infra/http/rate-limits.ts';
import { createServer } from '#infra/http/server.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { pageHeaders, readerHeaders } from './kit/proxy.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('the proxy knows the client’s pages, and which of them query-api renders', async () => {
  const paths = (pages: typeof PAGES) => pages.map(({ path }) => path.replace(/:\w+/g, '*')).join(' ');
  const rendered = paths(PAGES.filter(({ module }) => module));
  const written = read('infra/Caddyfile')
    .replace(/(?<=@page path ).*/, paths(PAGES))
    .replace(/(?<=@queries path .*\/\.well-known\/\* ).*(?= \/sitemap\.xml )/, rendered)
    .replace(/(?<=@drawn \{\s+path ).*/, rendered);
  await expect(written).toMatchFileSnapshot('../infra/Caddyfile');
});

test('the proxy sends the server’s security headers', async () => {
  const app = await createServer({
    config: { baseUrl: 'https://reprise.example', production: true, trustProxy: 1 },
    sessions: { find: async () => undefined, rotate: async () => undefined },
    limits: createRateLimits({
      factor: 'off',
      pool: { query: () => Promise.reject() } as never,
      clock: () => new Date(),
    }),
    logId: 'log-1',
    logger: silentLogger(),
  });
  const { headers } = await app.inject('/no-such-page');
  const reader = (await app.inject('/assets/reader-worker-x.js')).headers;
  await app.close();
  const directives = (policy: unknown) =>
    String(policy)
      .split(';')
      .map((directive) => directive.trim())
      // The proxy may be reached by plain http, behind another one that speaks https.
      .filter((directive) => directive !== 'upgrade-insecure-requests');
  expect(pageHeaders).toHaveLength(8);
  for (const [name, value] of pageHeaders)
    expect([name, directives(value)]).toEqual([name, directives(headers[name.toLowerCase()])]);
  expect(readerHeaders.map(([name, value]) => [name, directives(value)])).toEqual([
    ['Content-Security-Policy', directives(reader['content-security-policy'])],
  ]);
  expect(headers['content-security-policy']).not.toContain('eval');
});

test('the proxy sends security headers with every file of the client and with its page for missing files', () => {
  const [, ...served] = read('infra/Caddyfile').split(/^\s*root \* \/srv$/m);
  expect(served).toHaveLength(3);
  for (const block of served) expect(block).toMatch(/^\s*import policies$/m);
});

test('the proxy falls back to the client’s own rendering only while query-api is down', () => {
  const [, drawn = ''] = read('infra/Caddyfile').split('@drawn {');
  expect(drawn).toMatch(/^\s*method GET HEAD$/m);
  expect(drawn).toMatch(/^\s*expression `{err\.status_code} in \[502, 503, 504]`$/m);
  // Of an error route the file server keeps the status, where no other is named.
  expect(drawn).not.toMatch(/^\s*status\b/m);
});

test('a page that could not be read is read again at the next request', async () => {
  const folder = await freshFolder();
  const app = Fastify();
  const page = clientPage(folder);
  app.get('/', (request, reply) => page(request as never, reply as never));
  const status = async () => (await app.inject('/')).statusCode;
  expect(await status()).toBe(500);
  await writeFile(join(folder, 'index.html'), '<title>Reprise</title>');
  expect(await status()).toBe(200);
  await app.close();
});
