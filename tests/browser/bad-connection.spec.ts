/** People on a bad connection: one of its walks, and what walks don't meet. `bad-connection.endure.spec.ts` has the rest; with `WALKS=all` every call and every fault. */
import { beforeAll, expect, test } from 'vitest';
import { promotionCalls } from '#domain/contracts/promotions.ts';
import { walk } from '#tests/kit/bad-connection.ts';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { CARDS } from '#tests/kit/card.ts';
import { endure } from '#tests/kit/endure.ts';
import { customer, purchase } from './flows.ts';
import { enter } from './people.ts';
import { button, shows, toast, typeCard } from './steps.ts';

inChromium('on a bad connection', (browser) => {
  let site: Awaited<ReturnType<typeof sharedSite>>;
  beforeAll(async () => {
    site = await sharedSite();
  });

  test('a card is charged once although the call’s answer is lost', () =>
    walk(
      purchase(browser, () => site),
      'pay',
      'loses its answer',
    ));

  endure('an action undone offline is not carried out once the connection is back', async () => {
    const { page, email, password } = await customer(browser(), site);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'DELETE') sent.push(request.url());
    });
    await page.goto('/profile');
    await button(page, 'Delete Account').click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByLabel('Your password').fill(password);
    await dialog.getByLabel('I understand that this can’t be undone').check();
    await page.context().setOffline(true);
    await shows(page.getByText(/^You’re offline\./)).toBeVisible();
    await button(dialog, 'Delete my account').click();
    await shows(toast(page, 'Failed to delete profile. Please try again.')).toBeVisible();
    await shows(page.getByText('There is no connection, so nothing was sent.')).toBeVisible();
    await button(dialog, 'Keep my account').click();
    await shows(dialog).toBeHidden();
    sent.length = 0;

    await page.context().setOffline(false);
    await shows(page.getByText(/^You’re offline\./)).toBeHidden();
    await page.reload();
    await shows(page.getByText(email)).toBeVisible();
    expect(sent).toEqual([]);
    await leave(page);
  });

  endure('an offline payment is not charged, neither now nor later', async () => {
    const { page } = await customer(browser(), site);
    const sent: string[] = [];
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('/confirm')) sent.push(request.url());
    });
    await page.goto('/booking/44');
    await shows(button(page, /^Pay £/)).toBeEnabled();
    await typeCard(page, CARDS.pays);
    await page.context().setOffline(true);
    await shows(page.getByText(/^You’re offline\./)).toBeVisible();
    await button(page, /^Pay £/).click();
    await shows(page.getByText(/so nothing was sent\. Nothing was charged/)).toBeVisible();
    await page.context().setOffline(false);
    await shows(page.getByText(/^You’re offline\./)).toBeHidden();
    await shows(button(page, /^Pay £/)).toBeEnabled();
    expect(sent).toEqual([]);
    await button(page, /^Pay £/).click();
    await shows(toast(page, 'You’re going!')).toBeVisible();
    await leave(page);
  });

  endure(
    'a session that ends between charge and booking leads to the sign-in and back to the booking',
    async () => {
      const { page, email, password } = await customer(browser(), site);
      await page.goto('/booking/44');
      await shows(button(page, /^Pay £/)).toBeEnabled();
      await typeCard(page, CARDS.pays);
      await page.route(
        '**/api/bookings',
        async (route) => {
          await page.context().clearCookies();
          const { cookie: _, ...headers } = route.request().headers();
          await route.continue({ headers });
        },
        { times: 1 },
      );
      await button(page, /^Pay £/).click();
      await shows(page).toHaveURL('/auth');
      await shows(toast(page, 'Booking Failed')).toBeHidden();
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await button(page, 'Sign In').click();
      await shows(page).toHaveURL('/booking/44');
      await shows(page.getByRole('heading', { name: 'You have 1 ticket' })).toBeVisible();
      await leave(page);
    },
  );

  endure('a new user in the same tab starts with one ticket', async () => {
    const { page } = await customer(browser(), site);
    const quantity = page.getByRole('group', { name: 'Number of tickets' });
    await page.goto('/booking/44');
    await shows(button(page, 'Pay £24.00')).toBeEnabled();
    await button(page, 'One ticket more').click();
    await shows(button(page, 'Pay £48.00')).toBeEnabled();
    await page.reload();
    await shows(quantity).toContainText('2 tickets');
    // An answer that comes after the next sign-in to a call of the session before takes the new session's cookie with it.
    await shows(button(page, 'Pay £48.00')).toBeEnabled();
    await enter(page, 'customer@reprise.test');
    await page.reload();
    await shows(quantity).toContainText('1 ticket');
    await leave(page);
  });

  test('only the server’s answers report a wrong password, a missing event or an ended session', async () => {
    const { page } = await visit(browser(), site.origin);
    const gateway = { status: 502, contentType: 'text/html', body: '<html>Bad Gateway</html>' };
    await page.goto('/auth');
    await page.route('**/api/auth/login', (route) => route.fulfill(gateway));
    await page.getByLabel('Email').fill('customer@reprise.test');
    await page.getByLabel('Password', { exact: true }).fill('whatever it is');
    await button(page, 'Sign In').click();
    await shows(page.getByText('The site did not answer. Please try again.').first()).toBeVisible();
    await shows(page.getByText('Invalid email or password')).toBeHidden();
    await page.unroute('**/api/auth/login');
    await button(page, 'Sign In').click();
    await shows(toast(page, 'Login failed')).toBeVisible();
    await shows(page.getByText('Invalid email or password')).toBeVisible();
    await shows(page.getByText('That address and that password don’t belong together')).toBeVisible();

    await enter(page, 'customer@reprise.test');
    await page.route('**/api/auth/user', (route) => route.fulfill(gateway));
    await page.route('**/api/events/44', (route) => route.fulfill(gateway));
    await page.goto('/booking/44');
    await shows(page.getByText(/can’t tell yet whether you are signed in/)).toBeVisible();
    await shows(page).toHaveURL('/booking/44');
    await page.unroute('**/api/auth/user');
    await button(page, 'Try again').click();
    await shows(page.getByText('This event didn’t load')).toBeVisible();
    await page.unroute('**/api/events/44');
    await button(page, 'Try again').click();
    await shows(page.getByRole('heading', { name: 'Checkout' })).toBeVisible();
    await leave(page);
  });

  endure('a pressed button that disappears keeps the focus at its place', async () => {
    const { page } = await customer(browser(), site);
    const press = async (name: string): Promise<void> => {
      await button(page, name).focus();
      await page.keyboard.press('Enter');
    };
    for (const [path, call] of [
      ['/events?city=London', '**/api/events?*'],
      ['/events/44', '**/api/events/44'],
      ['/booking/44', '**/api/events/44'],
      ['/profile', '**/api/bookings'],
      ['/profile/security', '**/api/profile/sessions'],
      ['/reset-password?token=some', '**/api/auth/verify-reset-token'],
    ] as const) {
      await page.route(call, (route) => route.fulfill({ status: 502, body: '' }));
      await page.goto(path);
      await button(page, 'Try again').focus();
      // From here on the page may have its answer without being asked.
      await page.unroute(call);
      await page.keyboard.press('Enter');
      await shows(button(page, 'Try again')).toBeHidden();
      await shows(page.locator('#main')).toBeFocused();
    }

    await page.goto('/verify-email?token=some');
    await press('Verify Email');
    await shows(page.getByRole('heading', { name: 'Verification failed' })).toBeVisible();
    await shows(page.locator('#main')).toBeFocused();

    const taken = { message: 'Done', isNewSubscription: true };
    await page.route('**/api/newsletter/*', (route) => route.fulfill({ json: taken }));
    await page.goto('/newsletter-unsubscribe?email=some@example.test');
    await press('Unsubscribe');
    await shows(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible();
    await shows(page.locator('#main')).toBeFocused();
    await leave(page);
  });

  endure('a subscription and a further ticket purchase keep the focus at their place', async () => {
    const { page } = await customer(browser(), site);
    const press = async (name: string): Promise<void> => {
      await button(page, name).focus();
      await page.keyboard.press('Enter');
    };
    const taken = { message: 'Done', isNewSubscription: true };
    await page.route('**/api/newsletter/*', (route) => route.fulfill({ json: taken }));
    await page.goto('/');
    await page.getByLabel('Your email address').fill('some@example.test');
    await press('Subscribe');
    await shows(page.locator(':focus')).toHaveText(/^You’re on the list/);

    const intents = '**/api/create-payment-intent';
    await page.route(intents, (route) => route.fulfill({ status: 502, body: '' }));
    await page.goto('/booking/44');
    await shows(button(page, 'Try again')).toBeVisible();
    await page.unroute(intents);
    await press('Try again');
    await shows(page.getByText(/^Held for you for/)).toBeVisible();
    await shows(page.getByRole('group', { name: 'What you are buying' })).toBeFocused();
    await leave(page);
  });

  endure('a failure to load events is reported in one place, with a single retry', async () => {
    const { page } = await visit(browser(), site.origin);
    const events = '**/api/events?*';
    await page.route(events, (route) => route.fulfill({ status: 502, body: '' }));
    await page.goto('/events');
    await shows(page.getByText('The events didn’t load')).toHaveCount(1);
    await shows(page.locator('main .skeleton')).toHaveCount(0);
    await shows(page.getByText('The events didn’t load')).toHaveCount(1);
    await page.unroute(events);
    await button(page, 'Try again').click();
    await shows(page.getByRole('heading', { name: 'Featured Events' })).toBeVisible();
    await shows(page.getByText(/^\d+ events found/)).toBeVisible();
    await shows(page.getByText('The events didn’t load')).toHaveCount(0);
    await leave(page);
  });

  endure('a link is called invalid only if the server says so', async () => {
    const { page } = await visit(browser(), site.origin);
    const refuses = (call: string, status: number, code: string, message: string) =>
      page.route(`**/api/auth/${call}`, (route) => route.fulfill({ status, json: { code, message } }));
    const wait = 'Too many attempts. Please wait a little and try again.';
    await refuses('verify-reset-token', 429, 'TOO_MANY', wait);
    await page.goto('/reset-password?token=some');
    await shows(page.getByText(wait)).toBeVisible();
    await shows(page.getByText('Invalid Reset Link')).toBeHidden();
    await page.unroute('**/api/auth/verify-reset-token');
    await button(page, 'Try again').click();
    await shows(page.getByText('Invalid Reset Link')).toBeVisible();

    await refuses('verify-email', 429, 'TOO_MANY', wait);
    await page.goto('/verify-email?token=some');
    const sent = page.waitForRequest('**/api/auth/verify-email');
    await button(page, 'Verify Email').click();
    expect((await sent).postDataJSON()).toEqual({ token: 'some' });
    await shows(page.getByText(wait)).toBeVisible();
    await page.getByLabel('Your password').fill('lantern season');
    await page.unroute('**/api/auth/verify-email');
    await button(page, 'Verify Email').click();
    await shows(page.getByText('Verification failed')).toBeVisible();

    await page.addInitScript(() =>
      Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined }),
    );
    const changed = 'Your session changed. Please try again.';
    await refuses('verify-reset-token', 403, 'CSRF', changed);
    await page.goto('/reset-password?token=some');
    await shows(page.getByText('Setting a new password needs cookies')).toBeVisible();
    await refuses('verify-email', 403, 'CSRF', changed);
    await page.goto('/verify-email?token=some');
    await page.getByLabel('Your password').fill('lantern season');
    await button(page, 'Verify Email').click();
    await shows(page.getByText('Verifying your address needs cookies')).toBeVisible();
    await leave(page);
  });

  endure('a sign-in whose cookies are lost is not shown as successful', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.goto('/auth');
    await page.route('**/api/auth/login', async (route) => {
      const { 'set-cookie': _, ...headers } = (await route.fetch()).headers();
      const json = await (await route.fetch()).json();
      await page.context().clearCookies();
      await route.fulfill({ headers, json });
    });
    await page.getByLabel('Email').fill('customer@reprise.test');
    await page.getByLabel('Password', { exact: true }).fill('Encore-2026!');
    await button(page, 'Sign In').click();
    await shows(page.getByText(/did not keep you signed in/).first()).toBeVisible();
    await shows(toast(page, 'Welcome back!')).toBeHidden();
    await leave(page);
  });

  endure('paying is disabled while a code is being checked', async () => {
    const { page } = await customer(browser(), site);
    await page.goto('/booking/44');
    await shows(button(page, 'Pay £24.00')).toBeEnabled();
    let answer = (): void => undefined;
    const held = new Promise<void>((released) => {
      answer = released;
    });
    await page.route(`**${promotionCalls.validate.path}`, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel('Promo code').fill('encore10');
    await button(page, 'Apply').click();
    await shows(button(page, 'Pay £24.00')).toBeDisabled();
    answer();
    await shows(button(page, 'Pay £21.60')).toBeEnabled();
    await leave(page);
  });

  endure('a shown list stays if it cannot be refreshed', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.goto('/events?city=London');
    const cards = page.getByRole('main').getByRole('article');
    await shows(cards.first()).toBeVisible();
    let asked = 0;
    await page.route('**/api/events?*', (route) => {
      asked += 1;
      return route.abort('connectionreset');
    });
    // As when the tab is shown again. The page asks twice; that it then asks again means that it has taken no for an answer.
    await shows
      .poll(async () => {
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
        return asked;
      })
      .toBeGreaterThan(2);
    expect(await cards.count()).toBeGreaterThan(0);
    await shows(page.getByText('The events didn’t load')).toBeHidden();
    await leave(page);
  });

  endure('a code that cannot be checked now is kept until the connection is back', async () => {
    const { page } = await customer(browser(), site);
    const more = button(page, 'One ticket more');
    await page.goto('/booking/44');
    await shows(button(page, 'Pay £24.00')).toBeEnabled();
    await page.getByLabel('Promo code').fill('encore10');
    await button(page, 'Apply').click();
    await shows(button(page, 'Pay £21.60')).toBeEnabled();

    const checks = `**${promotionCalls.validate.path}`;
    const limited = { message: 'Too many attempts. Please wait a little and try again.', code: 'TOO_MANY' };
    await page.route(checks, (route) => route.fulfill({ status: 429, json: limited }));
    await more.click();
    await shows(toast(page, 'Failed to validate promo code')).toBeVisible();
    await page.unroute(checks);

    let asked = 0;
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    await page.route(checks, async (route) => {
      asked += 1;
      await held;
      await route.continue();
    });
    const [given] = await Promise.all([page.waitForRequest(checks), more.click()]);
    expect(given.postDataJSON()).toMatchObject({ code: 'ENCORE10', totalAmount: '48.00' });
    await shows(more).toHaveAttribute('aria-disabled', 'true');
    await shows(button(page, 'Remove')).toBeHidden();
    await page.keyboard.press('Enter');
    answer();
    await shows(button(page, 'Pay £43.20')).toBeEnabled();
    expect(asked).toBe(1);
    await shows(more).toBeFocused();
    await button(page, 'Remove').click();
    await shows(button(page, 'Pay £48.00')).toBeEnabled();
    await leave(page);
  });

  endure('a higher price requires a confirmation before payment', async () => {
    const { page } = await customer(browser(), site);
    await page.goto('/booking/45');
    await shows(button(page, 'Pay £13.50')).toBeEnabled();
    let held = false;
    await page.route('**/api/events/45', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), price: '15.00' } });
    });
    await page.route('**/api/create-payment-intent', async (route) => {
      const asked = route.request().postDataJSON();
      const wrong = { message: 'The price has changed. Please check the new total.', code: 'PRICE_CHANGED' };
      if (asked.amount !== '30.00')
        return route.fulfill({ status: 409, json: { ...wrong, amount: '30.00' } });
      held = true;
      const answer = await route.fetch({ postData: { ...asked, amount: '27.00' } });
      await route.fulfill({ response: answer, json: { ...(await answer.json()), amount: '30.00' } });
    });
    await button(page, 'One ticket more').click();
    await shows(page.getByText('Your total was £27.00 and is now £30.00.')).toBeVisible();
    await shows.poll(() => held).toBe(true);
    await shows(button(page, 'Pay £30.00')).toBeDisabled();
    await button(page, 'Go on at £30.00').click();
    await shows(button(page, 'Pay £30.00')).toBeEnabled();
    await leave(page);
  });
});
