/** What people do on the site, step by step, as the specification's screens have it. */
import { type Locator, type Page, expect as see } from '@playwright/test';
import { PATIENCE } from '#tests/kit/browser.ts';
import { verificationLink } from '#tests/kit/mails.ts';
import type { StartedSite } from '#tests/kit/started-site.ts';
import { DEMO_PASSWORD, type NewCustomer } from './people.ts';

/** Assertions on pages that wait as long as a busy machine needs. */
export const shows = see.configure({ timeout: PATIENCE });

export const button = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

export const toast = (page: Page, title: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Notifications (F8)' }).getByText(title, { exact: true });

/** From the start page to an event's, through the category and the city of the list. */
export const findEvent = async (page: Page, category: string, city: string, title: string): Promise<void> => {
  await page.goto('/');
  await page.getByRole('link', { name: 'See what’s on' }).click();
  await button(page, new RegExp(category)).click();
  await page.getByRole('main').getByRole('combobox', { name: 'City' }).selectOption(city);
  await shows(page.getByText(new RegExp(`^\\d+ events? found in ${category} in ${city}$`))).toBeVisible();
  await page.getByRole('link', { name: title }).click();
  await shows(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
};

/** "Create Account" on `/auth`; ends on the page that completes the profile. */
export const register = async (page: Page, person: NewCustomer): Promise<void> => {
  await button(page, 'Create an account').click();
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Confirm password').fill(person.password);
  await button(page, 'Create Account').click();
  await shows(toast(page, 'Account created!')).toBeVisible();
  await shows(page.getByRole('heading', { name: `Welcome, ${person.firstName}!` })).toBeVisible();
};

type Site = Pick<StartedSite, 'dataDir'>;

/** Opens the link of the verification mail in a tab of its own, and presses its button. */
export const verifyEmail = async (page: Page, site: Site, { email }: { email: string }): Promise<void> => {
  const link = await verificationLink(site, email);
  const tab = await page.context().newPage();
  await tab.goto(link);
  await button(tab, 'Verify Email').click();
  await shows(tab.getByRole('heading', { name: 'Email verified' })).toBeVisible();
  await shows(button(tab, 'Resend verification email')).toBeVisible();
  await shows(tab.getByRole('link', { name: 'Back to login' })).toBeVisible();
  await tab.close();
};

export const completeProfile = async (page: Page): Promise<void> => {
  await page.getByLabel('Date of birth').fill('1994-05-17');
  await button(page, /Concerts/).click();
  const request = page.waitForRequest('**/api/profile/enhance');
  const [sent] = await Promise.all([request, button(page, 'Complete my profile').click()]);
  const preferences = { favoriteCategories: ['concerts'] };
  see(sent.postDataJSON()).toEqual({ dateOfBirth: '1994-05-17T00:00:00.000Z', preferences });
  await shows(toast(page, 'Profile Enhanced!')).toBeVisible();
};

/** Signs in one of the demo's people, and waits for their home page. */
export const signIn = async (page: Page, email: string): Promise<void> => {
  await page.goto('/auth');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await button(page, 'Sign In').click();
  await shows(page.getByText(/^Good to see you, /)).toBeVisible();
};

export const typeCard = async (page: Page, number: string): Promise<void> => {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('1234');
  await page.getByLabel('Security code').fill('123');
};

/** On an event's checkout: so many tickets, paid with the test card. Ends in the profile. */
export const buy = async (page: Page, quantity: number, total: string): Promise<void> => {
  await shows(page.getByText(/^Held for you for/)).toBeVisible();
  for (let count = 1; count < quantity; count += 1) await button(page, 'One ticket more').click();
  await shows(page.getByText(/^Held for you for/)).toBeVisible();
  await typeCard(page, '4242424242424242');
  await button(page, `Pay ${total}`).click();
  await shows(toast(page, 'You’re going!')).toBeVisible();
  await shows(page).toHaveURL('/profile');
};

export const bookingOf = (page: Page, title: string): Locator =>
  page.getByRole('article', { name: new RegExp(title) });

/** Waits until a booking's history has all those lines, opening it anew until the mails and the like are in it. */
export const historyHas = async (card: Locator, lines: readonly string[]): Promise<void> => {
  const fold = card.getByText('What happened to this booking');
  await shows(async () => {
    await fold.page().reload();
    await fold.click();
    const history = card.getByRole('listitem');
    // However long it takes to come; what it has then is all that it has.
    await shows(history.first()).toBeVisible();
    for (const text of lines)
      await see(history.getByText(text, { exact: true })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: PATIENCE });
};
