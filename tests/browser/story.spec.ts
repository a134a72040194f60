/**
 * The whole story, in a browser: from finding a concert to the second time that its ticket is shown at the door. `npm run endure` tells it
 * on an empty machine, and again when the site has been outgrown.
 */
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inChromium, leave, PATIENCE, sharedSite, visit } from '#tests/kit/browser.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { mailTo } from '#tests/kit/mails.ts';
import { type StartedSite, startOne, startSeveral } from '#tests/kit/started-site.ts';
import { isWhole } from '#tests/kit/sweep.ts';
import { cameraFlags, filmTicket, noCamera } from './camera.ts';
import type { NewCustomer } from './people.ts';
import {
  bookingOf,
  button,
  buy,
  completeProfile,
  findEvent,
  historyHas,
  register,
  shows,
  signIn,
  toast,
  verifyEmail,
} from './steps.ts';

const CONCERT = 'The Low Tides: Harbour Lights Tour';
const OTHER = 'Mahler 2, “Resurrection”';

const film = join(tmpdir(), `reprise-camera-${process.pid}.y4m`);

inChromium(
  'from a stranger to a scanned ticket',
  (browser) => {
    let site: Pick<StartedSite, 'origin' | 'dataDir'>;
    let folder: string;

    beforeAll(async () => {
      folder = await freshFolder();
      atTheEnd(() => rm(film, { force: true }));
    });

    const story = (customer: NewCustomer): void => {
      let pdf = '';
      let reference = '';
      /** The customer's page; the specs of a story go on from one another. */
      let at: Awaited<ReturnType<typeof visit>>;

      test('a stranger finds a concert in London, registers, verifies, completes the profile and buys two tickets', async () => {
        at = await visit(browser(), site.origin);
        const { page } = at;
        await findEvent(page, 'Concerts', 'London', CONCERT);
        // What a phone shares is this page, not the one that was loaded first.
        await shows(page.locator('link[rel=canonical]')).toHaveAttribute('href', page.url());
        await page.getByRole('main').getByRole('link', { name: 'Book Now' }).first().click();
        await register(page, customer);
        await verifyEmail(page, site, customer);
        await completeProfile(page);
        // back at the checkout that sent them to sign in
        await shows(page.getByRole('heading', { name: 'Checkout' })).toBeVisible();
        await buy(page, 2, '£69.00');
      });

      test('the booking is in the profile with its history, and its tickets are mailed', async () => {
        const card = bookingOf(at.page, CONCERT);
        await shows(card.getByText('Confirmed', { exact: true })).toBeVisible();
        await shows(card.getByText('£69.00 paid', { exact: true })).toBeVisible();
        reference = /BK[A-Z0-9]{8}/.exec((await card.textContent()) ?? '')?.[0] ?? '';
        expect(reference).not.toBe('');
        const [file] = await Promise.all([
          at.page.waitForEvent('download'),
          card.getByRole('link', { name: 'Add to calendar' }).click(),
        ]);
        expect(await readFile(await file.path(), 'utf8')).toContain(`SUMMARY:${CONCERT}`);
        await historyHas(card, [
          '2 tickets held',
          '£69.00 paid',
          'Booked: 2 tickets',
          'Confirmation with your tickets sent',
        ]);
        const mail = await mailTo(site, customer.email, new RegExp(reference));
        expect(mail).toContain('Content-Type: application/pdf');
      });

      test('the ticket is downloaded as a PDF, and the history shows that', async () => {
        const card = bookingOf(at.page, CONCERT);
        const [download] = await Promise.all([
          at.page.waitForEvent('download'),
          button(card, 'Download ticket').click(),
        ]);
        expect(download.suggestedFilename()).toMatch(/^ticket-\d+\.pdf$/);
        pdf = join(folder, download.suggestedFilename());
        await download.saveAs(pdf);
        await historyHas(card, ['Tickets downloaded']);
      });

      test.skipIf(noCamera)('door staff scan it by camera: valid once, invalid the second time', async () => {
        await filmTicket(pdf, film);
        const { page, complaints } = await visit(browser(), site.origin, { width: 390, height: 844 });
        await signIn(page, 'staff@reprise.test');
        await button(page, /account of Morven/).click();
        await page.getByRole('link', { name: 'Scanner' }).click();
        await button(page, 'Start Camera Scanner').click();

        const answer = page.getByRole('dialog');
        await shows(answer.getByRole('heading', { name: 'Valid Ticket', exact: true })).toBeVisible();
        await shows(answer.getByText('Ticket Scanned Successfully')).toBeVisible();
        await shows(answer.getByText('Admit 2', { exact: true })).toBeVisible();
        await shows(answer.getByText(CONCERT)).toBeVisible();
        await shows(answer.getByText(`Reference ${reference}`)).toBeVisible();
        await button(answer, 'Scan Next Ticket').click();

        await shows(answer.getByRole('heading', { name: 'Invalid Ticket', exact: true })).toBeVisible();
        await shows(
          answer.getByText(/^Already scanned at .+, \d{1,2}(:\d\d)? [ap]m by Morven Kerr$/),
        ).toBeVisible();
        // The film goes on: whatever it shows from here on gets no answer, which would lie over the button.
        await page.route('**/api/tickets/scan', () => undefined);
        await button(answer, 'Scan Next Ticket').press('Escape');
        await button(page, 'Stop').click();
        await shows(page.getByRole('cell', { name: customer.email }).first()).toBeVisible();
        expect(complaints).toEqual([]);
        await leave(page);
        await historyHas(bookingOf(at.page, CONCERT), ['Admitted 2', 'Shown again and refused']);
      });

      test('another booking is cancelled with the quoted refund', async () => {
        const { page, complaints } = at;
        await page.goto('/');
        await page.getByRole('searchbox', { name: 'Search events' }).fill('mahler');
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: OTHER }).click();
        await page.getByRole('main').getByRole('link', { name: 'Book Now' }).first().click();
        await buy(page, 1, '£42.00');

        const card = bookingOf(page, OTHER);
        await button(card, 'Cancel booking').click();
        const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' });
        await shows(dialog.getByText('£42.00', { exact: true })).toBeVisible();
        await shows(dialog.getByText(/^100% of the £42\.00 you paid/)).toBeVisible();
        await dialog.getByLabel('Why are you cancelling?').fill('too short');
        await button(dialog, 'Cancel this booking').click();
        await shows(
          dialog.getByText('Please provide a detailed reason (minimum 10 characters)'),
        ).toBeVisible();
        await dialog.getByLabel('Why are you cancelling?').fill('My sister is getting married that evening.');
        await button(dialog, 'Cancel this booking').click();
        await shows(toast(page, 'Booking cancelled')).toBeVisible();

        const cancelled = page.getByRole('tab', { name: 'Cancelled (1)' });
        await shows(async () => {
          await page.reload();
          await cancelled.click();
          await shows(card).toBeVisible();
          await shows(card.getByText('Refund Approved')).toBeVisible({ timeout: 2_000 });
        }).toPass({ timeout: PATIENCE });
        await shows(card.getByText('£42.00 paid back')).toBeVisible();
        expect(complaints).toEqual([]);
        await leave(page);
      });
    };

    if (!isWhole) {
      beforeAll(async () => {
        site = await sharedSite();
      });
      story({ firstName: 'Noa', lastName: 'Okafor', email: 'noa@example.test', password: 'harbour lights' });
      return;
    }

    let dataDir: string;
    let running: StartedSite;
    beforeAll(async () => {
      dataDir = await freshFolder();
    });

    describe('on an empty machine, with everything in one process', () => {
      beforeAll(async () => {
        const one = await startOne(dataDir);
        site = running = one;
        await one.ready;
      });
      afterAll(() => running?.stop());
      story({ firstName: 'Nia', lastName: 'Okafor', email: 'nia@example.test', password: 'harbour lights' });
    });

    describe('with the same data, in three processes behind a proxy', () => {
      beforeAll(async () => {
        site = running = await startSeveral(dataDir);
      });
      afterAll(() => running?.stop());
      story({ firstName: 'Łucja', lastName: 'Wójcik', email: 'lucja@example.test', password: 'low tides' });
    });
  },
  { args: cameraFlags(film) },
);
