/** The event log as auditors use it. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { endure } from '#tests/kit/endure.ts';
import { change, enter } from './people.ts';
import { button, shows, toast } from './steps.ts';

let site: Awaited<ReturnType<typeof sharedSite>>;
beforeAll(async () => {
  site = await sharedSite();
});

inChromium('the audit log', (browser) => {
  test('is filtered, opened, unsealed, followed live and saved, until the session ends', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'auditor@reprise.test');
    await page.goto('/');
    await button(page, /account of/).click();
    await page.getByRole('link', { name: 'Audit' }).click();
    const lines = page.getByRole('list', { name: 'Events, the newest first' });
    await shows(lines.getByRole('listitem').first()).toBeVisible();

    await page.getByLabel('Type').selectOption('BookingCancelled');
    await page.getByLabel('Type').press('Tab');
    await page.getByLabel('Free text').press('Enter');
    await shows(page).toHaveURL(/type=BookingCancelled/);
    // A line of the list before goes as soon as this one has come.
    await shows(lines.getByRole('listitem').filter({ hasNotText: 'Booking cancelled' })).toHaveCount(0);
    const cancelled = button(lines, /Booking cancelled/).first();
    await cancelled.focus();
    await page.keyboard.press('Enter');
    const event = page.getByRole('dialog', { name: 'Booking cancelled' });
    await shows(event.getByText('confirmed', { exact: true })).toBeVisible();
    await button(event, 'Show what is sealed').click();
    await shows(event.getByText('reason', { exact: true })).toBeVisible();
    await button(event, 'All of this stream').click();
    await shows(event).toBeHidden();
    await shows(page).toHaveURL(/stream=booking-\d+/);
    await shows(button(lines, /Booking placed/)).toBeVisible();
    await button(lines, /Booking placed/).click();
    await button(page.getByRole('dialog', { name: 'Booking placed' }), /^All that names \d+$/).click();
    for (const part of [/Checkout opened/, /Tickets sold/, /Booking placed/, /Booking cancelled/])
      await shows(button(lines, part).first()).toBeVisible();

    await button(page, 'Clear').click();
    await button(page, 'Live').click();
    const { page: other } = await visit(browser(), site.origin);
    await enter(other, 'admin@reprise.test');
    await other.request.get('/api/audit/events?stream=booking-4711');
    await shows(button(lines, /Log read/).first()).toBeVisible();
    await leave(other);

    await page.goto('/audit?type=BookingCancelled');
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export NDJSON').click()]);
    const [first = ''] = (await readFile(await file.path(), 'utf8')).split('\n');
    expect(JSON.parse(first)).toMatchObject({ type: 'BookingCancelled' });

    await button(page, 'Live').click();
    await shows(page.getByText('Connecting', { exact: true })).toBeHidden();
    const leaving = page.waitForRequest('**/api/login');
    await change(page, 'POST', '/api/auth/logout', {});
    await leaving;
    await shows(page).toHaveURL(/\/auth$/);
    await leave(page);
  });

  endure('is fetched again when following ends, and when the same filter is applied again', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'auditor@reprise.test');
    await page.goto('/audit?type=BookingCancelled');
    await shows(page.getByRole('list', { name: 'Events, the newest first' })).toBeVisible();
    const asked = () => page.waitForRequest(/\/api\/audit\/events\?/);
    for (const words of ['Live', 'Live', 'Show']) await Promise.all([asked(), button(page, words).click()]);
    await leave(page);
  });

  endure(
    'leads to the sign-in if the session ended while it was followed and no connection opens',
    async () => {
      const { page } = await visit(browser(), site.origin);
      await enter(page, 'auditor@reprise.test');
      await page.goto('/audit');
      await shows(page.getByRole('list', { name: 'Events, the newest first' })).toBeVisible();
      await change(page, 'POST', '/api/auth/logout', {});
      await button(page, 'Live').click();
      await shows(toast(page, 'Authentication Required')).toBeVisible();
      await shows(page).toHaveURL(/\/auth$/);
      await leave(page);
    },
  );

  endure('is replayed again by Back and Forward, and its field shows the stream', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'superuser@reprise.test');
    await page.goto('/audit?tab=replay');
    const field = page.getByLabel('Stream', { exact: true });
    const story = page.getByLabel('With all that belongs to the booking');
    await field.fill('booking-1');
    await field.press('Enter');
    await shows(page).toHaveURL(/of=booking-1&story=true$/);
    await field.fill('inventory-1');
    await field.press('Enter');
    await shows(page.getByText(/^inventory-1, event \d+$/)).toBeVisible();
    await page.goBack();
    await shows(field).toHaveValue('booking-1');
    await shows(story).toBeChecked();
    await page.goBack();
    await shows(field).toHaveValue('');
    await page.goForward();
    await shows(field).toHaveValue('booking-1');
    await leave(page);
  });

  endure('reports that the reader’s rights ended while it was followed', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'auditor@reprise.test');
    const live = Promise.withResolvers<() => void>();
    await page.routeWebSocket(/audit\/live/, (socket) => live.resolve(() => socket.close({ code: 4401 })));
    await page.goto('/audit');
    await button(page, 'Live').click();
    const end = await live.promise;
    await shows(page.getByRole('list', { name: 'Events, the newest first' })).toBeVisible();
    await page.route('**/api/auth/user', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), role: 'customer' } });
    });
    const refused = { message: 'No', code: 'FORBIDDEN', requestId: 'r' };
    await page.route('**/api/audit/**', (route) => route.fulfill({ status: 403, json: refused }));
    end();
    await shows(toast(page, 'Access Denied')).toBeVisible();
    await leave(page);
  });

  endure('announces the number of results to screen readers', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'auditor@reprise.test');
    await page.goto('/audit?type=BookingPlaced');
    const status = page.getByRole('status');
    await shows(status.getByText(/^\d+ or more events$/)).toBeAttached();
    await page.getByLabel('Free text').fill('xyzzy');
    await button(page, 'Show').click();
    await shows(status.getByText('0 events')).toBeAttached();
    await leave(page);
  });

  endure('distinguishes an event that did not load from one that does not exist', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'auditor@reprise.test');
    const [{ id }] = await (await page.request.get('/api/audit/events?type=BookingPlaced&limit=1')).json();
    const call = `**/api/audit/events/${id}`;
    await page.route(call, (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto(`/audit?event=${id}`);
    const event = page.getByRole('dialog');
    await shows(event.getByRole('alert').getByText('The event didn’t load')).toBeVisible();
    await page.unroute(call);
    await button(event, 'Try again').click();
    await shows(event.getByRole('heading', { name: 'Booking placed' })).toBeVisible();
    await page.goto('/audit?event=00000000-0000-4000-8000-000000000000');
    await shows(event.getByText('There is no such event in the log')).toBeVisible();
    await leave(page);
  });

  endure.each(['Compare it now', 'Take the log along', 'Prove it'])(
    'leads to the sign-in if the session has ended before “%s”',
    async (words) => {
      const { page } = await visit(browser(), site.origin);
      await enter(page, 'auditor@reprise.test');
      // It is asked for again and again, and would lead there by itself.
      const state = await page.request.get('/api/audit/verification');
      await page.route('**/api/audit/verification', (route) =>
        route.request().method() === 'GET' ? route.fulfill({ response: state }) : route.continue(),
      );
      await page.goto('/audit?tab=proof');
      await page.getByLabel('Entry, booking').fill('1');
      await shows(button(page, words)).toBeEnabled();
      await page.context().clearCookies();
      const leaving = page.waitForRequest('**/api/login');
      await button(page, words).click({ noWaitAfter: true });
      await leaving;
      await leave(page);
    },
  );

  endure('does not scroll while its tail is paused, however many events arrive', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'auditor@reprise.test');
    const [like] = await (await page.request.get('/api/audit/events?limit=1')).json();
    let sent = 0;
    let tell = (_many: number): void => undefined;
    await page.routeWebSocket(/audit\/live/, (socket) => {
      tell = (many) => {
        const entries = Array.from({ length: many }, () => {
          sent += 1;
          return { ...like, id: `${sent}`, type: 'LogRead', stream: `reads-${sent}` };
        });
        socket.send(JSON.stringify({ entries, skipped: 0 }));
      };
      tell(0);
    });
    await page.goto('/audit');
    const first = page.getByRole('list', { name: 'Events, the newest first' }).getByRole('listitem').first();
    await shows(first).toBeVisible();
    await button(page, 'Live').click();
    await shows(page.getByText('Connecting')).toBeHidden();
    tell(490);
    await shows(first).toContainText('reads-490');
    await button(page, 'Pause').click();
    for (const many of [600, 40]) tell(many);
    await shows(button(page, 'Paused, 640 new')).toBeVisible();
    await shows(first).toContainText('reads-490');
    await button(page, 'Paused, 640 new').click();
    await shows(first).toContainText('reads-1130');
    await button(page, 'Pause').click();
    tell(1);
    await shows(button(page, 'Paused, 1 new')).toBeVisible();
    await page.getByLabel('Type').selectOption('BookingCancelled');
    await page.getByLabel('Free text').press('Enter');
    await shows(button(page, 'Pause')).toBeVisible();
    await leave(page);
  });
});
