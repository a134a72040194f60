/** Dialogs stay until they are meant to go. */
import type { Locator, Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { endure } from '#tests/kit/endure.ts';
import { enter } from './people.ts';
import { button, shows } from './steps.ts';
import { isUncovered } from './views.ts';

inChromium('a dialog', (browser) => {
  let site: Awaited<ReturnType<typeof sharedSite>>;
  beforeAll(async () => {
    site = await sharedSite();
  });

  /** Selects text from inside the dialog to far outside of it. */
  const selectOutOf = async (page: Page, text: Locator): Promise<void> => {
    await text.hover();
    await page.mouse.down();
    await page.mouse.move(5, 5, { steps: 4 });
    await page.mouse.up();
  };
  const clickOutside = (page: Page): Promise<void> => page.mouse.click(5, 5);

  test('closes at a click outside, but not at the end of a selection, and asks before it drops typed text', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.goto('/help');
    await page.getByRole('tab', { name: 'Contact Support' }).click();
    const opens = button(page, 'Contact Support');
    await opens.click();
    const dialog = page.getByRole('dialog', { name: 'Contact Support' });
    await selectOutOf(page, dialog.getByRole('heading'));
    await shows(dialog).toBeVisible();
    await clickOutside(page);
    await shows(dialog).toBeHidden();

    await opens.click();
    await dialog.getByLabel('Message').fill('Is there a cloakroom?');
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
    for (const leaves of [() => clickOutside(page), () => button(dialog, 'Cancel').click()]) {
      await leaves();
      await button(question, 'Keep editing').click();
      await shows(question).toBeHidden();
    }
    await shows(dialog.getByLabel('Message')).toHaveValue('Is there a cloakroom?');
    await clickOutside(page);
    await button(question, 'Discard').click();
    await shows(dialog).toBeHidden();
    await leave(page);
  });

  endure.each([
    [1440, 900],
    [390, 844],
  ])(
    'keeps the button of a long form in sight at %s px, without covering the focus',
    async (width, height) => {
      const { page } = await visit(browser(), site.origin, { width, height });
      await enter(page, 'superuser@reprise.test');
      await page.goto('/admin?tab=events');
      await button(page, 'Create Event').click();
      const form = page.getByRole('dialog', { name: 'Create Event' });
      await shows(button(form, 'Create Event')).toBeInViewport({ ratio: 1 });
      for (const label of ['Location', 'Date', 'Capacity']) {
        const field = form.getByLabel(label, { exact: true });
        await field.focus();
        await shows.poll(() => field.evaluate(isUncovered), { message: label }).toBe(true);
      }
      await leave(page);
    },
  );

  endure('over a form closes alone, and not when the file picker is cancelled', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'superuser@reprise.test');
    await page.goto('/admin?tab=events');
    await button(page, 'Create Event').click();
    const form = page.getByRole('dialog', { name: 'Create Event' });
    await button(form, 'Upload image').click();
    const upload = page.getByRole('dialog', { name: 'Upload an image' });
    await shows(upload).toBeVisible();
    /** The event that browsers fire, at what they fire it at. */
    const cancels = (at: Locator, options: EventInit) =>
      at.evaluate((element, init) => element.dispatchEvent(new Event('cancel', init)), options);
    await cancels(upload.getByLabel('File'), { bubbles: true });
    await shows(upload).toBeVisible();
    // As Android's Back does.
    await cancels(upload, { cancelable: true });
    await shows(upload).toBeHidden();
    await shows(form).toBeVisible();
    await leave(page);
  });

  endure('that shows a secret once closes only by its button', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'superuser@reprise.test');
    await page.goto('/admin?tab=webhooks');
    await button(page, 'Add Webhook').click();
    const form = page.getByRole('dialog', { name: 'Add Webhook' });
    await form.getByLabel('Address').fill('http://127.0.0.1:9/in');
    await button(form, 'ticket.reissued').click();
    await button(form, 'Add Webhook').click();
    const secret = page.getByRole('dialog', { name: 'The webhook’s secret' });
    await shows(secret.getByText(/^whsec_/)).toBeVisible();
    await selectOutOf(page, secret.getByText(/^whsec_/));
    await clickOutside(page);
    for (const _ of 'twice') await page.keyboard.press('Escape');
    await shows(secret).toBeVisible();
    await button(secret, 'I have it').click();
    await shows(secret).toBeHidden();
    await button(page, /^Delete http:..127.0.0.1:9/).click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await shows(page.getByText('http://127.0.0.1:9/in')).toHaveCount(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await leave(page);
  });
});
