/** A page that the browser translates: it can be searched, and tickets can be bought and cancelled. */
import type { Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { enter, newCustomer } from './people.ts';
import { bookingOf, button, shows, toast, typeCard } from './steps.ts';

const CUSTOMER = {
  firstName: 'Tra',
  lastName: 'Duction',
  email: 'tra@example.test',
  password: 'two languages',
};

/**
 * Translates as Chrome does: each text node leaves the page, and another one in two elements takes its place, also for texts that
 * come or change later. Each word stays what it is.
 */
const translate = (): void => {
  const SKIPPED = 'font, script, style, textarea, svg, [translate="no"]';
  const replace = (text: Text): void => {
    if (!text.data.trim() || text.parentElement?.closest(SKIPPED)) return;
    const outer = document.createElement('font');
    outer.appendChild(document.createElement('font')).append(text.data);
    text.replaceWith(outer);
  };
  const translateAll = (root: Node): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    if (root instanceof Text) texts.push(root);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    texts.forEach(replace);
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        for (const node of type === 'characterData' ? [target] : addedNodes)
          if (node.isConnected) translateAll(node);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    translateAll(document.body);
  });
};

inChromium('a translated page', (browser) => {
  let site: Awaited<ReturnType<typeof sharedSite>>;

  beforeAll(async () => {
    site = await sharedSite();
  });

  const translated = async (): Promise<{ page: Page; complaints: string[] }> => {
    const at = await visit(browser(), site.origin, { width: 390, height: 844 });
    await at.page.context().addInitScript(translate);
    return at;
  };

  test('lets people search, buy and cancel, with correct numbers', async () => {
    const { page, complaints } = await translated();
    await newCustomer(page, site, CUSTOMER);
    await enter(page, CUSTOMER.email, CUSTOMER.password);
    await page.goto('/events');
    await shows(page.locator('h1 font font')).toHaveText('All Events');
    await button(page, /Concerts/).click();
    await shows(page.getByText(/^\d+ events? found in Concerts$/)).toBeVisible();
    await button(page, 'Search events').click();
    await page.getByRole('searchbox', { name: 'Search events' }).filter({ visible: true }).fill('mahler');
    await page.keyboard.press('Enter');
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Mahler 2/ })
      .click();
    await page.getByRole('link', { name: 'Book Now' }).filter({ visible: true }).click();

    await shows(page.getByText(/^Held for you for/)).toBeVisible();
    await button(page, 'One ticket more').click();
    await shows(button(page, 'Pay £84.00')).toBeEnabled();
    await shows(page.getByText('2 × £42.00')).toBeVisible();
    await page.getByLabel('Promo code').fill('encore10');
    await button(page, 'Apply').click();
    await shows(page.getByText('ENCORE10 takes £8.40 off')).toBeVisible();
    await button(page, 'Remove').click();
    await shows(button(page, 'Pay £84.00')).toBeEnabled();

    await typeCard(page, '4000000000000002');
    await button(page, 'Pay £84.00').click();
    await shows(page.getByText(/Nothing was charged, and your tickets/)).toBeVisible();
    await typeCard(page, '4242424242424242');
    await button(page, 'Pay £84.00').click();
    await shows(page).toHaveURL('/profile');

    const card = bookingOf(page, 'Mahler 2');
    await shows(card.getByText('£84.00 paid')).toBeVisible();
    await card.getByText('What happened to this booking').click();
    await shows(card.getByText('Booked: 2 tickets')).toBeVisible();
    await button(card, 'Cancel booking').click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' });
    await dialog.getByLabel('Why are you cancelling?').fill('I can’t understand the language.');
    await button(dialog, 'Cancel this booking').click();
    await shows(toast(page, 'Booking cancelled')).toBeVisible();
    await shows(page.getByRole('tab', { name: 'Cancelled (1)' })).toBeVisible();
    expect(complaints.filter((text) => !/status of 402/.test(text))).toEqual([]);
    await leave(page);
  });
});
