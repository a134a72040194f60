/** What happens on the way to a ticket: ways back, reloads, other tabs, sessions that end. Nobody pays twice, or for nothing. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { CARDS } from '#tests/kit/card.ts';
import { endure } from '#tests/kit/endure.ts';
import type { StartedSite } from '#tests/kit/started-site.ts';
import { sweep } from '#tests/kit/sweep.ts';
import { enter, newCustomer } from './people.ts';
import {
  bookingOf,
  button,
  completeProfile,
  register,
  shows,
  toast,
  typeCard,
  verifyEmail,
} from './steps.ts';

const CUSTOMER = {
  firstName: 'Mina',
  lastName: 'Hap',
  email: 'mina@example.test',
  password: 'umbrella weather',
};
/** Events of the demo with tickets enough, a test its own: price and title. */
const SWIM = { path: '/booking/44', title: 'Full Moon Swim & Sauna Social' };

const held = (page: Page): Promise<void> => shows(page.getByText(/^Held for you for/)).toBeVisible();

const logOut = async (page: Page): Promise<void> => {
  await button(page, /account of/).click();
  await button(page, 'Log out').click();
};

/** How often a card was sent to the payment provider. */
const cardsSent = (page: Page): readonly string[] => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/confirm')) sent.push(request.url());
  });
  return sent;
};

