/** The proof of the log as customers and auditors meet it: checked in their browser, which does not believe the site. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import type { Receipt } from '#domain/contracts/log-proofs.ts';
import { readKey, verifyReceipt } from '#infra/proof/verify-log.ts';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { endure } from '#tests/kit/endure.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { violations } from './axe.ts';
import { enter } from './people.ts';
import { button, shows, toast } from './steps.ts';
import { showBrokenLog } from './views.ts';

let site: Awaited<ReturnType<typeof sharedSite>>;
beforeAll(async () => {
  site = await sharedSite();
});

const FOLD = 'Proof that it is in our log';

/** Presses a button by the keyboard, and returns the path of the file that is saved. */
const saved = async (page: Page, within: ReturnType<Page['getByRole']>, name: string): Promise<string> => {
  await button(within, name).focus();
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  const path = join(await freshFolder(), file.suggestedFilename());
  await file.saveAs(path);
  return path;
};

inChromium('a proof', (browser) => {
  test('of a booking is verified on its card, and saved as a page that verifies itself', async () => {
    const { page, complaints } = await visit(browser(), site.origin, { width: 390, height: 844 });
    await enter(page, 'customer@reprise.test');
    await page.goto('/profile');
    const card = page.getByRole('article').first();
    await card.getByText(FOLD).focus();
    await page.keyboard.press('Enter');
    await shows(card.getByText('Proven', { exact: true })).toBeVisible();
    await shows(card.getByText(/^This booking is entry [\d,]+ of the log\.$/)).toBeVisible();
    expect(await violations(page)).toEqual([]);
    const path = await saved(page, card, 'Keep the receipt');
    const { keys } = await (await page.request.get('/.well-known/checkpoint-keys.json')).json();
    const text = await readFile(path, 'utf8');
    const known = keys.map(({ publicKey }: { publicKey: string }) => readKey(publicKey));
    expect(await verifyReceipt(text, known)).toContain('BookingPlaced');
    expect(complaints).toEqual([]);
    await leave(page);

    // Somebody else opens the file, without a network.
    const other = await visit(browser(), site.origin, { width: 390, height: 844 });
    await other.page.context().setOffline(true);
    const asked: string[] = [];
    other.page.on('request', (request) => asked.push(request.url()));
    await other.page.goto(pathToFileURL(path).href);
    await shows(other.page.getByText('Proven', { exact: true })).toBeVisible();
    await shows(other.page.getByRole('heading', { name: 'Booking placed' })).toBeVisible();
    expect(await violations(other.page)).toEqual([]);
    expect(asked).toEqual([pathToFileURL(path).href]);
    await other.page.setContent(text.replace(/\\"quantity\\":(\d)/, '\\"quantity\\":9$1'));
    await shows(other.page.getByText('Not proven', { exact: true })).toBeVisible();
    expect(other.complaints).toEqual([]);
    await leave(other.page);
  });

  test('reports that its receipt is not available', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'customer@reprise.test');
    await page.goto('/profile');
    const card = page.getByRole('article').first();
    await card.getByText(FOLD).click();
    await shows(card.getByText('Proven', { exact: true })).toBeVisible();
    await page.context().setOffline(true);
    await button(card, 'Keep the receipt').click();
    await shows(toast(page, 'Download Failed')).toBeVisible();
    await leave(page);
  });

  endure('fails if it does not match its card or the signed checkpoint', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'customer@reprise.test');
    const forged = async (change: (receipt: Receipt) => Receipt) => {
      await page.route('**/api/bookings/*/proof', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: answer.ok() ? change(await answer.json()) : {} });
      });
      await page.goto('/profile');
      const card = page.getByRole('article').first();
      await card.getByText(FOLD).click();
      await shows(card.getByText('Not proven', { exact: true })).toBeVisible();
      await page.unrouteAll();
    };
    const { page: auditors } = await visit(browser(), site.origin);
    await enter(auditors, 'auditor@reprise.test');
    const other: Receipt = await (await auditors.request.get('/api/audit/proof?entry=1')).json();
    // It fits what was signed, and is of something else.
    await forged(() => other);
    await auditors.route('**/api/audit/proof?*', (route) => route.fulfill({ json: other }));
    await auditors.goto('/audit?type=BookingPlaced');
    await button(auditors, /Booking placed/)
      .first()
      .click();
    await auditors.getByRole('dialog').getByText(FOLD).click();
    await shows(auditors.getByText('Not proven', { exact: true })).toBeVisible();
    await leave(auditors);
    await forged((receipt) => ({ ...receipt, index: receipt.index + 1 }));
    await forged(({ entry, ...rest }) => ({
      ...rest,
      entry: { ...entry, data: entry.data.replace(/"quantity":\d+/, '"quantity":8') },
    }));
    await leave(page);
  });

  endure(
    'verifies an event, any entry and the whole log for an auditor, and reports where it fails',
    async () => {
      const { page, complaints } = await visit(browser(), site.origin);
      await enter(page, 'auditor@reprise.test');
      await page.goto('/audit?type=BookingPlaced');
      await button(page, /Booking placed/)
        .first()
        .click();
      const event = page.getByRole('dialog', { name: 'Booking placed' });
      await event.getByText(FOLD).focus();
      await page.keyboard.press('Enter');
      await shows(event.getByText('Proven', { exact: true })).toBeVisible();
      expect(await violations(page)).toEqual([]);
      const { entry, index }: Receipt = await (async () => {
        await event.getByText('How to check it without us').click();
        return JSON.parse(await readFile(await saved(page, event, 'Save it for programs'), 'utf8'));
      })();
      await page.keyboard.press('Escape');
      await shows(event).toBeHidden();

      await page.getByRole('tab', { name: 'Proof' }).click();
      const asked = page.getByLabel('Entry, booking, place in a stream or event’s id');
      const subject = `BookingPlaced (${entry.stream}, revision 0) is entry ${(index + 1).toLocaleString('en-GB')} of the log.`;
      const { reference } = JSON.parse(entry.data);
      const number = entry.stream.replace('-', ' ');
      for (const words of [
        entry.id,
        `${index + 1}`,
        number,
        // As it is written down on the telephone.
        reference.toLowerCase(),
        `${entry.stream}@0`,
      ]) {
        await asked.fill(words);
        await asked.press('Enter');
        await shows(page.getByText(subject)).toBeVisible();
        await page.reload();
      }
      await asked.fill('the last one');
      await asked.press('Enter');
      await shows(page.getByText(/^Please enter an entry’s number/)).toBeVisible();
      await shows(asked).toBeFocused();

      await button(page, 'Compare it now').focus();
      await page.keyboard.press('Enter');
      await shows(page.getByRole('listitem').filter({ hasText: 'Fits' }).first()).toBeVisible();
      expect(await violations(page)).toEqual([]);

      await showBrokenLog(page);
      await shows(page.getByText('Entries 7 and 9 were swapped.')).toBeVisible();
      await shows(
        page.getByRole('alert').getByText(/Nothing is signed any more; selling goes on\.$/),
      ).toBeVisible();
      expect(await violations(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await leave(page);
    },
  );
});
