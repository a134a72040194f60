/** Browsers that keep nothing for the site: the catalogue works, and signing in works or says what it needs. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, PATIENCE, sharedSite, visit } from '#tests/kit/browser.ts';
import { chromiumPath, keepsProfiles, QUIET } from '#tests/kit/chromium.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { isWhole, sweep } from '#tests/kit/sweep.ts';
import { newCustomer } from './people.ts';
import { button, shows, signIn } from './steps.ts';

/** Nobody else chooses tickets with this account meanwhile. */
const PERSON = {
  firstName: 'Rosa',
  lastName: 'Ashby',
  email: 'rosa@people.example',
  password: 'Encore-2026!',
};

/** What browsers refuse, each in its own way. Each runs in the page. */
const refusals = {
  'storages that throw when they are named, and no channel': () => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    Reflect.deleteProperty(window, 'BroadcastChannel');
  },
  'storages that are full, and a channel that can’t be opened': () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    window.BroadcastChannel = class {
      constructor() {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      }
    } as never;
  },
} satisfies Record<string, () => void>;

inChromium('a browser that refuses storage', (browser) => {
  let site: Awaited<ReturnType<typeof sharedSite>>;

  beforeAll(async () => {
    site = await sharedSite();
    const { page } = await visit(browser(), site.origin);
    await newCustomer(page, site, PERSON);
    await leave(page);
  });

  const all = Object.entries(refusals);
  test.each(sweep(all.slice(0, 1), all))('%s: sign-in and holding tickets work', async (_what, refuse) => {
    const { page, complaints } = await visit(browser(), site.origin, { cookies: 'unasked' });
    await page.context().addInitScript(refuse);
    await signIn(page, PERSON.email);
    await button(page, 'Reject').click();
    await page.goto('/booking/3');
    await button(page, 'One ticket more').click();
    await shows(button(page, 'Pay £84.00')).toBeEnabled();
    await page.getByRole('link', { name: 'Back to the event' }).click();
    await page.goBack();
    await shows(button(page, 'Pay £84.00')).toBeEnabled();
    expect(complaints).toEqual([]);
    await leave(page);
  });

  test.runIf(isWhole && keepsProfiles)(
    'all cookies blocked: the catalogue works, and the sign-in says what it needs',
    async () => {
      const profile = await freshFolder();
      await mkdir(join(profile, 'Default'));
      await writeFile(
        join(profile, 'Default/Preferences'),
        JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }),
      );
      const context = await chromium.launchPersistentContext(profile, {
        ...(chromiumPath ? { executablePath: chromiumPath } : {}),
        args: [...QUIET],
        baseURL: site.origin,
      });
      context.setDefaultTimeout(PATIENCE);
      const [page = await context.newPage()] = context.pages();
      const uncaught: string[] = [];
      context.on('weberror', (error) => uncaught.push(error.error().message));
      await page.goto('/events');
      await button(page, /Concerts/).click();
      await shows(page.getByText(/^\d+ events? found in Concerts$/)).toBeVisible();
      await button(page, 'Accept').click();
      await shows(button(page, 'Accept')).toBeHidden();
      await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
      await shows(page.getByText('Signing in needs cookies')).toBeVisible();
      expect(uncaught).toEqual([]);
      await context.close();
    },
  );
});
