/** Parts of the pages that are loaded after the rest, where they can't be had: a request was cut, or a release has replaced them. */
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { endure } from '#tests/kit/endure.ts';
import type { StartedSite } from '#tests/kit/started-site.ts';
import { enter } from './people.ts';
import { shows } from './steps.ts';

inChromium('a page with parts that cannot be loaded', (browser) => {
  let site: Pick<StartedSite, 'origin' | 'dataDir'>;
  beforeAll(async () => {
    site = await sharedSite();
  });

  endure('the start page works without its footer and its newsletter', async () => {
    const { page, complaints } = await visit(browser(), site.origin);
    await page.route(/\/assets\/(footer|newsletter)-/, (route) => route.abort('connectionreset'));
    await page.goto('/');
    // Each failure is told twice: by the browser, and by whoever caught it.
    await shows.poll(() => complaints.filter((text) => /footer-/.test(text)).length).toBeGreaterThan(1);
    await shows.poll(() => complaints.filter((text) => /newsletter-/.test(text)).length).toBeGreaterThan(1);
    await shows(page.getByRole('heading', { name: 'Upcoming Events' })).toBeVisible();
    await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
    await shows(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    await leave(page);
  });

  test('a checkout without its card form works otherwise, and says that cards cannot be taken', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'customer@reprise.test');
    await page.route(/\/assets\/sandbox-card-/, (route) => route.abort('connectionreset'));
    await page.goto('/booking/3');
    await shows(page.getByText('Failed to load payment system')).toBeVisible();
    await shows(page.getByText(/^Held for you for/)).toBeVisible();
    await leave(page);
  });

  test('an event without an image has a poster, and an image that fails is shown as unavailable', async () => {
    const { page } = await visit(browser(), site.origin);
    let imageUrl: string | null = null;
    await page.route('**/api/events/3', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), imageUrl, picture: null } });
    });
    await page.goto('/events/3');
    const poster = page.getByRole('img', { name: /^Poster of / });
    await shows(poster).toHaveAttribute('src', /^\/images\/posters\/3-\w+\.svg$/);
    await shows
      .poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    imageUrl = '/images/gone.webp';
    await page.reload();
    const standIn = page.locator('.stand-in');
    await shows(standIn.getByText('Image unavailable')).toBeVisible();
    expect(await standIn.ariaSnapshot()).toBe('- text: Image unavailable');
    await leave(page);
  });

  endure('a link to the profile replaces the account’s menu, and reloads the site', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'customer@reprise.test');
    await page.route(/\/assets\/account-menu-/, (route) => route.abort('connectionreset'));
    await page.goto('/');
    const profile = page.getByRole('banner').getByRole('link', { name: 'Profile' });
    await shows(profile).toBeVisible();
    await page.unroute(/\/assets\/account-menu-/);
    await profile.click();
    await shows(page).toHaveURL('/profile');
    await shows(page.getByRole('button', { name: /account of/ })).toBeVisible();
    expect(await page.getByRole('banner').getByRole('link', { name: 'Profile' }).count()).toBe(0);
    await leave(page);
  });
});
