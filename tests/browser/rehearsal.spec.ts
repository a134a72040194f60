/** The past, rehearsed by superusers. */
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { violations } from './axe.ts';
import { enter } from './people.ts';
import { button, shows } from './steps.ts';

let site: Awaited<ReturnType<typeof sharedSite>>;
beforeAll(async () => {
  site = await sharedSite();
});

inChromium('a rehearsal', (browser) => {
  test('is played at once and at a pace, stopped, and compared, by keyboard on a phone', async () => {
    const { page, complaints } = await visit(browser(), site.origin, { width: 390, height: 844 });
    await enter(page, 'superuser@reprise.test');
    await page.goto('/audit?tab=rehearsal');
    await page.getByLabel('Find an event').fill('Autumn Brass');
    const event = page.getByLabel('Event', { exact: true });
    await shows(event.locator('option')).toHaveCount(1);
    const sale = page.getByRole('table', { name: 'The sale' });
    const line = (figure: string) => sale.getByRole('row', { name: new RegExp(`^${figure}`) });

    await page.getByLabel('Capacity').press('Enter');
    await shows(page.getByText('Played to the end')).toBeVisible();
    const [was, would] = await line('Tickets sold')
      .getByRole('cell')
      .allInnerTexts()
      .then((cells) => cells.slice(-2));
    expect(would).toBe(was);
    expect(Number(was?.replace(/\D/g, ''))).toBeGreaterThan(10);

    await page.getByLabel('Capacity').fill('10');
    await page.getByLabel('Capacity').press('Enter');
    await shows(line('Capacity')).toContainText('10');
    await shows(page.getByText('Played to the end')).toBeVisible();
    await shows(line('Tickets sold').getByRole('cell').last()).not.toHaveText(was ?? '');
    expect(await violations(page)).toEqual([]);

    await page.getByLabel('Times as fast as it was').fill('20');
    await page.getByLabel('Times as fast as it was').press('Enter');
    await shows(page.getByText('Playing', { exact: true })).toBeVisible();
    await button(page, 'Stop').focus();
    await page.keyboard.press('Enter');
    await shows(page.getByText('Stopped', { exact: true })).toBeVisible();

    await page.getByLabel('Rehearse', { exact: true }).selectOption('door');
    await page.getByLabel('Times as fast as it was').fill('');
    await page.getByLabel('Seconds that a scan takes').fill('10');
    await button(page, 'Rehearse').click();
    const gates = page.getByRole('table', { name: 'Gates' });
    await shows(gates.getByRole('row', { name: /Main door/ })).toContainText(/\d+ waiting/);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await leave(page);
  });
});
