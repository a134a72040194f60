/** The panel and the door on tablets, phones and small laptops: what is touched, and what there is little room for. */
import type { Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { enter } from './people.ts';
import { shows } from './steps.ts';

const PHONE = { width: 390, height: 844 };

inChromium('where there is little room', (browser) => {
  let origin: string;
  beforeAll(async () => {
    ({ origin } = await sharedSite());
  });

  const superuser = async (size: typeof PHONE): Promise<Page> => {
    const { page } = await visit(browser(), origin, { ...size, touch: true });
    await enter(page, 'superuser@reprise.test');
    return page;
  };
  const loaded = (page: Page): Promise<void> => shows(page.locator('main .skeleton')).toHaveCount(0);

  test.each(['events', 'users', 'images', 'audit', 'scanner'])(
    'no phone zooms in on a field of the %s tab: its letters are as large as usual',
    async (tab) => {
      const page = await superuser(PHONE);
      await page.goto(`/admin?tab=${tab}`);
      const fields = page.getByRole('main').locator('input:not([type=checkbox]), select, textarea');
      await shows(fields.first()).toBeVisible();
      await loaded(page);
      const small = await fields.evaluateAll((all) =>
        all
          .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
          .map((field) => field.getAttribute('aria-label') ?? field.id),
      );
      expect(small).toEqual([]);
      await leave(page);
    },
  );
});
