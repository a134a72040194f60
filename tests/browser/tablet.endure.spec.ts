/** The panel and the door on tablets, phones and small laptops: what is touched, and what there is little room for. */
import type { Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { enter } from './people.ts';
import { shows } from './steps.ts';

const PHONE = { width: 390, height: 844 };
const TABLET = { width: 820, height: 1180 };
const LAPTOP = { width: 1280, height: 640 };

const PLACE = { venue: 'Union Chapel', location: 'London', date: '2026-11-25', time: '20:00' };

inChromium('a small screen', (browser) => {
  let origin: string;
  beforeAll(async () => {
    ({ origin } = await sharedSite());
  });

  const superuser = async (size: typeof PHONE): Promise<Page> => {
    const { page } = await visit(browser(), origin, { ...size, touch: size !== LAPTOP });
    await enter(page, 'superuser@reprise.test');
    return page;
  };
  const loaded = (page: Page): Promise<void> => shows(page.locator('main .skeleton')).toHaveCount(0);

  test.each(['events', 'users', 'images', 'audit', 'scanner'])(
    'does not zoom in on a field of the %s tab, because its letters are of normal size',
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

  test.each([
    { where: 'a tablet', size: TABLET, tab: 'refunds' },
    { where: 'a tablet', size: TABLET, tab: 'events' },
    { where: 'a small laptop', size: LAPTOP, tab: 'users' },
  ])('shows the actions of a row of the $tab on $where', async ({ size, tab }) => {
    const page = await superuser(size);
    await page.goto(`/admin?tab=${tab}`);
    await loaded(page);
    const frame = page.locator('.table-frame');
    const outside = () =>
      frame.evaluate((element) => {
        const { left, right } = element.getBoundingClientRect();
        return [...element.querySelectorAll('td .button')]
          .filter((button) => {
            const box = button.getBoundingClientRect();
            return box.left < left || box.right > right;
          })
          .map((button) => button.getAttribute('aria-label'));
      });
    await shows.poll(outside).toEqual([]);
    // Nor does what stays in sight lie over what has the focus, however wide the columns are.
    await page.addStyleTag({ content: 'td:first-child { min-width: 400px }' });
    const sorts = frame.locator('.sort');
    for (const sort of await sorts.all()) {
      await sort.focus();
      const isCovered = () =>
        sort.evaluate((button) => {
          const { right, top, height } = button.getBoundingClientRect();
          return !button.contains(document.elementFromPoint(right - 4, top + height / 2));
        });
      await shows.poll(isCovered, { message: await sort.innerText() }).toBe(false);
    }
    await leave(page);
  });

  test('skips hidden table headers by keyboard, and they still name their columns', async () => {
    const page = await superuser(PHONE);
    await page.goto('/admin?tab=bookings');
    await loaded(page);
    await page.getByLabel('Order', { exact: true }).focus();
    await page.keyboard.press('Tab');
    await shows(page.getByRole('button', { name: /^Edit booking/ }).first()).toBeFocused();
    await shows(page.getByRole('columnheader', { name: 'Quantity', exact: true })).toHaveCount(1);
    await leave(page);
  });

  test.each([PHONE, TABLET, LAPTOP])('does not break an amount of millions at $width px', async (size) => {
    const page = await superuser(size);
    await page.route('**/api/admin/refunds/stats', async (route) => {
      const stats = await (await route.fetch()).json();
      await route.fulfill({ json: { ...stats, totalAmount: '1234567.00' } });
    });
    await page.goto('/admin?tab=refunds');
    const amount = page.getByText('£1,234,567.00', { exact: true });
    await shows(amount).toBeVisible();
    const lines = () =>
      amount.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
      });
    expect(await lines()).toBe(1);
    await page.addStyleTag({ content: '* { letter-spacing: 0.12em !important }' });
    expect(await lines(), 'with letters wider apart').toBe(1);
    await leave(page);
  });

  test.each([320, 360, 390, 960])(
    'does not break a category’s name within a word at %i px',
    async (width) => {
      const { page } = await visit(browser(), origin, { width, height: 844 });
      await page.goto('/');
      const names = page.locator('.mood h3');
      await shows(names).not.toHaveCount(0);
      const broken = () =>
        names.evaluateAll((all) =>
          all.flatMap(({ firstChild }) =>
            [...(firstChild?.textContent ?? '').matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
              const range = document.createRange();
              range.setStart(firstChild as Node, index);
              range.setEnd(firstChild as Node, index + word.length);
              return range.getClientRects().length > 1 ? [word] : [];
            }),
          ),
        );
      expect(await broken()).toEqual([]);
      await page.addStyleTag({
        content: '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
      });
      expect(await broken(), 'with letters wider apart').toEqual([]);
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(await overflow()).toBeLessThanOrEqual(0);
      await leave(page);
    },
  );

  test.each([{ width: 320, height: 568 }, { width: 844, height: 390 }, { width: 568, height: 320 }, LAPTOP])(
    'does not overlap words of the door’s answer at $width × $height px',
    async (size) => {
      const { page } = await visit(browser(), origin, { ...size, touch: true });
      await enter(page, 'staff@reprise.test');
      await page.goto('/scanner');
      await page.route('**/api/tickets/scan', (route) =>
        route.fulfill({
          json: {
            valid: false,
            error: 'Already scanned at 7:31 pm, North entrance',
            quantity: 4,
            event: { id: 1, title: 'Lantern Season: Winter Songs by Candlelight', ...PLACE },
            user: { email: 'wilhelmina.featherstonehaugh@audience.test' },
            booking: { id: 309 },
            validationDetails: ['Scanned by staff@reprise.test', 'For 2 people'],
          },
        }),
      );
      await page.getByLabel('Enter a code by hand').fill('a ticket');
      await page.keyboard.press('Enter');
      const answer = page.getByRole('dialog', { name: 'Invalid Ticket' });
      await shows(answer).toBeVisible();
      const overlaps = await answer.evaluate((dialog) => {
        const pieces = [...dialog.querySelectorAll('svg, h2, p, span, button, li')].filter(
          (piece) => !piece.closest('button') || piece.localName === 'button',
        );
        return pieces.flatMap((one, index) =>
          pieces.slice(index + 1).flatMap((other) => {
            if (one.contains(other)) return [];
            const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
            const apart =
              a.right <= b.left + 1 ||
              b.right <= a.left + 1 ||
              a.bottom <= b.top + 4 ||
              b.bottom <= a.top + 4;
            return apart ? [] : [`${one.textContent} | ${other.textContent}`];
          }),
        );
      });
      expect(overlaps).toEqual([]);
      await leave(page);
    },
  );
});
