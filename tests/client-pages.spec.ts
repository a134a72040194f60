import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLIENT_PAGES } from '#infra/http/client-pages.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('the server knows exactly the pages that the client has', () => {
  const pages = [...read('web/src/routes.tsx').matchAll(/path="(\/[^"]*)"/g)].map((match) => match[1]);
  expect([...CLIENT_PAGES].sort()).toEqual(pages.sort());
});

test('the proxy knows them too', () => {
  const [, paths = ''] = /@page path (.*)/.exec(read('infra/Caddyfile')) ?? [];
  const patterns = CLIENT_PAGES.map((page) => page.replace(/:\w+/g, '*'));
  expect(paths.trim().split(' ').sort()).toEqual([...patterns].sort());
});