inChromium('when something goes wrong', (browser) => {
  let site: Pick<StartedSite, 'origin' | 'dataDir'>;

  beforeAll(async () => {
    site = await sharedSite();
    const { page } = await visit(browser(), site.origin);
    await newCustomer(page, site, CUSTOMER);
    await leave(page);
  });

  const signedIn = async (path: string): Promise<Page> => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, CUSTOMER.email, CUSTOMER.password);
    await page.goto(path);
    return page;
  };

  endure('signing out in one tab ends the pages of the others', async () => {
    const profile = await signedIn('/profile');
    await shows(profile.getByRole('heading', { name: 'Mina Hap' })).toBeVisible();
    const other = await profile.context().newPage();
    await other.goto('/');
    await logOut(other);
    await shows(toast(profile, 'Authentication Required')).toBeVisible();
    await shows(profile.getByText('Mina Hap')).toBeHidden();
    await shows(button(other, /account of/)).toBeHidden();
    await shows(profile).toHaveURL('/auth');
    await leave(profile);
  });

  endure('a failed sign-out is reported to the user', async () => {
    const page = await signedIn('/');
    await page.route('**/api/auth/logout', (route) => route.abort());
    await logOut(page);
    await shows(toast(page, 'You are still signed in')).toBeVisible();
    await shows(button(page, /account of/)).toBeVisible();
    await leave(page);
  });

  endure('a reload and a sign-in on the way keep tickets and code', async () => {
    const page = await signedIn(SWIM.path);
    await held(page);
    await button(page, 'One ticket more').click();
    await button(page, 'One ticket more').click();
    await page.getByLabel('Promo code').fill('encore10');
    await button(page, 'Apply').click();
    await shows(button(page, 'Pay £64.80')).toBeEnabled();
    await page.reload();
    await shows(button(page, 'Pay £64.80')).toBeEnabled();

    await page.context().clearCookies();
    await button(page, 'One ticket fewer').click();
    await shows(toast(page, 'Authentication Required')).toBeVisible();
    await shows(page).toHaveURL('/auth');
    await page.getByLabel('Email').fill(CUSTOMER.email);
    await page.getByLabel('Password', { exact: true }).fill(CUSTOMER.password);
    await button(page, 'Sign In').click();
    await shows(page).toHaveURL(SWIM.path);
    await shows(button(page, /^Pay £/)).toBeEnabled();
    await shows(page.getByText('Code ENCORE10')).toBeVisible();
    await leave(page);
  });

  endure('Back restores the position in an expanded list', async () => {
    const { page } = await visit(browser(), site.origin, { width: 390, height: 844 });
    await page.goto('/events?sort=price-low');
    const cards = page.locator('main .grid').last().getByRole('article').getByRole('link');
    await button(page, 'Show more').click();
    await shows(cards.nth(20)).toBeAttached();
    const title = (await cards.nth(20).textContent()) ?? '';
    await cards.nth(20).click();
    await shows(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.goBack();
    await shows(page.getByRole('main').getByRole('link', { name: title })).toBeInViewport();
    await leave(page);
  });

  endure('Back restores the position below content that is longer than its placeholder', async () => {
    const { page } = await visit(browser(), site.origin, { width: 390, height: 844 });
    await page.route('**/api/events?*featured=true*', async (route) => {
      const events: object[] = await (await route.fetch()).json();
      // The list below is there before it.
      await pause(500);
      await route.fulfill({ json: events.map((event) => ({ ...event, title: 'Long '.repeat(40) })) });
    });
    await page.goto('/events');
    const link = page.locator('main .grid').last().getByRole('link').nth(5);
    await shows(page.getByText(/^Long Long/).first()).toBeVisible();
    await link.scrollIntoViewIfNeeded();
    const before = (await link.boundingBox())?.y;
    await link.click();
    await shows(page.getByRole('heading', { level: 1 })).not.toHaveText('All Events');
    await page.goBack();
    await shows(page.getByText(/^Long Long/).first()).toBeAttached();
    await shows.poll(async () => (await link.boundingBox())?.y).toBe(before);
    await leave(page);
  });

  endure('a shown list stays if more of it cannot be loaded', async () => {
    const { page } = await visit(browser(), site.origin);
    // No sale meanwhile has the list asked for anew, which would take the failure away.
    await page.route('**/api/sse/events', () => undefined);
    await page.goto('/events?sort=price-low');
    const cards = page.locator('main .grid').last().getByRole('article');
    await shows(button(page, 'Show more')).toBeVisible();
    const before = await cards.count();
    await page.route('**/api/events?*', (route) => route.fulfill({ status: 502, body: '' }));
    await button(page, 'Show more').click();
    await shows(page.getByText('The events didn’t load')).toBeVisible();
    await shows(cards).toHaveCount(before);
    await page.unroute('**/api/events?*');
    await button(page, 'Try again').click();
    await shows(cards.nth(before)).toBeAttached();
    await leave(page);
  });

  endure('a change elsewhere leaves an expanded list complete', async () => {
    const { page } = await visit(browser(), site.origin);
    const followed = page.waitForRequest('**/api/sse/events');
    await page.goto('/events?sort=price-low');
    await followed;
    const cards = page.locator('main .grid').last().getByRole('article');
    await shows(button(page, 'Show more')).toBeVisible();
    const before = await cards.count();
    let answer = (): void => undefined;
    const held = new Promise<void>((released) => {
      answer = released;
    });
    await page.route('**/api/events?*', async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest('**/api/events?*');
    await button(page, 'Show more').click();
    await asked;
    // As when the tab is shown again: it connects, and refetches what it may have missed.
    await page.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange'));
      return new Promise((opened) => {
        new EventSource('/api/sse/events').onopen = opened;
      });
    });
    answer();
    await shows(cards.nth(before)).toBeAttached();
    await leave(page);
  });

  endure('a user who visits other pages before signing in is not led to an older checkout', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.goto(SWIM.path);
    await shows(page).toHaveURL('/auth');
    await page.getByRole('banner').getByRole('link', { name: 'Dining' }).click();
    await shows(page.getByRole('heading', { level: 1, name: 'Dining Events' })).toBeVisible();
    await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
    await page.getByLabel('Email').fill(CUSTOMER.email);
    await page.getByLabel('Password', { exact: true }).fill(CUSTOMER.password);
    await button(page, 'Sign In').click();
    await shows(page.getByText(/^Good to see you, /)).toBeVisible();
    await shows(page).toHaveURL('/');
    await leave(page);
  });

  test('the last tickets are sold out for everyone except their holder', async () => {
    const page = await signedIn('/booking/56');
    await held(page);
    await button(page, 'One ticket more').click();
    await shows(button(page, 'Pay £64.00')).toBeEnabled();
    await page.getByRole('link', { name: 'Back to the event' }).click();
    await shows(page.getByText('The last ones are held for you')).toBeVisible();
    const { page: stranger } = await visit(browser(), site.origin);
    await stranger.goto('/events/56');
    await shows(button(stranger, 'Sold Out')).toBeDisabled();
    await page.getByRole('link', { name: 'Book Now' }).filter({ visible: true }).click();
    await shows(button(page, 'Pay £64.00')).toBeEnabled();
    await leave(page);
    await leave(stranger);
  });

  endure(
    'the quantity is limited to the tickets left, and a refused request keeps the held ones',
    async () => {
      const page = await signedIn('/booking/21');
      const more = button(page, 'One ticket more');
      const holds = (total: string) => shows(button(page, `Pay £${total}`)).toBeEnabled();
      /** Keeps from the page how many tickets are left, until what it returns is called. */
      const keepBack = async (): Promise<() => void> => {
        const { promise, resolve } = Promise.withResolvers<void>();
        await page.route('**/api/events/21', async (route) => {
          await promise;
          await route.continue();
        });
        return resolve;
      };
      await holds('48.00');
      await shows(more).toBeEnabled();
      await more.click();
      await holds('96.00');
      await shows(more).toBeEnabled();
      let tell = await keepBack();
      await more.click();
      await holds('144.00');
      expect(await more.isDisabled()).toBe(true);
      tell();

      await button(page, 'One ticket fewer').click();
      await holds('96.00');
      await shows(more).toBeEnabled();
      tell = await keepBack();
      const { page: quicker } = await visit(browser(), site.origin);
      await enter(quicker, 'customer@reprise.test');
      await quicker.goto('/booking/21');
      await held(quicker);
      await more.click();
      await shows(page.getByText('Not enough tickets left', { exact: true })).toBeVisible();
      tell();
      await shows(more).toBeDisabled();
      await button(page, 'One ticket fewer').click();
      await holds('96.00');
      await leave(quicker);
      await leave(page);
    },
  );

  endure('a request for too many tickets shows at once how many are left', async () => {
    const page = await signedIn('/booking/44');
    await held(page);
    const intents = '**/api/create-payment-intent';
    const refuse = (available: number) =>
      page.route(intents, (route) =>
        route.fulfill({ status: 409, json: { message: 'No.', code: 'SOLD_OUT', requestId: 'r', available } }),
      );
    await refuse(1);
    await button(page, 'One ticket more').click();
    await shows(page.getByText('Not enough tickets left', { exact: true })).toBeVisible();
    await shows(page.getByText(/^Only 1 ticket is left/)).toBeVisible();
    await page.unroute(intents);
    await refuse(0);
    await button(page, 'One ticket more').click();
    await shows(page.getByText('Sold Out', { exact: true })).toBeVisible();
    await page.unroute(intents);
    await button(page, 'Try again').click();
    await held(page);
    await leave(page);
  });

  endure.each([
    { width: 390, height: 844 },
    { width: 800, height: 900 },
  ])('a declined card at $width px leaves the total and the button in sight', async (size) => {
    const { page } = await visit(browser(), site.origin, size);
    await enter(page, CUSTOMER.email, CUSTOMER.password);
    await page.goto('/booking/44');
    await held(page);
    await typeCard(page, CARDS.declined);
    const pay = button(page, /^Pay £/).filter({ visible: true });
    await pay.click();
    const card = toast(page, 'Payment Failed').locator('xpath=ancestor::*[@class="toast"]');
    await shows(card).toBeVisible();
    await page.evaluate(() => scrollTo(0, 0));
    const bar = await pay.locator('xpath=..').boundingBox();
    const said = await card.boundingBox();
    if (!bar || !said) throw new Error('the bar or the toast is not there');
    expect(bar.y >= said.y + said.height || bar.y + bar.height <= said.y).toBe(true);
    await leave(page);
  });

  endure('a new booking is in sight, whatever bookings come before it', async () => {
    const { page } = await visit(browser(), site.origin, { width: 390, height: 844 });
    await enter(page, 'customer@reprise.test');
    await page.goto('/booking/10');
    await held(page);
    await typeCard(page, '4242424242424242');
    await button(page, /^Pay £/).click();
    await shows(page).toHaveURL('/profile');
    const card = bookingOf(page, 'Scouse Soul Revue');
    await shows(card.getByText(/^Booked .*(now|ago)$/)).toBeInViewport();
    await shows(button(card, 'Download ticket')).toBeInViewport({ ratio: 1 });
    await leave(page);
  });

  test('a user whose session has ended is not charged', async () => {
    const page = await signedIn(SWIM.path);
    const sent = cardsSent(page);
    await held(page);
    await typeCard(page, '4242424242424242');
    await page.context().clearCookies();
    await button(page, /^Pay £/).click();
    await shows(page).toHaveURL('/auth');
    expect(sent).toEqual([]);
    await leave(page);
  });

  endure('a new user is not charged for the checkout of the user signed in before', async () => {
    const page = await signedIn('/booking/52');
    const sent = cardsSent(page);
    await held(page);
    await typeCard(page, '4242424242424242');
    await enter(page, 'customer@reprise.test');
    await button(page, /^Pay £/).click();
    await shows(toast(page, 'Payment Failed')).toBeVisible();
    await held(page);
    expect(sent).toEqual([]);
    await leave(page);
  });

  endure('a checkout that another tab has reopened is held again, then paid', async () => {
    const page = await signedIn('/booking/45');
    await held(page);
    await typeCard(page, '4242424242424242');
    const other = await page.context().newPage();
    await other.goto('/booking/45');
    await held(other);
    await button(other, 'One ticket more').click();
    await shows(button(other, 'Pay £27.00')).toBeEnabled();

    await button(page, 'Pay £13.50').click();
    await shows(toast(page, 'Payment Failed')).toBeVisible();
    await shows(page.getByText(/Nothing was charged here\. Check the tickets and the total/)).toBeVisible();
    await held(page);
    await button(page, 'Pay £13.50').click();
    await shows(toast(page, 'You’re going!')).toBeVisible();
    await leave(page);
  });

  endure('a delayed choice does not end the hold of the next one', async () => {
    const page = await signedIn('/booking/7');
    await held(page);
    const asked: number[] = [];
    const { promise: overtaken, resolve: overtake } = Promise.withResolvers<void>();
    const { promise: underWay, resolve: begin } = Promise.withResolvers<void>();
    await page.route('**/api/create-payment-intent', async (route) => {
      asked.push(route.request().postDataJSON().quantity);
      begin();
      // It is sent on once the next one is answered, or after a while, where that one waits.
      if (asked.length === 1) await Promise.race([overtaken, pause(3_000)]);
      const response = await route.fetch();
      if (asked.length > 1) overtake();
      // A page that has given it up takes no answer.
      await route.fulfill({ response }).catch(() => undefined);
    });
    const more = button(page, 'One ticket more');
    await more.click();
    await underWay;
    await more.click();
    await more.click();
    await shows(page.getByText('4 tickets', { exact: true })).toBeAttached();
    await held(page);
    expect(asked).toEqual([2, 4]);
    await page.unrouteAll({ behavior: 'wait' });
    await typeCard(page, '4242424242424242');
    await button(page, /^Pay £/).click();
    await shows(toast(page, 'You’re going!')).toBeVisible();
    await leave(page);
  });

  endure('a checkout paid in another tab is not paid again', async () => {
    const page = await signedIn('/booking/46');
    await held(page);
    await typeCard(page, '4242424242424242');
    const other = await page.context().newPage();
    await other.goto('/booking/46');
    await held(other);
    await typeCard(other, '4242424242424242');
    await button(other, /^Pay £/).click();
    await shows(other).toHaveURL('/profile');

    await button(page, /^Pay £/).click();
    await shows(page).toHaveURL('/profile');
    await shows(bookingOf(page, 'Synthwave Saturday')).toHaveCount(1);
    await leave(page);
  });

  endure('a buyer who pays while the sale closes is shown the booking', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, CUSTOMER.email, CUSTOMER.password);
    // The page hears of the end of the sale by its live stream, which it opens a while after it has loaded.
    const followed = page.waitForResponse('**/api/sse/events');
    await page.goto('/booking/49');
    await followed;
    await held(page);
    await typeCard(page, '4242424242424242');
    let pays = false;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/events/49', async (route) => {
      // News of the tickets that are held may still come before.
      if (!pays) return route.fallback();
      const response = await route.fetch();
      const json = { ...(await response.json()), bookable: false, notBookable: 'started' };
      await route.fulfill({ response, json });
      resolve();
    });
    await page.route('**/api/bookings', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      pays = true;
      const response = await route.fetch();
      await closed;
      await route.fulfill({ response });
    });
    await button(page, /^Pay £/).click();
    await shows(toast(page, 'You’re going!')).toBeVisible();
    await shows(page).toHaveURL('/profile');
    await leave(page);
  });

  endure('the notice of test payments appears late on a slow phone without moving the page', async () => {
    const { page } = await visit(browser(), site.origin, { width: 390, height: 844 });
    await enter(page, CUSTOMER.email, CUSTOMER.password);
    const asked = Promise.withResolvers<void>();
    await page.route('**/api/stripe-config', async (route) => {
      await asked.promise;
      await route.continue();
    });
    await page.goto('/booking/57');
    await held(page);
    const places = () =>
      page
        .getByRole('main')
        .getByRole('heading')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    const before = await places();
    asked.resolve();
    await shows(page.getByText('Test payments')).toBeVisible();
    await shows(page.getByLabel('Card number')).toBeVisible();
    expect(await places()).toEqual(before);
    await leave(page);
  });

  endure('a cancellation that would refund less by now asks again', async () => {
    const page = await signedIn('/booking/3');
    await held(page);
    await typeCard(page, '4242424242424242');
    await button(page, /^Pay £/).click();
    await shows(page).toHaveURL('/profile');
    // The policy steps down after the dialog has opened: before that, everything was to come back.
    let asked = 0;
    await page.route('**/api/bookings/*/cancellation', async (route) => {
      const response = await route.fetch();
      const quote = await response.json();
      asked += 1;
      await route.fulfill({ response, json: asked > 1 ? quote : { ...quote, refundAmount: '999.00' } });
    });
    await button(page, 'Cancel booking').first().click();
    const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' });
    await shows(dialog.getByText('£999.00')).toBeVisible();
    await dialog.getByLabel('Why are you cancelling?').fill('The water is too cold.');
    const send = button(dialog, 'Cancel this booking');
    await send.click();
    await shows(page.getByText(/^By now you would get less back/)).toBeVisible();
    await shows(dialog.getByText('£999.00')).toBeHidden();
    await send.click();
    await shows(toast(page, 'Booking cancelled')).toBeVisible();
    await leave(page);
  });

  const unheard: [what: string, call: string, path: string][] = [
    ['the card’s payment', '**/confirm', '/booking/47'],
    ['the booking', '**/api/bookings', '/booking/48'],
  ];
  test.each(sweep(unheard.slice(1), unheard))(
    'a buyer who misses the answer to %s is shown their booking before they buy more',
    async (_, call, path) => {
      const page = await signedIn(path);
      const sent = cardsSent(page);
      await held(page);
      await typeCard(page, '4242424242424242');
      const { promise: done, resolve } = Promise.withResolvers<void>();
      await page.route(call, async (route) => {
        if (route.request().method() !== 'POST') return route.fallback();
        await route.fetch();
        resolve();
      });
      await button(page, /^Pay £/).click();
      await done;
      // Not let go of before: a call that is held up would go on to the server, and the page would hear of it after all.
      await page.reload();
      const told = page.getByRole('heading', { name: 'You have 1 ticket' });
      await shows(told).toBeVisible();
      await shows(
        page.getByText(/BK[A-Z0-9]{8}, bought (just now|a minute ago|\d+ minutes ago)\./),
      ).toBeVisible();

      await page.getByRole('link', { name: 'See my tickets' }).click();
      await shows(page).toHaveURL('/profile');
      await page.goBack();
      await shows(told).toBeVisible();
      const elsewhere = await signedIn(path);
      await shows(elsewhere.getByRole('heading', { name: 'You have 1 ticket' })).toBeVisible();
      await leave(elsewhere);

      expect(sent).toHaveLength(1);
      await button(page, 'Buy more').click();
      await shows(page.locator('#main')).toBeFocused();
      await held(page);
      await page.reload();
      await shows(button(page, /^Pay £/)).toBeEnabled();
      await leave(page);
    },
  );

  endure(
    'a request for another verification mail reports that the address was verified on another device',
    async () => {
      const newcomer = {
        firstName: 'Ottilie',
        lastName: '',
        email: 'ottilie@example.test',
        password: 'lantern season',
      };
      const { page } = await visit(browser(), site.origin);
      await newCustomer(page, site, newcomer, 'complete');
      await page.goto(SWIM.path);
      await shows(page.getByText('Email Verification Required')).toBeVisible();
      await shows(page.getByText('Holding your tickets...')).toBeHidden();

      const { page: other } = await visit(browser(), site.origin);
      await enter(other, newcomer.email, newcomer.password);
      await verifyEmail(other, site, newcomer);
      await button(page, 'Resend verification email').click();
      await shows(toast(page, 'Email verified')).toBeVisible();
      await held(page);
      await leave(other);
      await leave(page);
    },
  );

  endure('the header’s link leads from the other sign-in forms back to the first one', async () => {
    const { page } = await visit(browser(), site.origin);
    const signIn = page.getByRole('banner').getByRole('link', { name: 'Sign In' });
    for (const [query, form] of [
      ['mode=create', 'Create Account'],
      ['step=code', 'One more step'],
    ] as const) {
      await page.goto(`/auth?${query}`);
      await shows(page.getByRole('heading', { name: form })).toBeVisible();
      await signIn.click();
      await shows(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    }
    await leave(page);
  });

  endure('the sign-in page leads signed-in users on, also when it is loaded directly', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, CUSTOMER.email, CUSTOMER.password);
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/api/auth/user', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/auth');
    await shows(page.getByText(/^(Checking authentication\.\.\.|Welcome Back)$/)).toBeVisible();
    answer();
    await shows(page.getByText('Good to see you, Mina')).toBeVisible();
    await shows(page).toHaveURL('/');
    await leave(page);
  });

  endure(
    'the header leads to the top of another list, Back restores the position, and a filter does not scroll',
    async () => {
      const { page } = await visit(browser(), site.origin);
      const scrolled = () => page.evaluate(() => window.scrollY);
      const scroll = async (top: number) => {
        await shows(page.locator('main .skeleton')).toHaveCount(0);
        await page.evaluate((to) => scrollTo(0, to), top);
      };
      await page.goto('/events?sort=price-low');
      const cards = page.getByRole('main').getByRole('article');
      await shows(cards.nth(8)).toBeAttached();
      await scroll(500);
      // A click by hand would first scroll to where the header is when it doesn't stick.
      await page.getByRole('banner').getByRole('link', { name: 'Dining' }).dispatchEvent('click');
      await shows(page.getByRole('heading', { level: 1, name: 'Dining Events' })).toBeVisible();
      expect(await scrolled()).toBe(0);
      await page.goBack();
      await shows.poll(scrolled).toBe(500);
      await page.getByRole('banner').getByRole('searchbox').fill('late');
      await page.keyboard.press('Enter');
      await shows(page.getByText(/events? found .*late/)).toBeVisible();
      expect(await scrolled()).toBe(0);

      await page.goto('/events');
      await shows(cards.nth(8)).toBeAttached();
      await scroll(500);
      // By the keyboard: by hand it would be scrolled to, as above.
      await page
        .getByRole('banner')
        .getByRole('link', { name: 'Events', exact: true })
        .evaluate((link) => link.focus({ preventScroll: true }));
      await page.keyboard.press('Enter');
      await shows.poll(scrolled).toBe(0);
      await scroll(60);
      await button(page, /Concerts/).click();
      await shows(page.getByRole('heading', { level: 1, name: 'Concerts Events' })).toBeVisible();
      expect(await scrolled()).toBe(60);
      await leave(page);
    },
  );

  endure('a reloaded page begins at its top, and Back restores the position of the former page', async () => {
    const { page } = await visit(browser(), site.origin, { height: 500 });
    const scrolled = () => page.evaluate(() => window.scrollY);
    await page.goto('/privacy');
    await shows(page.getByRole('contentinfo')).toBeAttached();
    await page.evaluate(() => scrollTo(0, 300));
    await shows.poll(scrolled).toBe(300);
    // As by way of a sign-in elsewhere.
    await page.goto('/terms');
    await shows(page.getByRole('heading', { level: 1 })).toBeAttached();
    await shows(page.getByRole('contentinfo')).toBeAttached();
    expect(await scrolled()).toBe(0);
    await page.goBack();
    await shows.poll(scrolled).toBe(300);
    await leave(page);
  });

  endure('the receipt of a deletion uses London’s clock, wherever it is read', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.addInitScript(() => {
      Intl.DateTimeFormat.prototype.resolvedOptions = () =>
        ({ timeZone: 'America/New_York' }) as Intl.ResolvedDateTimeFormatOptions;
    });
    const receipt = {
      id: 'E-4F0C2-91B7D-0A3E8-C55D1',
      askedAt: '2031-07-01T22:59:00.000Z',
      erasedAt: '2031-07-01T22:59:30.000Z',
      destroyed: { sessions: 0, mails: 0 },
      kept: { bookings: 1 },
      files: 'by-operator',
      cleanedAt: null,
    };
    await page.route('**/api/erasures/*', (route) => route.fulfill({ json: receipt }));
    await page.goto(`/profile-deleted?receipt=${receipt.id}`);
    await shows(page.getByText(/^On Tue 1 Jul 2031, 11:59 pm/)).toBeVisible();
    await leave(page);
  });

  endure('the link in a booking’s mail leads to the proof, also by way of the sign-in', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.goto('/profile?proof=12');
    await shows(page).toHaveURL('/auth');
    await page.getByLabel('Email').fill(CUSTOMER.email);
    await page.getByLabel('Password', { exact: true }).fill(CUSTOMER.password);
    await button(page, 'Sign In').click();
    await shows(page).toHaveURL('/profile?proof=12');
    await leave(page);
  });

  endure('the clock of a new hold shows the remaining time at once', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, CUSTOMER.email, CUSTOMER.password);
    const shown: string[] = [];
    await page.exposeFunction('tellSpec', (text: string) => shown.push(text));
    await page.addInitScript(() => {
      new MutationObserver(() => {
        const clock = document.body?.textContent?.match(/Held for you for \S*/)?.[0];
        if (clock) (window as unknown as { tellSpec(text: string): void }).tellSpec(clock);
      }).observe(document, { subtree: true, childList: true, characterData: true });
    });
    await page.goto(SWIM.path);
    await held(page);
    await button(page, 'One ticket more').click();
    await shows(button(page, /^Pay £/)).toBeDisabled();
    await shows(button(page, /^Pay £/)).toBeEnabled();
    await held(page);
    expect(shown.filter((text) => !/ for \d\d?:\d\d/.test(text))).toEqual([]);
    expect(shown).not.toEqual([]);
    await leave(page);
  });

  endure('the checkout opens once the address is verified elsewhere', async () => {
    const newcomer = {
      firstName: 'Wren',
      lastName: '',
      email: 'wren@example.test',
      password: 'lantern season',
    };
    const { page } = await visit(browser(), site.origin);
    await page.goto(SWIM.path);
    await shows(page).toHaveURL('/auth');
    await register(page, newcomer);
    await completeProfile(page);
    await shows(page).toHaveURL(SWIM.path);
    await shows(page.getByText('Email Verification Required')).toBeVisible();
    await verifyEmail(page, site, newcomer);
    await held(page);
    await shows(page.getByText('Email Verification Required')).toBeHidden();
    await leave(page);
  });
  endure('an abandoned checkout is not opened after the next sign-in', async () => {
    const { page } = await visit(browser(), site.origin);
    const signsIn = async (path: string): Promise<void> => {
      await shows(page).toHaveURL('/auth');
      await page.getByLabel('Email').fill(CUSTOMER.email);
      await page.getByLabel('Password', { exact: true }).fill(CUSTOMER.password);
      await button(page, 'Sign In').click();
      await shows(page).toHaveURL(path);
      await page.context().clearCookies();
    };
    for (const wanted of ['/profile', '/profile/security']) {
      await page.goto(SWIM.path);
      await shows(page).toHaveURL('/auth');
      await page.goto(wanted);
      await signsIn('/');
    }
    // Google leads back by itself.
    await page.goto(SWIM.path);
    await shows(page).toHaveURL('/auth');
    await enter(page, CUSTOMER.email, CUSTOMER.password);
    await page.goto(SWIM.path);
    await held(page);
    await page.context().clearCookies();
    await page.goto('/auth');
    await signsIn('/');
    await leave(page);
  });

  /** Presses something, and once more at the same place when what the press has done shows. */
  const doubleClick = async (page: Page, what: Locator, done: Locator): Promise<void> => {
    await what.hover();
    for (const clickCount of [1, 2]) {
      await page.mouse.down({ clickCount });
      await page.mouse.up({ clickCount });
      await shows(done).toBeVisible();
    }
  };

  endure('a double click opens a dialog and does not close it', async () => {
    const { page } = await visit(browser(), site.origin, { width: 390, height: 844 });
    await page.goto('/auth');
    const dialog = page.getByRole('dialog');
    await doubleClick(page, button(page, 'Forgot password?'), dialog);
    await dialog.getByLabel('Email').fill('mina@example.test');
    await leave(page);
  });

  endure('a double click opens the account’s menu and the search, and closes neither', async () => {
    const page = await signedIn('/events');
    const search = button(page, 'Search events');
    await page.setViewportSize({ width: 390, height: 844 });
    for (const opener of [button(page, /account of/), search]) {
      await opener.dblclick();
      await shows(opener).toHaveAttribute('aria-expanded', 'true');
    }
    await search.click();
    await shows(search).toHaveAttribute('aria-expanded', 'false');
    await leave(page);
  });

  endure('a double click joins the waiting list and does not leave it', async () => {
    const page = await signedIn('/events/22');
    const off = button(page, 'Leave the waiting list');
    await doubleClick(page, button(page, 'Tell me if tickets come back'), off);
    await page.reload();
    await off.click();
    await shows(toast(page, 'You’re off the list')).toBeVisible();
    await leave(page);
  });

  endure('a double click shows more events and does not open one', async () => {
    const { page } = await visit(browser(), site.origin, { width: 390, height: 844 });
    await page.goto('/events');
    const cards = page.locator('main .grid').last().getByRole('article');
    await shows(cards.first()).toBeVisible();
    const before = await cards.count();
    await doubleClick(page, button(page, 'Show more'), cards.nth(before));
    await shows(page).toHaveURL('/events');
    await leave(page);
  });
});
