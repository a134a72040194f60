/** What every admin tab is made of: lists whose state stands in the address, and forms that lose nothing. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { enter } from './people.ts';
import { button, shows, toast } from './steps.ts';

const REFUNDS = '**/api/admin/refunds?*';

let site: Awaited<ReturnType<typeof sharedSite>>;
beforeAll(async () => {
  site = await sharedSite();
});

inChromium('the admin’s lists and forms', (browser) => {
  const open = async (path: string, act: (page: Page) => Promise<void>): Promise<void> => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'superuser@reprise.test');
    await page.goto(path);
    await act(page);
    await leave(page);
  };
  const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name });
  const showing = (page: Page, words: RegExp): Promise<void> => shows(page.getByText(words)).toBeVisible();

  test('tab and page stand in the address: reload, Back and a link bring them again', () =>
    open('/admin?tab=events', async (page) => {
      await tab(page, 'Refunds').click();
      await showing(page, /^Showing 1 to 10 of \d+ refunds$/);
      await button(page, 'Next').click();
      await showing(page, /^Showing 11 to \d+ of \d+ refunds$/);
      await shows(page).toHaveURL('/admin?tab=refunds&page=2');
      await shows(button(page, 'Next')).toBeFocused();
      await page.reload();
      await showing(page, /^Showing 11 to/);
      await page.goBack();
      await showing(page, /^Showing 1 to 10/);
      await page.goBack();
      await showing(page, /^Showing 1 to \d+ of \d+ events$/);
      await shows(tab(page, 'Events')).toHaveAttribute('aria-selected', 'true');
      // A page that isn't there is the last one.
      await page.goto('/admin?tab=refunds&page=900');
      await showing(page, /^Showing 11 to/);
      await shows(page).toHaveURL('/admin?tab=refunds&page=2');
    }));

  test('what somebody else changes shows by itself', () =>
    open('/admin?tab=categories', async (page) => {
      await shows(page.getByRole('cell', { name: 'Concerts', exact: true })).toBeVisible();
      const elsewhere = page.context().request;
      await elsewhere.get('/api/auth/csrf-token');
      const { cookies } = await page.context().storageState();
      const token = cookies.find(({ name }) => name.endsWith('X-CSRF-Token'))?.value ?? '';
      const folk = { name: 'Folk by the sea', emoji: '🪕', description: '' };
      const made = await elsewhere.post('/api/admin/categories', {
        data: folk,
        headers: { 'x-csrf-token': token },
      });
      expect(made.status()).toBe(201);
      await shows(page.getByRole('cell', { name: folk.name, exact: true })).toBeVisible();
      const { id } = await made.json();
      await elsewhere.delete(`/api/admin/categories/${id}`, { headers: { 'x-csrf-token': token } });
      await shows(page.getByRole('cell', { name: folk.name, exact: true })).toBeHidden();
    }));

  test('a list is sorted, searched and filtered by its server, and the address says how', () =>
    open('/admin?tab=events', async (page) => {
      const prices = async () =>
        (await page.getByRole('cell', { name: /^£/ }).allTextContents()).map((text) => Number(text.slice(1)));
      await showing(page, /^Showing 1 to 25 of/);
      await button(page, 'Price').click();
      await shows(page.getByRole('columnheader', { name: 'Price' })).toHaveAttribute(
        'aria-sort',
        'ascending',
      );
      await shows(async () => {
        const shown = await prices();
        expect(shown).toEqual([...shown].sort((a, b) => a - b));
      }).toPass();
      await button(page, 'Next').click();
      // The cursor goes to the list's search, not to the site's.
      await page.getByRole('heading', { name: 'Events', exact: true }).click();
      await page.keyboard.press('/');
      await page.keyboard.type('supper');
      await shows(page).toHaveURL('/admin?tab=events&sort=price&search=supper');
      await showing(page, /^Showing 1 to \d of \d events$/);
      await page.getByLabel('Category', { exact: true }).selectOption('Nightlife');
      await shows(page.getByText('No events match')).toBeVisible();
      await shows(page).toHaveURL('/admin?tab=events&sort=price&search=supper&category=nightlife');
      await page.reload();
      await shows(page.getByText('No events match')).toBeVisible();
      await button(page.getByRole('main'), 'Clear filters').last().click();
      await showing(page, /^Showing 1 to 25 of/);
      await shows(page.getByRole('main').getByRole('searchbox')).toHaveValue('');
    }));

  test('what a list is narrowed to is exported, and a failure is told', () =>
    open('/admin?tab=events&search=supper', async (page) => {
      await showing(page, /^Showing 1 to \d of \d events$/);
      const rows = await page.getByRole('row').count();
      const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()]);
      expect(file.suggestedFilename()).toMatch(/^events-[\d-]+\.csv$/);
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
      expect(lines).toHaveLength(rows);
      await shows(toast(page, 'Export Successful')).toBeVisible();
      await page.route('**/export-csv?*', (route) => route.fulfill({ status: 500, json: {} }));
      await button(page, 'Export').click();
      await shows(toast(page, 'Failed to export events data')).toBeVisible();
    }));

  test('a list that fails says so, and is asked for again; an empty one says what is missing', () =>
    open('/admin?tab=events', async (page) => {
      await page.route(REFUNDS, (route) => route.fulfill({ status: 500, json: {} }));
      await tab(page, 'Refunds').click();
      await shows(page.getByRole('alert').getByText('The refunds didn’t load')).toBeVisible();
      await page.unroute(REFUNDS);
      await page.route(REFUNDS, (route) => route.fulfill({ json: [] }));
      await button(page, 'Try again').click();
      await shows(page.getByText('No refund requests found')).toBeVisible();
      await page.unroute(REFUNDS);
      await button(page, 'Refresh').click();
      await showing(page, /^Showing 1 to 10/);
    }));

  test('a session that has ended leads to the sign-in', () =>
    open('/admin?tab=refunds', async (page) => {
      await showing(page, /^Showing 1 to 10/);
      await page.context().clearCookies();
      await button(page, 'Refresh').click();
      await shows(toast(page, 'You are logged out. Logging in again...')).toBeVisible();
      await shows(page).toHaveURL(/\/auth$/);
    }));

  test('typed words are not thrown away without a question, and a form that is being saved stays', () =>
    open('/admin?tab=refunds', async (page) => {
      await button(page, /^Deny refund/)
        .first()
        .click();
      const form = page.getByRole('dialog', { name: 'Deny this refund?' });
      const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
      const reason = form.getByLabel('Why is it denied?');
      await shows(reason).toBeFocused();
      await page.keyboard.type('Too late');
      await page.keyboard.press('Escape');
      await shows(button(question, 'Keep editing')).toBeFocused();
      // The second Escape in a row closes dialogs in Chromium whatever their page says to it.
      await page.keyboard.press('Escape');
      await shows(question).toBeHidden();
      await shows(reason).toHaveValue('Too late');

      let answer = (): void => undefined;
      const asked = new Promise<string>((resolve) =>
        page.route('**/process', async (route) => {
          resolve(route.request().headers()['idempotency-key'] ?? '');
          await new Promise<void>((released) => {
            answer = released;
          });
          await route.abort();
        }),
      );
      await button(form, 'Deny this refund').click();
      const key = await asked;
      await page.keyboard.press('Escape');
      await shows(button(form, 'Close')).toBeDisabled();
      await shows(form).toBeVisible();
      answer();
      await shows(toast(page, 'Failed to process refund')).toBeVisible();

      // Nobody knows whether the first one arrived: the same again is the same change.
      await page.unroute('**/process');
      const again = page.waitForRequest('**/process');
      await page.route('**/process', (route) =>
        route.fulfill({ status: 409, json: { message: 'It was paid.', code: 'REFUND_SETTLED' } }),
      );
      await button(form, 'Deny this refund').click();
      expect((await again).headers()['idempotency-key']).toBe(key);
      await shows(toast(page, 'It was paid.')).toBeVisible();

      await button(form, 'Cancel').click();
      await button(question, 'Discard').click();
      await shows(form).toBeHidden();
    }));
});
