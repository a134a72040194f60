/** The second step of a sign-in, set up and used by keyboard. */
import type { Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { codeOf, stepAt } from '#infra/identity/totp.ts';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { endure } from '#tests/kit/endure.ts';
import type { StartedSite } from '#tests/kit/started-site.ts';
import { newCustomer } from './people.ts';
import { button, shows, toast } from './steps.ts';

const STEP = 30_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an authenticator app shows for the key that people type. The step of its clock may be a later one. */
const codeFor = (key: string, later = 0): string => {
  const bits = [...key].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return codeOf(secret, stepAt(new Date(Date.now() + later)));
};

/** Presses a button as the keyboard does. */
const press = async (page: Page, name: string): Promise<void> => {
  await button(page, name).focus();
  await page.keyboard.press('Enter');
};

/** Asks for a second step, up to where the app's first code is wanted. @returns the key that the app is given */
const beginSetUp = async (page: Page, password: string): Promise<string> => {
  await press(page, 'Set it up');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  const key = page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  await shows(key).toBeVisible();
  return (await key.innerText()).replaceAll(' ', '');
};

inChromium('the second step of a sign-in', (browser) => {
  let site: Pick<StartedSite, 'origin' | 'dataDir'>;
  beforeAll(async () => {
    site = await sharedSite();
  });

  test('is set up with the app’s key, required at the next sign-in, and passed by a recovery code', async () => {
    const { page, complaints } = await visit(browser(), site.origin, { width: 390, height: 844 });
    const person = {
      firstName: 'Wanda',
      lastName: 'Ashby',
      email: 'wanda@people.example',
      password: 'Encore-2026!',
    };
    await newCustomer(page, site, person, 'complete');
    await page.goto('/profile/security');

    const secret = await beginSetUp(page, person.password);
    const field = page.getByLabel('Code from the app');
    await field.fill('000000');
    await page.keyboard.press('Enter');
    await shows(page.getByText('That code is wrong, or was used before').first()).toBeVisible();
    await shows(field).toBeFocused();
    await field.fill(codeFor(secret));
    await page.keyboard.press('Enter');
    await shows(toast(page, 'Your second step is on')).toBeVisible();
    const listed = page.locator('.recovery-codes li');
    await shows(listed).toHaveCount(10);
    const codes = await listed.allInnerTexts();
    await press(page, 'I have kept them');
    await shows(page.getByText('10 recovery codes are left')).toBeVisible();

    const signIn = async () => {
      // Leave first: a page that still loads would be refused without its cookie.
      await page.goto('about:blank');
      await page.context().clearCookies();
      await page.goto('/auth');
      await page.getByLabel('Email').fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill(person.password);
      await page.keyboard.press('Enter');
      await shows(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
    };
    await signIn();
    await shows(page.getByLabel('Code')).toBeFocused();
    expect(await page.getByLabel('Code').getAttribute('autocomplete')).toBe('one-time-code');
    // The present step's code was taken to set it up.
    await page.keyboard.type(codeFor(secret, STEP));
    await page.keyboard.press('Enter');
    await shows(toast(page, 'Welcome back!')).toBeVisible();

    await signIn();
    await press(page, 'Use a recovery code');
    await shows(page.getByLabel('Recovery code')).toBeFocused();
    await page.keyboard.type(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await shows(toast(page, 'Welcome back!')).toBeVisible();
    await page.goto('/profile/security');
    await shows(page.getByText('9 recovery codes are left')).toBeVisible();
    const expected = [/status of 400 .*second-factor\/confirm/, /status of 401 .*api\/auth\/login/];
    expect(complaints.filter((text) => !expected.some((known) => known.test(text)))).toEqual([]);
  });

  endure('leads back to the requested page if it has to be set up first', async () => {
    const { page, complaints } = await visit(browser(), site.origin, { width: 390, height: 844 });
    const person = {
      firstName: 'Ines',
      lastName: 'Okafor',
      email: 'ines@people.example',
      password: 'Encore-2026!',
    };
    await newCustomer(page, site, person, 'complete');
    // As on a site that asks its staff for a second step.
    let isSetUp = false;
    const isBack = Promise.withResolvers<void>();
    await page.route(/\/api\/auth\/(login|user)$/, async (route) => {
      // Who they are by then is slower than they are.
      if (isSetUp) await isBack.promise;
      const reply = await route.fetch();
      if (!reply.ok()) return route.fulfill({ response: reply });
      const answer = await reply.json();
      Object.assign(answer.user ?? answer, { role: 'staff', needsSecondFactor: !isSetUp });
      return route.fulfill({ response: reply, json: answer });
    });
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto('/auth');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.keyboard.press('Enter');
    const notice = page.getByText('Set up your second step first');
    await shows(notice).toBeVisible();
    await page.goto('/scanner');
    await page.waitForURL('**/profile/security');
    await shows(notice).toBeVisible();
    const secret = await beginSetUp(page, person.password);
    isSetUp = true;
    await page.getByLabel('Code from the app').fill(codeFor(secret));
    await page.keyboard.press('Enter');
    await press(page, 'I have kept them');
    await shows(page.getByRole('heading', { name: 'QR Ticket Scanner' })).toBeVisible();
    isBack.resolve();
    // The person is none of the staff in fact.
    expect(complaints.filter((text) => !/status of 403/.test(text))).toEqual([]);
    // What was held up may be under way still.
    await leave(page);
  });
});
