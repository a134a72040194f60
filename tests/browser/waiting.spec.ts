/** The waiting list, from an event that is sold out to the profile and the panel, by keyboard. */
import type { Page } from '@playwright/test';
import { beforeAll, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import type { StartedSite } from '#tests/kit/started-site.ts';
import { enter, newCustomer } from './people.ts';
import { button, shows, toast } from './steps.ts';

/** The demo's event whose tickets are all gone. */
const SOLD_OUT = '/events/4';
const ASK = 'Tell me if tickets come back';
const PERSON = {
  firstName: 'Wilma',
  lastName: 'Ashby',
  email: 'wilma@people.example',
  password: 'Encore-2026!',
};

const press = async (page: Page, name: string): Promise<void> => {
  await button(page, name).focus();
  await page.keyboard.press('Enter');
};

inChromium('the waiting list', (browser) => {
  let site: Pick<StartedSite, 'origin' | 'dataDir'>;
  beforeAll(async () => {
    site = await sharedSite();
  });

  test('leads a stranger to the sign-in and back, keeps their place and lets them leave', async () => {
    const other = await visit(browser(), site.origin);
    await newCustomer(other.page, site, PERSON);
    await leave(other.page);

    const { page } = await visit(browser(), site.origin, { width: 390, height: 844 });
    await page.goto(SOLD_OUT);
    await page.getByRole('link', { name: ASK }).press('Enter');
    await shows(page).toHaveURL('/auth');
    await page.getByLabel('Email').fill(PERSON.email);
    await page.getByLabel('Password', { exact: true }).fill(PERSON.password);
    await page.keyboard.press('Enter');
    await shows(page).toHaveURL(`${SOLD_OUT}?waiting`);

    await press(page, ASK);
    await shows(toast(page, 'You’re on the list')).toBeVisible();
    await shows(button(page, 'Leave the waiting list')).toBeFocused();
    await shows(page.getByText('You are on the waiting list.').first()).toBeVisible();

    const { page: panel } = await visit(browser(), site.origin);
    await enter(panel, 'superuser@reprise.test');
    await panel.goto('/admin?tab=events&search=Amara');
    await shows(panel.getByText('1 waiting')).toBeVisible();
    await leave(panel);

    await page.goto('/profile');
    const list = page.getByRole('region', { name: 'Waiting list' });
    await shows(list.getByRole('listitem')).toHaveCount(1);
    await button(list, /^Leave the waiting list of /).focus();
    await page.keyboard.press('Enter');
    await shows(list).toBeHidden();
    await shows(page.getByRole('main')).toBeFocused();
    await leave(page);
  });
});
