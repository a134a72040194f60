import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { GivenAnswer } from '#domain/contracts/rendering.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { openRenderer, type Renderer } from './renderer.ts';

/** Draws `/ends` of what it asks for: one answer names the next question. `/leaves` leaves something to do after it, and tells of how much was done. */
const PROGRAM = `let done = 0;
export default ({ path, answers }) => {
  if (path.startsWith('/leaves')) {
    setImmediate(() => done++);
    return { page: { html: String(done), css: '', given: { queries: [], at: 0 } } };
  }
  if (path === '/devours') for (const held = []; ; ) held.push(Array(1_000_000).fill({}));
  if (path === '/hangs') for (;;);
  if (path === '/breaks') throw new Error('no such page');
  let next = '/api' + path;
  while (next in answers && answers[next].body) next = answers[next].body;
  if (!(next in answers)) return { asks: [next] };
  return { page: { html: Object.keys(answers).join(' '), css: '', given: { queries: [], at: 0 } } };
};`;
const MANIFEST = {
  'src/pages/a.tsx': { file: 'assets/a.js', imports: ['_b.js', '_c.js'] },
  '_b.js': { file: 'assets/b.js', imports: ['_c.js', 'src/pages/a.tsx'] },
  '_c.js': { file: 'assets/c.js' },
  'src/app/layout/footer.tsx': { file: 'assets/footer.js', imports: ['_d.js'] },
  '_d.js': { file: 'assets/d.js' },
};

let now: number;
let renderer: Renderer;
let program: string;
const errors: string[] = [];
beforeEach(async () => {
  now = 1_000_000;
  errors.length = 0;
  const client = await freshFolder();
  await mkdir(join(client, '.vite'));
  await writeFile(join(client, '.vite/manifest.json'), JSON.stringify(MANIFEST));
  program = join(client, 'program.mjs');
  await writeFile(program, PROGRAM);
  renderer = openRenderer({
    client,
    program,
    now: () => now,
    onError: (error) => errors.push(String(error)),
  });
  const opened = renderer;
  atTheEnd(() => opened.close());
});

const answer = (body = ''): GivenAnswer => ({ status: 200, headers: {}, body });
const render = (path: string, ask: (asked: string) => Promise<GivenAnswer>) =>
  renderer.render(path, 'src/pages/a.tsx', ask);
/** The thread takes its time to start; those who ask meanwhile get nothing. */
const rendered = (path: string, ask: (asked: string) => Promise<GivenAnswer>) =>
  eventually(async () => {
    const page = await render(path, ask);
    if (!page) throw new Error('not yet');
    return page;
  });

test('the renderer makes the page’s calls and returns the scripts that the page needs', async () => {
  const more: Readonly<Record<string, string>> = { '/api/x': '/api/y' };
  const page = await rendered('/x', async (asked) => answer(more[asked]));
  expect(page.html).toBe('/api/x /api/y');
  expect(page.scripts).toEqual(['assets/a.js', 'assets/footer.js']);
  expect(page.imported).toEqual(['assets/b.js', 'assets/c.js', 'assets/d.js']);
});

test('the renderer gives up a page that calls without end or cannot be drawn, and reports it', async () => {
  await eventually(async () => {
    expect(await render('/endless', async (asked) => answer(`${asked}/more`))).toBeUndefined();
    expect(await render('/breaks', async () => answer())).toBeUndefined();
    expect(new Set(errors)).toEqual(new Set(['Error: the page asks for ever more', 'Error: no such page']));
  });
});

test('the renderer reports no page that is being drawn when the site stops', async () => {
  await rendered('/x', async () => answer());
  const drawn = render('/hangs', async () => answer());
  await renderer.close();
  expect(await drawn).toBeUndefined();
  expect(errors).toEqual([]);
});

test('the renderer runs pages’ deferred work while it draws others', async () => {
  let nth = 0;
  await eventually(async () => {
    const page = await rendered(`/leaves${nth++}`, async () => answer());
    expect(Number(page.html)).toBeGreaterThan(0);
  });
});

test('the renderer ends only the thread of a page that takes too much memory', async () => {
  await rendered('/x', async () => answer());
  expect(await render('/devours', async () => answer())).toBeUndefined();
  await eventually(() => expect(errors).toEqual([expect.stringMatching(/memory limit/)]));
  expect((await rendered('/y', async () => answer())).html).toBe('/api/y');
});

test('the renderer leaves a page to the browser without a report if a call is refused', async () => {
  await rendered('/x', async () => answer());
  const ask = vi.fn(async () => ({ ...answer('{}'), status: 404 }));
  expect(await render('/none', ask)).toBeUndefined();
  expect(await render('/none', ask)).toBeUndefined();
  expect(errors).toEqual([]);
});

test('the renderer draws a page once for all callers, and redraws an old one in the background', async () => {
  const ask = vi.fn(async () => answer());
  await rendered('/x', ask);
  await Promise.all([render('/x', ask), render('/x', ask)]);
  expect(ask).toHaveBeenCalledTimes(1);

  now += 6_000;
  const held = Promise.withResolvers<GivenAnswer>();
  const slow = vi.fn(async (asked: string) => (asked === '/api/x' ? held.promise : answer()));
  expect(await render('/x', slow)).toBeDefined();
  expect(await render('/x', slow)).toBeDefined();
  await eventually(() => expect(slow).toHaveBeenCalledTimes(1));
  held.resolve(answer('/api/new'));
  await eventually(async () =>
    expect((await render('/x', async () => answer()))?.html).toBe('/api/x /api/new'),
  );
});

test('the renderer keeps the former page if a new one fails', async () => {
  const before = await rendered('/x', async () => answer());
  for (const age of [6_000, 12_000]) {
    now += age;
    const refused = vi.fn(async () => ({ ...answer(), status: 429 }));
    expect(await render('/x', refused)).toBe(before);
    await eventually(() => expect(refused).toHaveBeenCalled());
  }
  now += 60_000;
  expect(await render('/x', async () => ({ ...answer(), status: 429 }))).toBeUndefined();
});

test('the renderer reports that its code cannot be loaded, for example during an upgrade, and that it can again', async () => {
  await writeFile(program, "import './not-there.mjs';");
  await eventually(async () => {
    expect(await render('/x', async () => answer())).toBeUndefined();
    expect(errors.join()).toMatch(/not-there/);
  });
  await writeFile(program, PROGRAM);
  await rendered('/x', async () => answer());
});

test('the renderer lets nobody wait for a slow page, and has it for the next request', async () => {
  await rendered('/x', async () => answer());
  const held = Promise.withResolvers<GivenAnswer>();
  expect(await render('/slow', () => held.promise)).toBeUndefined();
  held.resolve(answer());
  await eventually(async () => expect(await render('/slow', () => held.promise)).toBeDefined());
});

test('the renderer does not send a page that is too old', async () => {
  await rendered('/x', async () => answer());
  now += 61_000;
  const held = Promise.withResolvers<GivenAnswer>();
  expect(await render('/x', () => held.promise)).toBeUndefined();
  held.resolve(answer());
});
