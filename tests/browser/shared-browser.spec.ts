/** A browser that several people use, one after the other: nothing of one is left for the next. */
import type { Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { endure } from '#tests/kit/endure.ts';
import type { StartedSite } from '#tests/kit/started-site.ts';
import { sweep } from '#tests/kit/sweep.ts';
import { enter, newCustomer } from './people.ts';
import { button, shows, signIn, toast } from './steps.ts';

const FIRST = { firstName: 'Una', lastName: 'First', email: 'una@example.test', password: 'open all hours' };
const NEXT = 'customer@reprise.test';

inChromium('a shared browser', (browser) => {
  let site: Pick<StartedSite, 'origin' | 'dataDir'>;
  beforeAll(async () => {
    site = await sharedSite();
    const { page } = await visit(browser(), site.origin);
    await newCustomer(page, site, FIRST);
    await leave(page);
  });

  const firstAt = async (path: string): Promise<Page> => {
    const { page } = await visit(browser(), site.origin);
    // A page that the browser has put aside hears nothing of the others.
    await page.addInitScript('delete globalThis.BroadcastChannel');
    await enter(page, FIRST.email, FIRST.password);
    await page.goto(path);
    return page;
  };
  /** As a browser does that had put the page aside. Resolves to whether anything of the page can be seen. */
  const comeBack = (page: Page): Promise<boolean> =>
    page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      return document.querySelector('main')?.checkVisibility() ?? false;
    });
  const logOut = async (page: Page): Promise<void> => {
    await button(page, /account of/).click();
    await button(page, 'Log out').click();
  };

  test.each(sweep([true], [false, true]))(
    'shows nothing of a signed-out user on Back (another user is signed in: %s)',
    async (isTaken) => {
      const page = await firstAt('/profile');
      await shows(page.getByRole('heading', { name: 'Una First' })).toBeVisible();
      const other = await page.context().newPage();
      await other.goto('/');
      await logOut(other);
      await shows(button(other, /account of/)).toBeHidden();
      if (isTaken) await signIn(other, NEXT);
      expect(await comeBack(page)).toBe(false);
      if (isTaken) await shows(button(page, /account of/)).toBeVisible();
      else await shows(page).toHaveURL('/auth');
      await shows(page.getByText('Una First')).toBeHidden();
      await leave(page);
    },
  );

  endure('keeps the same user’s typed text on Back, and checks their session again', async () => {
    const page = await firstAt('/booking/44');
    await page.getByLabel('Card number').fill('4242424242424242');
    const asked = page.waitForRequest('**/api/auth/user');
    expect(await comeBack(page)).toBe(true);
    await asked;
    await shows(page.getByLabel('Card number')).toHaveValue('4242 4242 4242 4242');
    await page.context().clearCookies();
    await comeBack(page);
    await shows(page).toHaveURL('/auth');
    await leave(page);
  });

  endure('shows none of the devices of an ended session to the next user', async () => {
    const page = await firstAt('/profile/security');
    const devices = page.getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem');
    await shows(devices.first()).toBeVisible();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Back to your profile' }).click();
    await shows(page).toHaveURL('/auth');
    await page.getByLabel('Email').fill(NEXT);
    await page.getByLabel('Password', { exact: true }).fill('Encore-2026!');
    await button(page, 'Sign In').click();
    await shows(page.getByText(/^Good to see you, /)).toBeVisible();
    await page.route('**/api/profile/sessions', () => undefined);
    await button(page, /account of/).click();
    await page.getByRole('link', { name: 'Security' }).click();
    await shows(page.getByText(/^Loading where you are signed in|This one$/).first()).toBeAttached();
    expect(await devices.count()).toBe(0);
    await leave(page);
  });

  endure('keeps the focus at a signed-out device', async () => {
    for (const _ of 'ab') await leave(await firstAt('/'));
    const page = await firstAt('/profile/security');
    const devices = page.getByRole('region', { name: 'Where you are signed in' });
    const rows = devices.getByRole('listitem');
    for (const words of [/^Sign out .*, signed in/, 'Sign out everywhere else']) {
      const there = button(devices, words).first();
      await shows(there).toBeVisible();
      const before = await rows.count();
      await there.focus();
      await page.keyboard.press('Enter');
      await shows.poll(() => rows.count()).toBeLessThan(before);
      await shows(devices.locator(':focus')).toBeAttached();
    }
    await leave(page);
  });

  /** What the scanner has kept on the device while the person was door staff. */
  const keepTheDoor = (page: Page): Promise<void> =>
    page.evaluate(async () => {
      await (await caches.open('reprise-scanner')).put('/api/auth/user', new Response('{}'));
      await new Promise((done) => {
        const opening = indexedDB.open('reprise-door');
        opening.onupgradeneeded = () => opening.result.createObjectStore('kept');
        opening.onsuccess = () => {
          const adding = opening.result.transaction('kept', 'readwrite').objectStore('kept').put({}, 'day');
          adding.onsuccess = () => {
            opening.result.close();
            done(undefined);
          };
        };
      });
    });
  /** How much of it is left. */
  const keptOfTheDoor = (page: Page): Promise<number> =>
    page.evaluate(async () => {
      const pages = (await caches.keys()).length;
      const values = await new Promise<number>((done) => {
        const opening = indexedDB.open('reprise-door');
        opening.onsuccess = () => {
          const counting = opening.result.transaction('kept').objectStore('kept').count();
          counting.onsuccess = () => {
            opening.result.close();
            done(counting.result);
          };
        };
      });
      return pages + values;
    });

  endure('has no door list after signing out, also if the user is no longer staff', async () => {
    const page = await firstAt('/');
    await shows(button(page, /account of/)).toBeVisible();
    await keepTheDoor(page);
    // The part that removes it belongs to another release.
    await page.route(/\/assets\/offline-door-/, (route) => route.abort('connectionreset'));
    await logOut(page);
    await shows(toast(page, 'You are still signed in')).toBeVisible();
    expect(await keptOfTheDoor(page)).toBe(2);
    await page.unroute(/\/assets\/offline-door-/);
    await button(page, 'Reload').click();
    await logOut(page);
    await shows(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible();
    expect(await keptOfTheDoor(page)).toBe(0);
    await leave(page);
  });

  endure('has no door list after the account is deleted', async () => {
    const page = await firstAt('/profile');
    await keepTheDoor(page);
    await button(page, 'Delete Account').click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByLabel('I understand that this can’t be undone').check();
    await dialog.getByLabel('Your password').fill(FIRST.password);
    await button(dialog, 'Delete my account').click();
    await shows(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
    await shows.poll(() => keptOfTheDoor(page)).toBe(0);
    await leave(page);
  });
});
