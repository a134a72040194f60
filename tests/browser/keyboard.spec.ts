/** Everything by keyboard alone: what is reached by Tab is pressed by Enter or Space, and nothing is lost on the way. */
import type { Locator, Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, PATIENCE, sharedSite, type Visit, visit } from '#tests/kit/browser.ts';
import { endure } from '#tests/kit/endure.ts';
import { sweep } from '#tests/kit/sweep.ts';
import { enter, newCustomer } from './people.ts';
import { bookingOf, button, shows, toast } from './steps.ts';
import { isUncovered } from './views.ts';

const CUSTOMER = {
  firstName: 'Kay',
  lastName: 'Board',
  email: 'kay@example.test',
  password: 'home row keys',
};

/** More presses than any page has places to stop at. */
const STOPS = 120;

const isFocused = (place: Locator): Promise<boolean> =>
  place.evaluateAll((found) => found.some((one) => one === document.activeElement));

/** Presses Tab until the focus is there. */
const tabTo = async (place: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
  await shows(place).toBeVisible();
  for (let stop = 0; stop < STOPS; stop += 1) {
    if (await isFocused(place)) return;
    await place.page().keyboard.press(key);
  }
  throw new Error(`the keyboard does not reach ${place}`);
};

/** The ring that shows where the focus is. */
const ringOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
    return `${outlineStyle} ${outlineWidth}`;
  });

/** Goes round in an open dialog: the focus never lands on what is behind it. */
const staysInside = async (dialog: Locator): Promise<void> => {
  for (let stop = 0; stop < 12; stop += 1) {
    await dialog.page().keyboard.press('Tab');
    const behind = await dialog.evaluate((element) => {
      const active = document.activeElement;
      // past the last one the browser's own bar has its turn, and the page's body stands for it
      return active !== document.body && !element.contains(active);
    });
    expect(behind).toBe(false);
  }
};

