/** Who is shown the pages for those who work here. */
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { sweep } from '#tests/kit/sweep.ts';
import { enter } from './people.ts';
import { shows, toast } from './steps.ts';

const REFUSED: [email: string, path: string, words: string][] = [
  ['admin@reprise.test', '/admin', "You don't have permission to access the admin panel."],
  ['auditor@reprise.test', '/scanner', 'You don’t have permission to scan tickets.'],
  ['staff@reprise.test', '/admin', "You don't have permission to access the admin panel."],
  ['customer@reprise.test', '/scanner', 'You don’t have permission to scan tickets.'],
];

let site: Awaited<ReturnType<typeof sharedSite>>;
beforeAll(async () => {
  site = await sharedSite();
});

inChromium('the admin panel', (browser) => {
  test.each(sweep(REFUSED.slice(2), REFUSED))(
    'shows users of %s at %s why they are refused, and leads them away',
    async (email, path, words) => {
      const { page } = await visit(browser(), site.origin);
      await enter(page, email);
      // Not until all has loaded: the words pass meanwhile.
      await page.goto(path, { waitUntil: 'commit' });
      await shows(toast(page, 'Access Denied')).toBeVisible();
      await shows(toast(page, words)).toBeVisible();
      await shows(page).toHaveURL('/');
      await leave(page);
    },
  );

  test('requires a sign-in', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.goto('/admin', { waitUntil: 'commit' });
    await shows(toast(page, 'Authentication Required')).toBeVisible();
    await shows(toast(page, 'Please log in to access the admin panel.')).toBeVisible();
    await shows(page).toHaveURL(/\/auth$/);

    await page.goto('/profile', { waitUntil: 'commit' });
    await shows(toast(page, 'Authentication Required')).toBeVisible();
    // Said once, and the page is still there.
    expect(await page.getByText('Authentication Required').count()).toBe(1);
    await leave(page);
  });
});
