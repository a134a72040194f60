/** What a stranger sees before the page's scripts are there, and how these take over. */
import type { Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { endure } from '#tests/kit/endure.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { button, shows } from './steps.ts';

const PHONE = { width: 390, height: 844, cookies: 'unasked' } as const;
const RENDERED = [
  '/',
  '/landing',
  '/events',
  '/events?category=concerts',
  '/events/1',
  '/events/4',
  '/about',
  '/help',
  '/contact',
  '/privacy',
];

inChromium('a stranger’s first page', (browser) => {
  let origin: string;
  beforeAll(async () => {
    ({ origin } = await sharedSite());
  });

  /** Opens a page that is rendered. On a busy machine the first who ask get the empty one. */
  const open = (page: Page, path: string): Promise<void> =>
    eventually(async () => {
      const reply = await page.goto(path, { waitUntil: 'commit' });
      expect(await reply?.text()).toContain('id="given"');
    });

  /** Holds the page's own script back. Returns what lets it go. */
  const withoutScripts = async (page: Page): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
      await promise;
      await route.continue();
    });
    return resolve;
  };
  const isTakenOver = (page: Page) =>
    page.waitForFunction(() => 'early' in window && window.early === undefined);

  test('can be read, and links work, without scripts', async () => {
    const context = await browser().newContext({ baseURL: origin, javaScriptEnabled: false });
    const page = await context.newPage();
    await open(page, '/events');
    const first = page.getByRole('article').getByRole('link').first();
    const title = await first.innerText();
    await open(page, (await first.getAttribute('href')) ?? '');
    await shows(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await shows(page.getByRole('link', { name: 'Book Now' }).first()).toBeVisible();
    await context.close();
  });

  test.each(RENDERED)('%s is hydrated unchanged', async (path) => {
    const { page, complaints } = await visit(browser(), origin, PHONE);
    const letGo = await withoutScripts(page);
    await open(page, path);
    const heading = page.getByRole('heading', { level: 1 });
    await shows(heading).toBeVisible();
    const before = await heading.elementHandle();
    const text = await heading.innerText();
    letGo();
    await isTakenOver(page);
    // React would have put other elements in the place of those that it can't take over.
    expect(await before?.evaluate((one) => one.isConnected)).toBe(true);
    await shows(heading).toHaveText(text);
    expect(complaints).toEqual([]);
    await leave(page);
  });

  test('remembers an early click', async () => {
    const { page } = await visit(browser(), origin, PHONE);
    const letGo = await withoutScripts(page);
    await open(page, '/events');
    await page.waitForFunction(() => 'early' in window);
    await button(page, /Concerts/).click();
    letGo();
    await shows(page).toHaveURL(/category=concerts/);
    await shows(page.getByRole('heading', { level: 1, name: 'Concerts Events' })).toBeVisible();
    await leave(page);
  });

  endure('reports images that failed before its scripts were loaded', async () => {
    const { page } = await visit(browser(), origin, PHONE);
    const letGo = await withoutScripts(page);
    await page.route('**/images/**', (route) => route.abort());
    await open(page, '/events');
    const lazy = page.locator('img[loading=lazy]').first();
    await lazy.scrollIntoViewIfNeeded();
    await page.waitForFunction(
      (image) => image instanceof HTMLImageElement && image.complete,
      await lazy.elementHandle(),
    );
    letGo();
    await isTakenOver(page);
    await shows(page.locator('.rail').getByText('Image unavailable').first()).toBeVisible();
    await leave(page);
  });

  endure('has its styles once', async () => {
    const { page } = await visit(browser(), origin, PHONE);
    await open(page, '/events');
    await isTakenOver(page);
    const sheets = await page.evaluate(() =>
      [...document.querySelectorAll('style')].map((one) => one.innerHTML),
    );
    expect(sheets.filter(Boolean).length).toBe(1);
    await leave(page);
  });

  endure('reloads data that may have changed since it was rendered', async () => {
    const { page } = await visit(browser(), origin, PHONE);
    await page.route('**/api/site-config', (route) =>
      route.fulfill({ json: [{ key: 'site_name', value: 'Curtain & Co' }] }),
    );
    await open(page, '/about');
    await shows(page).toHaveTitle('About · Curtain & Co');
    await leave(page);
  });

  endure('keeps early typing and choices', async () => {
    const { page, complaints } = await visit(browser(), origin, PHONE);
    const letGo = await withoutScripts(page);
    await open(page, '/events');
    await page.waitForFunction(() => 'early' in window);
    const search = page.getByLabel('Search by title, venue, city or tag');
    await search.fill('zzz');
    await page.locator('main').getByLabel('City', { exact: true }).selectOption('Cardiff');
    letGo();
    await shows(page).toHaveURL(/city=Cardiff/);
    await shows(search).toHaveValue('zzz');
    await search.press('Enter');
    await shows(page).toHaveURL(/search=zzz/);
    await shows(page.getByText('No events found')).toBeVisible();
    expect(complaints).toEqual([]);
    await leave(page);
  });

  endure('follows a form that is sent early', async () => {
    const { page } = await visit(browser(), origin, PHONE);
    await withoutScripts(page);
    await open(page, '/events');
    const search = page.getByLabel('Search by title, venue, city or tag');
    await search.fill('lantern');
    await search.press('Enter');
    await page.waitForURL(/\/events\?search=lantern$/, { waitUntil: 'commit' });
    await leave(page);
  });

  endure('is drawn from the beginning if its list was expanded', async () => {
    const { page, complaints } = await visit(browser(), origin, PHONE);
    await open(page, '/events');
    await isTakenOver(page);
    const cards = page.locator('main .grid').last().getByRole('article');
    const before = await cards.count();
    await button(page, 'Show more').click();
    await eventually(async () => expect(await cards.count()).toBeGreaterThan(before));
    const unfolded = await cards.count();
    await page.reload();
    await shows(cards).toHaveCount(unfolded);
    expect(complaints).toEqual([]);
    await leave(page);
  });

  endure('is drawn by the browser for returning users, also if the browser lost its cookie', async () => {
    const { page, complaints } = await visit(browser(), origin, PHONE);
    await open(page, '/events');
    await isTakenOver(page);
    await button(page, 'Reject').click();
    const given = page.locator('#given');
    await page.reload();
    await shows(page.getByRole('article').first()).toBeVisible();
    await shows(given).toHaveCount(0);
    await page.context().clearCookies();
    // It is told anew by the first script that runs.
    const letGo = await withoutScripts(page);
    await open(page, '/events');
    letGo();
    await shows(given).toHaveCount(1);
    await shows(page.getByRole('article').first()).toBeVisible();
    await shows(button(page, 'Reject')).toBeHidden();
    await page.reload();
    await shows(given).toHaveCount(0);
    expect(complaints).toEqual([]);
    await leave(page);
  });
});