inChromium('by keyboard alone', (browser) => {
  let site: Awaited<ReturnType<typeof sharedSite>>;
  let at: Visit;

  beforeAll(async () => {
    site = await sharedSite();
    const { page } = await visit(browser(), site.origin);
    await newCustomer(page, site, CUSTOMER);
    await leave(page);
    at = await visit(browser(), site.origin);
  });

  test('the first stop skips the header, and every stop is visible', async () => {
    const { page } = at;
    await page.goto('/');
    await tabTo(page.getByRole('link', { name: 'Skip to the content' }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('link', { name: 'See what’s on' }));
    expect(await ringOf(page)).toBe('solid 2px');
  });

  endure('a new page gets the focus at once, so that typed text is not lost', async () => {
    const { page } = at;
    await page.goto('/about');
    // On a fast machine what comes a little later comes before anybody can tell.
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 20 });
    const focused = page.evaluate(
      () =>
        new Promise((done) => {
          // Called before anybody can press a key on what has just come.
          new MutationObserver((_, observer) => {
            if (!document.querySelector('input[type="password"]')) return;
            observer.disconnect();
            done(document.activeElement?.id);
          }).observe(document.body, { childList: true, subtree: true });
        }),
    );
    await page.getByRole('link', { name: 'Sign In' }).click();
    expect(await focused).toBe('main');
    await session.detach();
  });

  test('a user can sign in', async () => {
    const { page } = at;
    await tabTo(page.getByRole('link', { name: 'Sign In' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await tabTo(page.getByLabel('Email'));
    await page.keyboard.type(CUSTOMER.email);
    await tabTo(page.getByLabel('Password', { exact: true }));
    await page.keyboard.type(CUSTOMER.password);
    await page.keyboard.press('Enter');
    // The pointer rests on it, so that it is still there for the next test, however long the way to it takes.
    await toast(page, 'Welcome back!').hover();
    await shows(page.getByText('Good to see you, Kay')).toBeVisible();
  });

  test('a toast is reached by F8, stays while it has the focus, and Escape returns the focus', async () => {
    const { page } = at;
    const browse = page.getByRole('main').getByRole('link', { name: 'Browse Events' });
    await tabTo(browse);
    await shows(toast(page, 'Welcome back!')).toBeVisible();
    await page.keyboard.press('F8');
    await shows(page.getByRole('region', { name: 'Notifications (F8)' })).toBeFocused();
    await page.mouse.move(0, 0);
    await page.keyboard.press('Tab');
    await shows(button(page, 'Dismiss notification')).toBeFocused();
    await page.keyboard.press('Escape');
    await shows(toast(page, 'Welcome back!')).toBeHidden();
    await shows(browse).toBeFocused();
  });

  test('the account’s menu opens, closes by Escape, and returns the focus', async () => {
    const { page } = at;
    const avatar = button(page, /account of Kay/);
    await tabTo(avatar, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await shows(button(page, 'Log out')).toBeVisible();
    await page.keyboard.press('Tab');
    await shows(page.getByRole('link', { name: 'Profile' })).toBeFocused();
    await page.keyboard.press('Escape');
    await shows(button(page, 'Log out')).toBeHidden();
    await shows(avatar).toBeFocused();
  });

  test('a user can buy, including a bank’s challenge', async () => {
    const { page } = at;
    await page.keyboard.press('/');
    await page.keyboard.type('mahler');
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('main').getByRole('link', { name: /^Mahler 2/ }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('main').getByRole('link', { name: 'Book Now' }).filter({ visible: true }));
    await page.keyboard.press('Enter');
    await tabTo(button(page, 'One ticket more'));
    await page.keyboard.press('Space');
    const fewer = button(page, 'One ticket fewer');
    await tabTo(fewer, 'Shift+Tab');
    await page.keyboard.press('Space');
    await shows(page.getByRole('group', { name: 'Number of tickets' })).toContainText('1 ticket');
    await shows(fewer).toBeFocused();
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await tabTo(page.getByLabel('Card number'));
    await page.keyboard.type('4000002500003155');
    await tabTo(page.getByLabel('Expiry'));
    await page.keyboard.type('1234');
    await tabTo(page.getByLabel('Security code'));
    await page.keyboard.type('123');
    const pay = button(page, 'Pay £84.00').filter({ visible: true });
    await shows(pay).toBeEnabled();
    await tabTo(pay);
    await page.keyboard.press('Enter');

    const challenge = page.getByRole('dialog', { name: 'Your bank asks: is it you?' });
    await shows(challenge).toBeVisible();
    await staysInside(challenge);
    await page.keyboard.press('Escape');
    await shows(challenge).toBeHidden();
    await shows(page.getByText('Payment Failed')).toBeVisible();

    await shows(pay).toBeEnabled();
    await tabTo(pay);
    await page.keyboard.press('Enter');
    await tabTo(button(challenge, 'Complete authentication'));
    await page.keyboard.press('Enter');
    await shows(page).toHaveURL('/profile', { timeout: PATIENCE });
  });

  test('the profile’s tabs are switched by arrows, and its folded history opens', async () => {
    const { page } = at;
    const upcoming = page.getByRole('tab', { name: /^Upcoming/ });
    await tabTo(upcoming);
    await page.keyboard.press('ArrowRight');
    await shows(page.getByRole('tab', { name: /^Past/ })).toBeFocused();
    await page.keyboard.press('Home');
    await shows(upcoming).toBeFocused();
    const card = bookingOf(page, 'Mahler 2');
    await tabTo(card.getByText('What happened to this booking'));
    await page.keyboard.press('Enter');
    await shows(card.getByText('Booked: 2 tickets')).toBeVisible();
  });

  test('a dialog keeps the focus, closes by Escape and returns the focus', async () => {
    const { page } = at;
    const cancel = button(bookingOf(page, 'Mahler 2'), 'Cancel booking');
    await tabTo(cancel);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' });
    await shows(dialog.getByText('You get back')).toBeVisible();
    await staysInside(dialog);
    await page.keyboard.press('Escape');
    await shows(dialog).toBeHidden();
    await shows(cancel).toBeFocused();
  });

  endure('cancelling a booking leaves the focus in the list of bookings', async () => {
    const { page } = at;
    const cancel = button(bookingOf(page, 'Mahler 2'), 'Cancel booking');
    await tabTo(cancel);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' });
    await tabTo(dialog.getByLabel('Why are you cancelling?'));
    await page.keyboard.type('The keys are worn out.');
    await tabTo(button(dialog, 'Cancel this booking'));
    await page.keyboard.press('Enter');
    await shows(cancel).toBeHidden();
    await shows(page.getByRole('group', { name: 'Your bookings' })).toBeFocused();
    await page.keyboard.press('Tab');
    await shows(page.getByRole('tab', { name: /^Upcoming/ })).toBeFocused();
  });

  endure('an account is deleted by Enter in the password field, once the deletion is confirmed', async () => {
    const { page } = at;
    await tabTo(button(page, 'Delete Account'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await tabTo(dialog.getByLabel('Your password'));
    await page.keyboard.type(CUSTOMER.password);
    await page.keyboard.press('Enter');
    await tabTo(dialog.getByLabel('I understand that this can’t be undone'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await tabTo(dialog.getByLabel('Your password'));
    await page.keyboard.press('Enter');
    await shows(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
  });

  endure.each([
    { name: 'a low phone', width: 390, height: 560 },
    { name: 'a phone on its side', width: 640, height: 320 },
    { name: 'a desktop’s page at 400%', width: 320, height: 256 },
  ])('on $name no bar covers the focus at the checkout, and most of the page is visible', async (size) => {
    const { page } = await visit(browser(), site.origin, size);
    await newCustomer(page, site, { ...CUSTOMER, email: `low-${size.width}@people.example` });
    await page.goto('/booking/3');
    const pay = button(page, 'Pay £42.00').filter({ visible: true });
    await shows(pay).toBeEnabled();
    await tabTo(page.getByRole('link', { name: 'Back to the event' }));
    for (const key of ['Tab', 'Shift+Tab'] as const) {
      const end = key === 'Tab' ? pay : page.getByRole('link', { name: 'Back to the event' });
      while (!(await isFocused(end))) {
        const stop = page.locator(':focus');
        const label = await stop.evaluate(({ id, ariaLabel }) => ariaLabel ?? id);
        await shows.poll(() => stop.evaluate(isUncovered), { message: `${key} to ${label}` }).toBe(true);
        await page.keyboard.press(key);
      }
    }
    const covered = await page.evaluate(() => {
      scrollTo(0, document.body.scrollHeight / 2);
      const bars = [...document.querySelectorAll('header, .reach')].map((bar) => bar.getBoundingClientRect());
      return bars.reduce(
        (sum, { top, bottom }) => sum + Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)),
        0,
      );
    });
    expect(covered).toBeLessThan(size.height / 3);
    await leave(page);
  });

  endure('applying or removing a promo code keeps the focus, and announces the discount', async () => {
    const { page } = await visit(browser(), site.origin);
    await newCustomer(page, site, { ...CUSTOMER, email: 'promo@people.example' });
    await page.goto('/booking/3');
    const tickets = page.getByRole('group', { name: 'What you are buying' });
    const said = tickets.getByRole('status');
    await shows(button(page, 'Pay £42.00')).toBeEnabled();
    await shows(said).toHaveCount(1);
    await said.evaluate((status) => {
      status.id = 'before';
    });
    const code = page.getByLabel('Promo code');
    await code.fill('encore10');
    await page.keyboard.press('Enter');
    await shows(page.locator('#before')).toHaveText('ENCORE10 takes £4.20 off');
    await shows(code).toBeFocused();
    // A code that is blank takes nothing off.
    await code.fill('');
    await shows(said).toBeEmpty();
    await shows(button(page, 'Pay £42.00')).toBeEnabled();
    await code.fill('encore10');
    await page.keyboard.press('Enter');
    await tabTo(button(tickets, 'Remove'));
    await page.keyboard.press('Enter');
    await shows(code).toHaveValue('');
    await shows(button(page, 'Pay £42.00')).toBeEnabled();
    await shows(tickets).toBeFocused();
    await leave(page);
  });

  endure('setting a new password by a mailed link moves the focus to the message', async () => {
    const { page } = await visit(browser(), site.origin);
    const said = { message: 'ok' };
    await page.route('**/api/auth/verify-reset-token', (route) =>
      route.fulfill({ json: { ...said, valid: true } }),
    );
    await page.route('**/api/auth/reset-password', (route) => route.fulfill({ json: said }));
    await page.goto('/reset-password?token=mailed');
    await page.getByLabel('New password', { exact: true }).fill('Encore-2027!');
    await page.getByLabel('Confirm new password').fill('Encore-2027!');
    await page.keyboard.press('Enter');
    await shows(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();
    await shows(page.locator('#main')).toBeFocused();
    await leave(page);
  });

  endure('a longer list, and a list without its filter, receive the focus', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.goto('/events?sort=price-low');
    // The featured ones, above, may come later.
    const cards = page.locator('main .grid').last().getByRole('article');
    const more = button(page, 'Show more');
    await shows(more).toBeVisible();
    while (await more.isVisible()) {
      const before = await cards.count();
      await tabTo(more);
      await page.keyboard.press('Enter');
      await shows(cards.nth(before).getByRole('link')).toBeFocused();
    }
    expect(await cards.count()).toBeGreaterThan(20);

    await page.goto('/events?category=dining&search=nowhere');
    for (const name of ['View All Events', 'Clear Filter']) {
      const clear = button(page, name);
      await tabTo(clear);
      await page.keyboard.press('Enter');
      await shows(clear).toBeHidden();
      await shows(page.locator(':focus')).toHaveText(/^\d+ events found/);
      await page.goBack();
    }
    await leave(page);
  });

  endure('the header’s cities are chosen by arrows, from any page', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.goto('/about');
    const cities = page.getByRole('banner').getByRole('combobox', { name: 'City' });
    await tabTo(cities);
    await page.keyboard.press('ArrowDown');
    await shows(page).toHaveURL('/events');
    await shows(cities).toHaveValue('*');
    await shows(cities).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await shows(page).toHaveURL(/\/events\?city=/);
    await shows(cities).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await shows(page).toHaveURL('/events');
    // Nobody can choose what is chosen already: all cities are one more choice where something else is filtered by.
    await page.goto('/events?category=dining');
    await shows(cities).toHaveValue('');
    await cities.selectOption('All Cities');
    await shows(page).toHaveURL('/events');
    await leave(page);
  });

  test('door staff can enter a code, and continue by Escape', async () => {
    const { page, complaints } = await visit(browser(), site.origin);
    await enter(page, 'staff@reprise.test');
    await page.goto('/scanner');
    await tabTo(page.getByLabel('Enter a code by hand'));
    await page.keyboard.type('not a ticket');
    await page.keyboard.press('Enter');
    const answer = page.getByRole('dialog', { name: 'Invalid Ticket' });
    await shows(button(answer, 'Scan Next Ticket')).toBeFocused();
    await page.keyboard.press('Escape');
    await shows(answer).toBeHidden();
    await shows(page.getByLabel('Enter a code by hand')).toBeFocused();
    expect(complaints).toEqual([]);
    await leave(page);
  });

  /** A form of the admin panel: how it is opened, what goes into which field in their order, and what is told once it is saved. */
  interface Filled {
    readonly tab: string;
    readonly opens: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly told: string;
  }
  const FORMS: readonly Filled[] = [
    {
      tab: 'venues',
      opens: 'Add Venue',
      fields: { 'Venue name': 'Key House', Address: '1 Shift Street', City: 'Bristol', Capacity: '120' },
      told: 'Venue created',
    },
    {
      tab: 'events',
      opens: 'Create Event',
      fields: {
        Title: 'Touch Typing',
        Description: 'Bring gloves.',
        Category: 'Nightlife',
        City: 'Bristol',
        Venue: 'Key House',
        // Whichever order the browser has for day and month, and whether it counts hours to 12 or to 24.
        Date: '05052031',
        Time: '0730PM',
        'Price in pounds': '12.50',
      },
      told: 'Event created',
    },
    {
      tab: 'promotions',
      opens: 'Create Promotion',
      fields: {
        Name: 'Home row',
        Code: 'asdf',
        'Discount type': 'Fixed amount',
        'Pounds off the booking': '5',
      },
      told: 'Promotion created',
    },
    {
      tab: 'email-templates',
      opens: 'Add Template',
      fields: {
        Name: 'Keyed in',
        Subject: 'See you there',
        'HTML content': '<p>See you there</p>',
        'Text content': 'See you there',
      },
      told: 'Email template created',
    },
  ];

  endure('superusers can fill in and save the panel’s forms', async () => {
    const { page, complaints } = await visit(browser(), site.origin);
    await enter(page, 'superuser@reprise.test');
    for (const { tab, opens, fields, told } of sweep(FORMS.slice(0, 2), FORMS)) {
      await page.goto(`/admin?tab=${tab}`);
      await tabTo(button(page, opens));
      await page.keyboard.press('Enter');
      const form = page.getByRole('dialog', { name: opens });
      await shows(form.getByLabel(Object.keys(fields)[0] ?? '').first()).toBeFocused();
      for (const [label, text] of Object.entries(fields)) {
        const field = form.getByLabel(label, { exact: true });
        await shows(field).toBeEnabled();
        await tabTo(field);
        // Before its choices have come, a list has none to be typed at.
        if (await field.evaluate(({ tagName }) => tagName === 'SELECT'))
          await shows(field.getByRole('option', { name: text })).toHaveCount(1);
        await page.keyboard.type(text);
      }
      await tabTo(button(form, opens));
      await page.keyboard.press('Enter');
      await shows(toast(page, told)).toBeVisible();
      await shows(form).toBeHidden();
      await shows(button(page, opens)).toBeFocused();
    }
    expect(complaints).toEqual([]);
    await leave(page);
  });

  test('two keys open a tab of the panel, one lists them, and they can be turned off', async () => {
    const { page } = await visit(browser(), site.origin, { width: 1440, height: 900 });
    await enter(page, 'superuser@reprise.test');
    await page.goto('/admin');
    await shows(page.getByRole('tab', { name: 'Dashboard' })).toBeVisible();
    // A busy machine may let more time pass between the two than they may have.
    await shows(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('v');
      await expect.poll(() => page.url(), { timeout: 5_000 }).toContain('/admin?tab=venues');
    }).toPass({ timeout: PATIENCE });
    const search = page.getByRole('main').getByRole('searchbox');
    await shows(search).toBeVisible();
    await page.keyboard.press('/');
    await shows(search).toBeFocused();
    // What is typed into a field is no shortcut.
    await page.keyboard.type('ge?');
    await shows(search).toHaveValue('ge?');
    await page.keyboard.press('Tab');
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await shows(keys.getByText('Show these keys')).toBeVisible();
    await keys.getByLabel('Use these keys').uncheck();
    await page.keyboard.press('Escape');
    await shows(keys).toBeHidden();
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.keyboard.press('?');
    await shows(keys).toBeHidden();
    await button(page, 'Keyboard shortcuts').click();
    await shows(keys).toBeVisible();
    expect(page.url()).toContain('tab=venues');
    await leave(page);
  });
});
