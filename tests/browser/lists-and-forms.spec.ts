/** What every admin tab is made of: lists whose state stands in the address, and forms that lose nothing. */
import { readFile } from 'node:fs/promises';
import type { APIResponse, Locator, Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { HOME_ZONE } from '#domain/kernel/zone.ts';
import { inChromium, leave, sharedSite, visit } from '#tests/kit/browser.ts';
import { endure } from '#tests/kit/endure.ts';
import { checkEvent, formOf } from '#web/features/events/edit/event-form.ts';
import { change, DEMO_PASSWORD, enter } from './people.ts';
import { button, shows, toast } from './steps.ts';
import { showGallery } from './views.ts';

const REFUNDS = '**/api/admin/refunds?*';

let site: Awaited<ReturnType<typeof sharedSite>>;
beforeAll(async () => {
  site = await sharedSite();
});

inChromium('the admin’s lists and forms', (browser) => {
  /** One superuser's page for all of these. */
  let at: Page;
  /** Whether the panel hears of changes, also of other specs: what it shows is asked for anew then, what failed as well. */
  let hears = true;
  /** Resolves once the page that is opened next is live. */
  let live = Promise.withResolvers<void>();
  beforeAll(async () => {
    at = (await visit(browser(), site.origin)).page;
    await at.routeWebSocket(/admin\/live/, (socket) => {
      const { resolve } = live;
      socket.connectToServer().onMessage((news) => {
        resolve();
        if (hears) socket.send(news);
      });
    });
    await enter(at, 'superuser@reprise.test');
  });
  const open = async (path: string, act: (page: Page) => Promise<void>): Promise<void> => {
    await at.unrouteAll({ behavior: 'ignoreErrors' });
    live = Promise.withResolvers();
    await at.goto(path);
    await act(at);
  };
  const openUnheard = (path: string, act: (page: Page) => Promise<void>): Promise<void> => {
    hears = false;
    return open(path, act).finally(() => {
      hears = true;
    });
  };
  const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name });
  const showing = (page: Page, words: RegExp): Promise<void> => shows(page.getByText(words)).toBeVisible();

  /** As Chromium closes the uppermost dialog on an Escape that goes past it. */
  const closedByTheBrowser = (page: Page) =>
    page.evaluate(() => [...document.querySelectorAll('dialog')].at(-1)?.close());

  test('tab and page are in the address: reload, Back and a link restore them', () =>
    open('/admin?tab=events', async (page) => {
      await tab(page, 'Refunds').click();
      await showing(page, /^Showing 1 to 10 of \d+ refunds$/);
      await button(page, 'Next').click();
      await showing(page, /^Showing 11 to \d+ of \d+ refunds$/);
      await shows(page).toHaveURL('/admin?tab=refunds&page=2');
      await shows(button(page, 'Next')).toBeFocused();
      await page.reload();
      await showing(page, /^Showing 11 to/);
      await page.goBack();
      await showing(page, /^Showing 1 to 10/);
      await page.goBack();
      await showing(page, /^Showing 1 to \d+ of \d+ events$/);
      await shows(tab(page, 'Events')).toHaveAttribute('aria-selected', 'true');
      // A page that isn't there is the last one.
      await page.goto('/admin?tab=refunds&page=900');
      await showing(page, /^Showing 11 to/);
      await shows(page).toHaveURL('/admin?tab=refunds&page=2');
    }));

  endure('a filter’s switch changes at once, before the page has loaded', () =>
    open('/admin?tab=users', async (page) => {
      // Fails if the box shows its old state after the press.
      await page.getByRole('switch', { name: 'Show deleted users' }).check();
      await shows(page).toHaveURL('/admin?tab=users&includeDeleted=true');
      await page.goBack();
      await shows(page.getByLabel('Show deleted users')).not.toBeChecked();
    }),
  );

  endure('two filters chosen at the same moment both apply', () =>
    open('/admin?tab=users', async (page) => {
      const roles = page.getByLabel('Role', { exact: true });
      await shows(roles).toBeVisible();
      await page.getByLabel('Show deleted users').evaluate((box: HTMLInputElement) => {
        const select = [...document.querySelectorAll('select')].find(
          ({ value, options }) => value === '' && options[0]?.text === 'All roles',
        );
        box.click();
        if (select) select.value = 'staff';
        select?.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await shows(page).toHaveURL(/includeDeleted=true/);
      await shows(page).toHaveURL(/role=staff/);
    }),
  );

  test('a click features an event, another unfeatures it, and the audit log names the user', () =>
    open('/admin?tab=events&search=Poetry Slam', async (page) => {
      for (const [words, featured] of [
        ['Feature', true],
        ['Unfeature', false],
      ] as const) {
        const [sent] = await Promise.all([
          page.waitForRequest(/\/api\/admin\/events\/\d+\/featured$/),
          button(page, `${words} Poetry Slam Final`).click(),
        ]);
        expect(sent.postDataJSON()).toEqual({ featured });
        await shows(toast(page, featured ? 'Event featured' : 'Event no longer featured')).toBeVisible();
      }
      await shows(button(page, 'Feature Poetry Slam Final')).toBeFocused();
      await tab(page, 'Audit').click();
      const { id } = await (await page.context().request.get('/api/auth/user')).json();
      await shows(page.getByRole('row').nth(1)).toContainText(`#${id.slice(0, 8)}`);
    }));

  endure('a filter that leaves less than a page resets the page, and Back restores it', () =>
    open('/admin?tab=refunds&page=2', async (page) => {
      await showing(page, /^Showing 11 to/);
      await page.getByLabel('Status', { exact: true }).selectOption('Denied');
      await shows(page).toHaveURL('/admin?tab=refunds&status=denied');
      // So that the browser has none of the page's rows any more.
      await page.reload();
      await showing(page, /^Showing 1 to \d of \d refunds$/);
      await page.goBack();
      await showing(page, /^Showing 11 to/);
      await shows(page).toHaveURL('/admin?tab=refunds&page=2');
      await button(page, '1').click();
      await showing(page, /^Showing 1 to 10/);
    }),
  );

  /** Makes a call beside the page. */
  const elsewhere = async (page: Page, method: string, path: string, data?: object): Promise<APIResponse> => {
    const { request } = page.context();
    await request.get('/api/auth/csrf-token');
    const { cookies } = await page.context().storageState();
    const token = cookies.find(({ name }) => name.endsWith('X-CSRF-Token'))?.value ?? '';
    const headers = { 'x-csrf-token': token };
    const answer = await request.fetch(`/api/admin/${path}`, { method, headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer;
  };

  endure('the last tab is reachable on a low window without scrolling to the end of the page', () =>
    open('/admin?tab=events', async (page) => {
      const low = await page.context().newPage();
      await low.setViewportSize({ width: 1366, height: 620 });
      await low.goto('/admin?tab=events');
      await showing(low, /^Showing 1 to/);
      const last = tab(low, 'QR Scanner');
      await last.evaluate((one) => one.scrollIntoView({ block: 'nearest' }));
      await shows(last).toBeInViewport({ ratio: 1 });
      // As far as the column of tabs stands below the header at first.
      expect(await low.evaluate(() => scrollY)).toBeLessThan(100);
      await low.close();
    }),
  );

  test('another user’s change shows by itself', () =>
    open('/admin?tab=categories', async (page) => {
      await shows(page.getByRole('rowheader', { name: 'Concerts', exact: true })).toBeVisible();
      const folk = { name: 'Folk by the sea', emoji: '🪕', description: '' };
      const { id } = await (await elsewhere(page, 'POST', 'categories', folk)).json();
      await shows(page.getByRole('rowheader', { name: folk.name, exact: true })).toBeVisible();
      await elsewhere(page, 'DELETE', `categories/${id}`);
      await shows(page.getByRole('rowheader', { name: folk.name, exact: true })).toBeHidden();
    }));

  endure('a form that conflicts with another user’s change shows it and asks whose version to keep', () =>
    open('/admin?tab=cities', async (page) => {
      const city = { name: 'Aaborough', state: 'Kent', country: 'England' };
      const { id } = await (await elsewhere(page, 'POST', 'cities', city)).json();
      await button(page, 'Edit Aaborough').click();
      const form = page.getByRole('dialog', { name: 'Edit Aaborough' });
      // A complaint is gone once its field is typed in.
      await form.getByLabel('Country').fill('');
      await button(form, 'Save').click();
      await shows(form.getByText('Country is required')).toBeVisible();
      await form.getByLabel('Country').fill('Wales');
      await shows(form.getByText('Country is required')).toBeHidden();
      await elsewhere(page, 'PUT', `cities/${id}`, { ...city, state: 'Essex' });
      await button(form, 'Save').click();
      const question = page.getByRole('dialog', { name: 'Changed while you were editing' });
      await shows(question.getByRole('listitem')).toHaveText('StateEssex');
      await shows(question).toContainText(/^.*Sunita Rao changed this \(.+\) after you had opened it\./);
      await page.keyboard.press('Escape');
      await shows(form.getByLabel('Country')).toHaveValue('Wales');

      await button(form, 'Save').click();
      await button(question, 'Load their version').click();
      await shows(form.getByLabel('State / province')).toHaveValue('Essex');
      await shows(form.getByLabel('Country')).toHaveValue('England');
      await form.getByLabel('Country').fill('Wales');
      await elsewhere(page, 'PUT', `cities/${id}`, { ...city, state: 'Sussex' });
      await button(form, 'Save').click();
      await button(question, 'Keep mine').click();
      await shows(toast(page, 'City updated')).toBeVisible();
      const row = page.getByRole('row').filter({ hasText: 'Aaborough' });
      await shows(row).toContainText('Essex');
      await shows(row).toContainText('Wales');
      await elsewhere(page, 'DELETE', `cities/${id}`);
    }),
  );

  endure('a form for a thing deleted by another user says so, and its list removes it', () =>
    openUnheard('/admin?tab=cities', async (page) => {
      const city = { name: 'Aabridge', state: 'Kent', country: 'England' };
      const { id } = await (await elsewhere(page, 'POST', 'cities', city)).json();
      await page.reload();
      await button(page, 'Edit Aabridge').click();
      const form = page.getByRole('dialog', { name: 'Edit Aabridge' });
      await form.getByLabel('Country').fill('Wales');
      await elsewhere(page, 'DELETE', `cities/${id}`);
      await button(form, 'Save').click();
      await showing(page, /^It is no longer there/);
      await shows(page.getByRole('cell', { name: 'Aabridge' })).toBeHidden();
      await shows(form.getByLabel('Country')).toHaveValue('Wales');
      await button(form, 'Cancel').click();
      await button(page, 'Discard').click();
    }),
  );

  endure('another user’s description is loaded into the form’s editor on a conflict', () =>
    open('/admin?tab=events&search=supper', async (page) => {
      const [event] = await (await elsewhere(page, 'GET', 'events?limit=1&search=supper')).json();
      const checked = checkEvent(formOf(event), HOME_ZONE, Date.now(), event);
      const described = (description: string) =>
        elsewhere(page, 'PUT', `events/${event.id}`, { ...(checked.ok && checked.value), description });
      await button(page, `Edit ${event.title}`).click();
      const form = page.getByRole('dialog', { name: `Edit ${event.title}` });
      const editor = form.getByLabel('Description');
      const question = page.getByRole('dialog', { name: 'Changed while you were editing' });
      await editor.fill('Come late.');
      await described('<p>Come early.</p>');
      await button(form, 'Save').click();
      await button(question, 'Load their version').click();
      await shows(editor).toHaveText('Come early.');

      await editor.fill('Come late.');
      await described('<p>Come on time.</p>');
      await button(form, 'Save').click();
      await shows(question).toBeVisible();
      const [sent] = await Promise.all([
        page.waitForRequest(`**/api/admin/events/${event.id}`),
        button(question, 'Keep mine').click(),
      ]);
      expect(sent.postDataJSON().description).toContain('Come late.');
      await shows(toast(page, 'Event updated')).toBeVisible();
      await described(event.description);
    }),
  );

  endure('a name without spaces breaks, and widens neither its dialog nor its list', () =>
    open('/admin?tab=newsletter', async (page) => {
      const email = `${'without_spaces_'.repeat(4)}@elsewhere.test`;
      await change(page, 'POST', '/api/newsletter/subscribe', { email });
      await button(page, `Delete ${email}`).click();
      const dialog = page.getByRole('dialog', { name: `Delete ${email}?` });
      await shows(dialog).toBeVisible();
      const tooWide = (element: Element) => element.scrollWidth - element.clientWidth;
      expect(await dialog.evaluate(tooWide)).toBe(0);
      await button(dialog, 'Keep it').click();
      const list = page.getByRole('region', { name: 'Newsletter subscribers' });
      expect(await list.evaluate(tooWide)).toBe(0);
    }),
  );

  endure('an exported unsubscribe link removes its address once its button is pressed', () =>
    open('/admin?tab=newsletter', async (page) => {
      const email = 'letters@elsewhere.test';
      await change(page, 'POST', '/api/newsletter/subscribe', { email });
      await shows(button(page, `Delete ${email}`)).toBeVisible();
      const file = await page.request.get(`/api/admin/newsletter/export-csv?search=${email}`);
      const link = (await file.text()).trim().split(',').at(-1) ?? '';

      const { page: reader } = await visit(browser(), site.origin);
      const address = reader.getByRole('main').getByLabel('Email');
      const left = reader.getByRole('heading', { name: 'You’re unsubscribed' });
      await reader.goto(link);
      await shows(button(reader, 'Unsubscribe')).toBeVisible();
      await shows(address).toBeHidden();
      await page.reload();
      await shows(button(page, `Delete ${email}`)).toBeVisible();
      await button(reader, 'Unsubscribe').click();
      await shows(left).toBeVisible();
      await page.reload();
      await shows(page.getByText(email)).toBeVisible();
      await shows(button(page, `Delete ${email}`)).toBeHidden();

      // One that a mail program has cut off asks for the address.
      await reader.goto(link.slice(0, -1));
      await button(reader, 'Unsubscribe').click();
      await shows(toast(reader, 'Unsubscribe Failed')).toBeVisible();
      await address.fill(email);
      await button(reader, 'Unsubscribe').click();
      await shows(left).toBeVisible();
      await leave(reader);
    }),
  );

  endure('a toast on a phone leaves a tall dialog’s title in sight', () =>
    open('/admin?tab=events', async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await button(page, 'Export').click();
      // The pointer rests on it, so that it is still there when the dialog opens, however long that takes.
      await toast(page, 'Export Successful').hover();
      await button(page, 'Create Event').focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Create Event' });
      // The toast is in the dialog for as long as it is read.
      await dialog.locator('.toast').hover();
      const between = () =>
        dialog.evaluate((all) => {
          const [toast, title] = ['.toast', 'h2'].map((one) =>
            all.querySelector(one)?.getBoundingClientRect(),
          );
          return (title?.top ?? 0) - (toast?.bottom ?? 0);
        });
      await shows.poll(between).toBeGreaterThan(0);
      await button(dialog, 'Dismiss notification').click();
      await shows
        .poll(() => dialog.getByRole('heading').evaluate((title) => title.getBoundingClientRect().top))
        .toBeLessThan(80);
      await page.setViewportSize({ width: 1440, height: 900 });
    }),
  );

  test('a list is sorted, searched and filtered by its server, and the address shows how', () =>
    open('/admin?tab=events', async (page) => {
      const prices = async () =>
        (await page.getByRole('cell', { name: /^£/ }).allTextContents()).map((text) => Number(text.slice(1)));
      await showing(page, /^Showing 1 to 25 of/);
      const arrows = page.getByRole('columnheader').locator('svg');
      const widths = await arrows.evaluateAll((all) => all.map((icon) => icon.getBoundingClientRect().width));
      expect(new Set(widths)).toEqual(new Set([14]));
      await button(page, 'Price').click();
      await shows(page.getByRole('columnheader', { name: 'Price' })).toHaveAttribute(
        'aria-sort',
        'ascending',
      );
      await shows(async () => {
        const shown = await prices();
        expect(shown).toEqual([...shown].sort((a, b) => a - b));
      }).toPass();
      await button(page, 'Next').click();
      // The cursor goes to the list's search, not to the site's.
      await page.getByRole('heading', { name: 'Events', exact: true }).click();
      await page.keyboard.press('/');
      await page.keyboard.type('supper');
      await shows(page).toHaveURL('/admin?tab=events&sort=price&search=supper');
      await showing(page, /^Showing 1 to \d of \d events$/);
      await page.getByLabel('Category', { exact: true }).selectOption('Nightlife');
      await shows(page.getByText('No events match')).toBeVisible();
      await shows(page).toHaveURL('/admin?tab=events&sort=price&search=supper&category=nightlife');
      await page.reload();
      await shows(page.getByText('No events match')).toBeVisible();
      await button(page.getByRole('main'), 'Clear filters').last().click();
      await showing(page, /^Showing 1 to 25 of/);
      await shows(page.getByRole('main').getByRole('searchbox')).toHaveValue('');
    }));

  endure('an export has the list’s filters, and reports a failure', () =>
    open('/admin?tab=events&search=supper', async (page) => {
      await showing(page, /^Showing 1 to \d of \d events$/);
      const rows = await page.getByRole('row').count();
      const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Export').click()]);
      expect(file.suggestedFilename()).toMatch(/^events-[\d-]+\.csv$/);
      const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
      expect(lines).toHaveLength(rows);
      await shows(toast(page, 'Export Successful')).toBeVisible();
      await page.route('**/export-csv?*', (route) => route.fulfill({ status: 500, json: {} }));
      await button(page, 'Export').click();
      await shows(toast(page, 'Failed to export events data')).toBeVisible();
    }),
  );

  endure('an event’s form loads its image from the host that the page was opened under', () =>
    open('/admin?tab=events&search=supper', async (page) => {
      await showGallery(page);
      await button(page, /^Edit /)
        .first()
        .click();
      const form = page.getByRole('dialog', { name: /^Edit / });
      await shows(form.locator('img').first()).toHaveAttribute('src', /^\/images\//);
      await button(form, 'Choose from gallery').click();
      const gallery = page.getByRole('dialog', { name: 'Choose from the gallery' });
      await shows(gallery.locator('img').first()).toHaveAttribute('src', /^\/images\//);
    }),
  );

  endure('a table pasted into a description becomes lines', () =>
    open('/admin?tab=events', async (page) => {
      await button(page, 'Create Event').click();
      const editor = page.getByRole('dialog').getByLabel('Description');
      await editor.evaluate((box) => {
        box.focus();
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/html', '<table><tr><td>19:00</td><td>Doors</td></tr></table>');
        box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      });
      await shows(editor).toHaveText('19:00 · Doors');
    }),
  );

  endure.each([
    ['events', { actions: 1 }],
    ['users', { actions: 1, Born: 1 }],
    ['bookings', { actions: 1, User: 2, Date: 1 }],
    ['refunds', { actions: 1 }],
  ] as const)('the rows of %s fit a desktop with complete buttons and key values', (name, most) =>
    open(`/admin?tab=${name}`, async (page) => {
      await showing(page, /^Showing 1 to/);
      const broken = await page.locator('main tbody tr').evaluateAll((rows, most) => {
        /** How many lines a cell has: boxes no higher than a button stand in one where their middles are nearly at one height. */
        const linesOf = (cell: Element): number => {
          const all = new Range();
          all.selectNodeContents(cell);
          const boxes = [...all.getClientRects()].filter(({ height }) => height < 38);
          const middles = boxes.map(({ top, height }) => top + height / 2);
          return middles.sort((a, b) => a - b).filter((at, i) => at - (middles[i - 1] ?? 0) > 8).length;
        };
        return rows.flatMap((row) =>
          Object.entries(most)
            .filter(([which, lines]) => {
              const cell = row.querySelector(`[data-label=${which}] > div, [data-card=${which}] > div`);
              return !cell || linesOf(cell) > lines;
            })
            .map(([which]) => `${which} of ${row.textContent}`),
        );
      }, most);
      expect(broken).toEqual([]);
      const frame = page.locator('.table-frame').last();
      expect(await frame.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    }),
  );

  endure('a booking links to its refund, and the refund back to it', () =>
    open('/admin?tab=bookings&status=cancelled', async (page) => {
      const link = page.getByRole('link', { name: /^Refund of booking / }).first();
      const reference = (await link.getAttribute('aria-label'))?.slice('Refund of booking '.length) ?? '';
      await link.focus();
      await page.keyboard.press('Enter');
      await shows(page).toHaveURL(`/admin?tab=refunds&search=${reference}`);
      // The link has gone with its panel.
      await shows(tab(page, 'Refunds')).toBeFocused();
      await showing(page, /^Showing 1 to 1 of 1 refunds$/);
      await page.getByRole('link', { name: `Booking ${reference}` }).click();
      await shows(page).toHaveURL(`/admin?tab=bookings&search=${reference}`);
      await shows(page.getByRole('rowheader', { name: reference })).toBeVisible();
      // Of a booking that stands there is nothing to refund.
      await page.goto('/admin?tab=bookings&status=confirmed');
      await shows(button(page, /^Edit booking/).first()).toBeVisible();
      await shows(page.getByRole('link', { name: /^Refund of booking / })).toHaveCount(0);
    }),
  );

  endure('a paid refund is shown as final', () =>
    open('/admin?tab=refunds&status=completed', async (page) => {
      await shows(page.getByRole('cell', { name: 'Paid back; final' }).first()).toBeVisible();
      await shows(page.getByRole('link', { name: /^Booking / }).first()).toBeVisible();
      for (const what of ['Approve', 'Deny', 'Reset'])
        await shows(button(page, new RegExp(`^${what} refund`)).first()).toBeDisabled();
      await page.goto('/admin?tab=refunds&status=denied');
      await shows(button(page, /^Approve refund/).first()).toBeEnabled();
    }),
  );

  endure('a refund of a reinstated booking is shown as final', () =>
    open('/admin?tab=refunds&status=processing', async (page) => {
      const label = await button(page, /^Approve refund/)
        .last()
        .getAttribute('aria-label');
      const id = label?.split(' ').at(-1);
      await elsewhere(page, 'PATCH', `bookings/${id}`, { status: 'confirmed' });
      await page.goto('/admin?tab=refunds&status=denied');
      await shows(page.getByText('Withdrawn, since the booking was reinstated; final').first()).toBeVisible();
      for (const what of ['Approve', 'Deny', 'Reset'])
        await shows(button(page, `${what} refund ${id}`)).toBeDisabled();
      // On a phone the note leaves room for whose refund it is.
      const phone = await page.context().newPage();
      await phone.setViewportSize({ width: 390, height: 844 });
      await phone.goto('/admin?tab=refunds&status=denied');
      const card = phone.getByRole('row').filter({ hasText: /reinstated; final/ });
      const head = card.locator('[data-card="head"]').first();
      await shows(head).toBeVisible();
      const share = (cell: Element) => cell.clientWidth / (cell.parentElement?.clientWidth ?? 0);
      expect(await head.evaluate(share)).toBeGreaterThan(0.4);
      await phone.close();
    }),
  );

  endure('a refund decided by another user meanwhile is shown as it is now, and the typed text stays', () =>
    open('/admin?tab=refunds&status=processing', async (page) => {
      // The oldest: a new one of another spec is soon paid, and can no longer be denied.
      const label = await button(page, /^Approve refund/)
        .last()
        .getAttribute('aria-label');
      const id = Number(/\d+/.exec(label ?? '')?.[0]);
      const decided = (approved: boolean | null) =>
        elsewhere(page, 'POST', `refunds/${id}/process`, { approved, notes: 'No.' });
      await button(page, `Approve refund ${id}`).click();
      const form = page.getByRole('dialog', { name: 'Approve this refund?' });
      await form.getByLabel('Notes').fill('By the book.');
      await decided(false);
      await button(form, /^Refund £/).click();
      await shows(toast(page, 'Failed to process refund')).toBeVisible();
      await shows(form).toBeHidden();
      await shows(button(page, `Approve refund ${id}`)).toBeHidden();
      await page.goto('/admin?tab=refunds&status=denied');
      await button(page, `Approve refund ${id}`).click();
      await shows(form.getByLabel('Notes')).toHaveValue('By the book.');
      await button(form, 'Cancel').click();
      await button(page, 'Discard').click();
      await decided(null);
    }),
  );

  endure('a screen reader announces the effect of a chosen status', () =>
    open('/admin?tab=bookings&status=confirmed', async (page) => {
      await button(page, /^Edit booking/)
        .first()
        .click();
      const dialog = page.getByRole('dialog', { name: /^Edit booking/ });
      const heard = dialog
        .locator('[aria-live=polite]')
        .filter({ hasText: 'Choose the other status to change it.' });
      const hint = await heard.elementHandle();
      await dialog.getByLabel('Status').selectOption('cancelled');
      expect(await hint?.textContent()).toMatch(/^Puts \d+ tickets? back on sale/);
      await button(dialog, 'Cancel').click();
      await button(page, 'Discard').click();
    }),
  );

  endure('a screen reader announces the number of search results, including none', () =>
    open('/admin?tab=bookings', async (page) => {
      const status = page.getByRole('tabpanel').getByRole('status');
      await shows(status).toHaveText(/^Showing 1 to 25 of/);
      const heard = await status.elementHandle();
      await page.getByLabel('Search by reference').fill('nobody of that name');
      await shows(status).toHaveText('0 bookings');
      // What comes with its words is not heard: only what was there before them.
      expect(await heard?.evaluate((element) => element.isConnected)).toBe(true);
    }),
  );

  test('a list that fails offers a retry, and an empty list explains what is missing', () =>
    openUnheard('/admin?tab=events', async (page) => {
      await page.route(REFUNDS, (route) => route.fulfill({ status: 500, json: {} }));
      await tab(page, 'Refunds').click();
      await shows(page.getByRole('alert').getByText('Failed to fetch refunds')).toBeVisible();
      await page.unroute(REFUNDS);
      await page.route(REFUNDS, (route) => route.fulfill({ json: [] }));
      await button(page, 'Try again').click();
      await shows(page.getByText('No refund requests found')).toBeVisible();
      await page.unroute(REFUNDS);
      await button(page, 'Refresh').click();
      await showing(page, /^Showing 1 to 10/);
    }));

  endure.each([
    {
      name: 'dashboard',
      panels: {
        'The figures': 'stats',
        'What keeps failing': 'failures',
        'What the site still needs': 'setup',
        'The recent activity': 'audit-logs?*',
      },
    },
    { name: 'bookings', panels: { 'What is paid and not booked yet': 'bookings/pending' } },
    { name: 'refunds', panels: { 'The figures': 'refunds/stats', 'The disputed payments': 'disputes?*' } },
    { name: 'newsletter', panels: { 'The figures': 'newsletter/stats' } },
  ])('every panel of the $name tab reports that it did not load', ({ name, panels }) =>
    open(`/admin?tab=${name}`, async (page) => {
      const failing = Object.entries(panels).map(([what, path]) => [what, `**/api/admin/${path}`] as const);
      for (const [, path] of failing)
        await page.route(path, (route) => route.fulfill({ status: 500, json: {} }));
      await page.reload();
      for (const [what, path] of failing) {
        const alert = page.getByRole('alert').filter({ hasText: `${what} didn’t load` });
        await shows(alert).toBeVisible();
        const again = page.waitForRequest(path);
        await button(alert, 'Try again').click();
        await again;
      }
    }),
  );

  endure.each([
    {
      what: 'figures',
      path: '**/api/admin/refunds/stats',
      says: 'The figures didn’t load',
      answer: 'Total Refunds',
    },
    { what: 'list', path: REFUNDS, says: 'Failed to fetch refunds', answer: 'Approve refund' },
  ])(
    'the failure of a $what is shown with its button until the answer comes, whatever updates arrive',
    (one) =>
      open('/admin?tab=refunds', async (page) => {
        await page.route(one.path, (route) => route.fulfill({ status: 500, json: {} }));
        await page.reload();
        const alert = page.getByRole('alert').filter({ hasText: one.says });
        const again = button(alert, /^Try/);
        await again.focus();
        const said = await alert.elementHandle();
        await page.unroute(one.path);
        const answered = Promise.withResolvers<void>();
        await page.route(one.path, (route) => answered.promise.then(() => route.continue()));
        const asked = page.waitForRequest(one.path);
        const { id } = await (
          await elsewhere(page, 'POST', 'categories', { name: 'Madrigals', emoji: '🎼', description: '' })
        ).json();
        await asked;
        await shows(again).toBeFocused();
        await page.keyboard.press('Enter');
        await shows(again).toHaveText('Trying again...');
        expect(await said?.evaluate((element) => element.isConnected)).toBe(true);
        answered.resolve();
        await shows(alert).toBeHidden();
        await shows(page.getByText(one.answer).or(page.getByLabel(one.answer)).first()).toBeVisible();
        await shows(page.locator('body')).not.toBeFocused();
        await elsewhere(page, 'DELETE', `categories/${id}`);
      }),
  );

  endure('a session that has ended leads to the sign-in, and back to the tab with the typed text', () =>
    open('/admin?tab=cities', async (page) => {
      const form = page.getByRole('dialog', { name: 'Add City' });
      const name = form.getByLabel('City name');
      await button(page, 'Add City').click();
      await name.fill('Whitby');
      await form.getByLabel('State / province').fill('North Yorkshire');
      await form.getByLabel('Country').fill('England');
      // The words go with the page, half a second later: the next one waits until they were read.
      const read = Promise.withResolvers<void>();
      await page.route('**/api/login', (route) => read.promise.then(() => route.continue()));
      await page.context().clearCookies();
      // It would wait for the page that is held until then.
      await button(form, 'Add City').click({ noWaitAfter: true });
      await shows(toast(page, 'You are logged out. Logging in again...')).toBeVisible();
      read.resolve();
      await shows(page).toHaveURL(/\/auth$/);
      await page.getByLabel('Email').fill('superuser@reprise.test');
      await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
      await button(page, 'Sign In').click();
      await shows(page).toHaveURL('/admin?tab=cities');
      await button(page, 'Add City').click();
      await shows(name).toHaveValue('Whitby');
      await shows(form.getByText('This is what you had typed before.')).toBeVisible();
      await button(form, 'Cancel').click();
      await button(page, 'Discard').click();
      await button(page, 'Add City').click();
      await shows(name).toHaveValue('');
      await name.fill('Whitby');
      await name.fill('');
      await page.reload();
      await button(page, 'Add City').click();
      await shows(name).toHaveValue('');
      await shows(form.getByText('This is what you had typed before.')).toBeHidden();
    }),
  );

  test('a change whose answer was lost is not saved twice', () =>
    open('/admin?tab=venues', async (page) => {
      await tab(page, 'Cities').click();
      const form = page.getByRole('dialog', { name: 'Add City' });
      const name = form.getByLabel('City name');
      const saves = async (city: string): Promise<void> => {
        await button(page, 'Add City').click();
        await name.fill(city);
        await form.getByLabel('State / province').fill('Cornwall');
        await form.getByLabel('Country').fill('England');
        await button(form, 'Add City').click();
      };
      /** Has the server save a city, and holds its answer back. Resolves to the change's key. */
      const held = async (answer?: Promise<void>): Promise<string> =>
        new Promise((resolve) =>
          page.route('**/api/admin/cities', async (route) => {
            if (route.request().method() !== 'POST') return route.fallback();
            const response = await route.fetch();
            resolve(route.request().headers()['idempotency-key'] ?? '');
            await answer;
            if (answer) await route.fulfill({ response });
          }),
        );
      const answer = Promise.withResolvers<void>();
      const late = held(answer.promise);
      await saves('Looe');
      await late;
      await page.goBack();
      await shows(form).toBeHidden();
      answer.resolve();
      await shows(toast(page, 'City created')).toBeVisible();
      await page.unroute('**/api/admin/cities');
      await tab(page, 'Cities').click();
      await button(page, 'Add City').click();
      await shows(name).toHaveValue('');
      await button(form, 'Cancel').click();

      const lost = held();
      await saves('Fowey');
      const key = await lost;
      await page.reload();
      await page.unroute('**/api/admin/cities');
      await button(page, 'Add City').click();
      await shows(name).toHaveValue('Fowey');
      const again = page.waitForRequest((sent) => sent.method() === 'POST' && /cities$/.test(sent.url()));
      await button(form, 'Add City').click();
      expect((await again).headers()['idempotency-key']).toBe(key);
      await shows(toast(page, 'City created')).toBeVisible();
      await shows(page.getByRole('row').filter({ hasText: 'Fowey' })).toHaveCount(1);
      // Others look at the list too.
      const cities: readonly { id: number; name: string }[] = await (
        await elsewhere(page, 'GET', 'cities')
      ).json();
      const added = cities.filter(({ name }) => name === 'Looe' || name === 'Fowey');
      expect(added).toHaveLength(2);
      for (const { id } of added) await elsewhere(page, 'DELETE', `cities/${id}`);
    }));

  endure('an event’s form reports that cities did not load, and offers a category added meanwhile', () =>
    openUnheard('/admin?tab=events', async (page) => {
      await page.route('**/api/admin/cities', (route) => route.fulfill({ status: 500, json: {} }));
      await button(page, 'Create Event').click();
      const form = page.getByRole('dialog', { name: 'Create Event' });
      await shows(form.getByRole('alert').getByText('The cities didn’t load')).toBeVisible();
      await page.unroute('**/api/admin/cities');
      await button(form, 'Try again').click();
      await shows(form.getByLabel('City', { exact: true }).getByRole('option')).not.toHaveCount(2);
      hears = true;
      const skiffle = { name: 'Skiffle', emoji: '🪕', description: '' };
      const { id } = await (await elsewhere(page, 'POST', 'categories', skiffle)).json();
      await shows(form.getByLabel('Category').getByRole('option', { name: 'Skiffle' })).toBeAttached();
      await elsewhere(page, 'DELETE', `categories/${id}`);
    }),
  );

  endure('a failed and repeated load keeps the focus in its panel, also in the last one on the page', () =>
    open('/admin?tab=venues', async (page) => {
      const failure = (id: string) => ({
        ...{ kind: 'mail', id, what: `mail-${id}`, about: 'A mail', reason: 'No answer', tries: 3 },
        ...{ since: '2026-11-20T10:00:00.000Z', canRetry: true },
      });
      let failures = ['1', '2'].map(failure);
      await page.route('**/api/admin/failures', (route) => route.fulfill({ json: failures }));
      await page.route('**/api/admin/failures/**', async (route) => {
        failures = failures.slice(1);
        await route.fulfill({ json: { message: 'Tried again' } });
      });
      await tab(page, 'Dashboard').click();
      await button(page, 'Try mail-1 again').click();
      await shows(button(page, 'Try mail-1 again')).toBeHidden();
      await shows(page.locator(':focus')).toContainText('What keeps failing');
      await button(page, 'Try mail-2 again').click();
      await shows(button(page, 'Try mail-2 again')).toBeHidden();
      await shows(page.locator('#main')).toBeFocused();
    }),
  );

  endure('a user whose rights end while the panel is open is told so', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'superuser@reprise.test');
    const live = Promise.withResolvers<() => void>();
    await page.routeWebSocket(/admin\/live/, (socket) => live.resolve(() => socket.close({ code: 4401 })));
    await page.goto('/admin?tab=venues');
    const end = await live.promise;
    await showing(page, /^Showing 1 to \d+ of \d+ venues$/);
    await page.route('**/api/auth/user', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), role: 'customer' } });
    });
    const refused = { message: 'No', code: 'FORBIDDEN', requestId: 'r' };
    await page.route('**/api/admin/**', (route) => route.fulfill({ status: 403, json: refused }));
    end();
    await shows(toast(page, 'Access Denied')).toBeVisible();
    await shows(page).toHaveURL('/');
    await leave(page);
  });

  endure('an abandoned image upload leaves the other fields of its form', () =>
    open('/admin?tab=events', async (page) => {
      await button(page, 'Create Event').click();
      const form = page.getByRole('dialog', { name: 'Create Event' });
      await form.getByLabel('Title').fill('Late Set');
      await button(form, 'Upload image').click();
      const upload = page.getByRole('dialog', { name: 'Upload an image' });
      await button(upload, 'Cancel').click();
      await shows(upload).toBeHidden();
      await page.reload();
      await button(page, 'Create Event').click();
      await shows(form.getByLabel('Title')).toHaveValue('Late Set');
      await button(form, 'Cancel').click();
      await button(page, 'Discard').click();
    }),
  );

  endure.each(['dashboard', 'analytics', 'content'])(
    'a session that ends elsewhere leads to the sign-in from the %s tab, which has no list',
    (name) =>
      open(`/admin?tab=${name}`, async (page) => {
        await live.promise;
        const leaving = page.waitForRequest('**/api/login');
        await change(page, 'POST', '/api/auth/logout', {});
        await leaving;
        await shows(page).toHaveURL(/\/auth$/);
        await enter(page, 'superuser@reprise.test');
      }),
  );

  test('closing a form with typed text asks first, and a form that is being saved stays', () =>
    open('/admin?tab=refunds&status=denied', async (page) => {
      await button(page, /^Deny refund/)
        .first()
        .click();
      const form = page.getByRole('dialog', { name: 'Deny this refund?' });
      const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
      const reason = form.getByLabel('Why is it denied?');
      await shows(reason).toBeFocused();
      await page.keyboard.type('Too late');
      await page.keyboard.press('Escape');
      await shows(button(question, 'Keep editing')).toBeFocused();
      // The second Escape in a row closes dialogs in Chromium whatever their page says to it.
      await page.keyboard.press('Escape');
      await shows(question).toBeHidden();
      await shows(reason).toHaveValue('Too late');

      let answer = (): void => undefined;
      const asked = new Promise<string>((resolve) =>
        page.route('**/process', async (route) => {
          resolve(route.request().headers()['idempotency-key'] ?? '');
          await new Promise<void>((released) => {
            answer = released;
          });
          await route.abort();
        }),
      );
      await shows(button(form, 'Deny this refund')).toBeEnabled();
      // A browser that is busy handles the next key before any timer.
      await button(form, 'Deny this refund').evaluate(async (deny: HTMLElement) => {
        deny.click();
        for (let turn = 0; turn < 100; turn++) await null;
        deny.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
      });
      const key = await asked;
      await shows(button(form, 'Close')).toBeDisabled();
      await page.keyboard.press('Escape');
      await shows(form).toBeVisible();
      await closedByTheBrowser(page);
      await shows(form).toBeVisible();
      await shows(question).toBeHidden();
      answer();
      await shows(toast(page, 'Failed to process refund')).toBeVisible();

      // Nobody knows whether the first one arrived: the same again is the same change.
      await page.unroute('**/process');
      const again = page.waitForRequest('**/process');
      await page.route('**/process', (route) =>
        route.fulfill({ status: 429, json: { message: 'Not so fast.', code: 'TOO_MANY' } }),
      );
      await button(form, 'Deny this refund').click();
      expect((await again).headers()['idempotency-key']).toBe(key);
      await shows(toast(page, 'Not so fast.')).toBeVisible();

      await closedByTheBrowser(page);
      await shows(reason).toHaveValue('Too late');
      await button(question, 'Discard').click();
      await shows(form).toBeHidden();
    }));

  endure('the content tab links to the pages that show its texts', () =>
    open('/admin?tab=content', async (page) => {
      const cards = page.locator('.content-cards');
      await shows(cards.getByRole('heading')).toHaveText([
        'Hero Section',
        'Featured Content',
        'Site Configuration',
        'Quick Image Upload',
      ]);
      await cards.getByRole('link', { name: 'Upload an image' }).click();
      await shows(page).toHaveURL('/admin?tab=images');
    }),
  );

  endure('the gallery is a grid of images, and marks those that the site shows', () =>
    open('/admin?tab=images', async (page) => {
      await showGallery(page);
      const pictures = page.getByRole('list', { name: 'Images' }).getByRole('listitem');
      await showing(page, /^Showing 1 to 3 of 3 images$/);
      await shows(pictures).toHaveCount(3);
      const wordmark = pictures.filter({ hasText: 'wordmark.png' });
      await shows(wordmark.getByText('Now the logo')).toBeVisible();
      await shows(wordmark.getByText('Now the hero')).toBeVisible();
      await shows(page.getByText(/^Now the/)).toHaveCount(2);
      await shows(wordmark.getByRole('definition')).toHaveText([
        'Logo',
        '1600 × 320',
        '175.8 KB',
        'Sun 1 Mar, 12 pm',
      ]);
      const lefts = () =>
        pictures.evaluateAll(
          (all) => [...new Set(all.map((one) => one.getBoundingClientRect().left))].length,
        );
      expect(await lefts()).toBe(3);
      await page.setViewportSize({ width: 390, height: 844 });
      await shows.poll(lefts).toBe(2);
      // Each button in turn by Tab, none of them smaller than a finger.
      const labels = ['Set as logo: wordmark.png', 'Set as hero: wordmark.png', 'Delete wordmark.png'];
      await button(page, 'Delete pier-at-dusk.jpg').focus();
      for (const label of labels) {
        await page.keyboard.press('Tab');
        await shows(button(page, label)).toBeFocused();
        const { height = 0, width = 0 } = (await button(page, label).boundingBox()) ?? {};
        expect(Math.min(height, width), label).toBeGreaterThanOrEqual(44);
      }
      await page.keyboard.press('Enter');
      const question = page.getByRole('dialog', { name: 'Delete wordmark.png?' });
      await shows(question).toBeVisible();
      await page.keyboard.press('Escape');
      await shows(button(page, 'Delete wordmark.png')).toBeFocused();
      await page.setViewportSize({ width: 1440, height: 900 });
      // There are no headers to press.
      const asked = page.waitForRequest('**/api/admin/images?*sort=-size*');
      await page.getByLabel('Order', { exact: true }).selectOption('Size ↓');
      await asked;
    }),
  );

  endure('the dashboard compares this month with the month before, if there is one', () =>
    openUnheard('/admin', async (page) => {
      /** What is told of this month beside what the server tells; nothing: by an older one. */
      let changes: object | undefined = {
        ...{ by: '2026-10-24', whole: false },
        joined: { now: 12, before: 15 },
        booked: { now: 31, before: 31 },
        taken: { now: '2340.00', before: '1100.00' },
      };
      await page.route('**/api/admin/stats', async (route) => {
        const { month, ...older } = await (await route.fetch()).json();
        await route.fulfill({ json: changes ? { ...older, month: { ...month, ...changes } } : older });
      });
      await page.reload();
      await shows(page.getByText('12 joined since the 1st', { exact: true })).toBeVisible();
      await shows(page.getByText('3 fewer than by 24 Oct', { exact: true })).toBeVisible();
      await shows(page.getByText('£2,340.00 taken since the 1st', { exact: true })).toBeVisible();
      await shows(page.getByText('£1,240.00 more than by 24 Oct', { exact: true })).toBeVisible();
      await shows(page.getByText('as many as by 24 Oct', { exact: true })).toBeVisible();
      await shows(page.locator('.figure-direction svg')).toHaveCount(3);
      // The card's title alone, whatever is said below the others.
      await shows(page.getByText('This Month')).toBeVisible();
      const nothing = { now: 4, before: null };
      changes = { joined: nothing, booked: nothing, taken: { now: '80.00', before: null } };
      await page.reload();
      await shows(page.getByText('4 joined since the 1st', { exact: true })).toBeVisible();
      await shows(page.getByText('£80.00 taken since the 1st', { exact: true })).toBeVisible();
      await shows(page.locator('.figure-direction')).toHaveCount(0);
      // An older version of the server, beside this one for a while.
      changes = undefined;
      await page.reload();
      await shows(page.getByText(/ active$/)).toBeVisible();
      await shows(page.getByText(/since the 1st/)).toHaveCount(0);
    }),
  );

  endure('the button that deletes an event shows the amount of its refunds', () =>
    open('/admin?tab=events&state=ahead', async (page) => {
      await button(page, /^Delete /)
        .first()
        .click();
      const dialog = page.getByRole('dialog');
      const words = await dialog.getByText(/ is paid back\.$/).textContent();
      const [amount = ''] = /£[\d,.]+(?= is)/.exec(words ?? '') ?? [];
      await shows(button(dialog, `Delete and refund ${amount}`)).toBeVisible();
    }),
  );

  endure.each([
    { list: 'events&state=past', opens: /^Delete /, confirms: 'Delete', what: 'Its bookings' },
    {
      list: 'users&search=auditor',
      opens: /^Hard delete /,
      confirms: 'Delete for good',
      what: 'Their bookings',
    },
  ])(
    'the delete button in $list is disabled until its refunds are known',
    ({ list, opens, confirms, what }) =>
      openUnheard(`/admin?tab=${list}`, async (page) => {
        const answered = Promise.withResolvers<void>();
        await page.route('**/deletion-quote', async (route) => {
          await answered.promise;
          await route.fulfill({ status: 500, json: {} });
        });
        await button(page, opens).first().click();
        const dialog = page.getByRole('dialog');
        await shows(dialog.getByText(/^Counting/)).toBeVisible();
        await shows(dialog).not.toContainText('are cancelled');
        await shows(button(dialog, confirms)).toBeDisabled();
        answered.resolve();
        await shows(dialog.getByRole('alert').getByText(`${what} didn’t load`)).toBeVisible();
        await shows(button(dialog, confirms)).toBeDisabled();
        await page.unroute('**/deletion-quote');
        await button(dialog, 'Try again').click();
        await shows(button(dialog, confirms)).toBeEnabled();
      }),
  );

  test('an expired promotion is not shown as active', () =>
    open('/admin?tab=promotions', async (page) => {
      const row = page.getByRole('row').filter({ hasText: 'SUMMER26' });
      await shows(row.getByText('Over', { exact: true })).toBeVisible();
      await shows(row.getByText('Active', { exact: true })).toBeHidden();
      await shows(page.getByRole('row').filter({ hasText: 'ENCORE10' }).getByText('Active')).toBeVisible();
    }));

  test('an event’s form names the characters that its tickets cannot show', () =>
    open('/admin?tab=events', async (page) => {
      await button(page, 'Create Event').click();
      const form = page.getByRole('dialog', { name: 'Create Event' });
      const hint = form.getByText(/Tickets can’t show/);
      await form.getByLabel('Title').fill('Café 𐀀 𝗦𝘂𝗺𝗺𝗲𝗿 张伟');
      await shows(hint).toHaveText('Tickets can’t show these characters: 𐀀');
      await form.getByLabel('Title').fill('Café 𝗦𝘂𝗺𝗺𝗲𝗿 张伟');
      await shows(hint).toBeHidden();
      await button(form, 'Cancel').click();
      await button(page, 'Discard').click();
    }));

  endure(
    'an event is put on sale from a device whose clock is years ahead, and wrong fields are marked',
    async () => {
      await at.clock.setSystemTime('2040-06-01T12:00:00Z');
      await open('/admin?tab=events', async (page) => {
        await button(page, 'Create Event').click();
        const dialog = page.getByRole('dialog', { name: 'Create Event' });
        await dialog.getByLabel('Title').fill('Late Set');
        await dialog.getByLabel('Description').fill('Come early.');
        await dialog.getByLabel('Category').selectOption('Concerts');
        await dialog.getByLabel('City', { exact: true }).selectOption('Bristol');
        await dialog.getByLabel('Venue').selectOption('Arnolfini');
        await shows(dialog.getByLabel('Location')).toHaveValue(/Bristol/);
        await shows(dialog.getByText('The venue holds 200.')).toBeVisible();
        await dialog.getByLabel('City', { exact: true }).selectOption('Leeds');
        await shows(dialog.getByLabel('Venue')).toHaveValue('');
        await dialog.getByLabel('City', { exact: true }).selectOption('Bristol');
        await dialog.getByLabel('Venue').selectOption('Arnolfini');
        await dialog.getByLabel('Capacity').fill('250');
        await shows(dialog.getByText('More than the venue holds: 200.')).toBeVisible();
        await shows(dialog.getByText('This is what you had typed before.')).toBeHidden();
        await dialog.getByLabel('Price in pounds').fill('24.50');
        await dialog.getByLabel('Date').fill('2020-05-01');
        await dialog.getByLabel('Time').fill('19:30');
        await button(dialog, 'Create Event').click();
        await shows(dialog.getByText('Event date must be in the future')).toBeVisible();
        await shows(dialog.getByLabel('Date')).toBeFocused();

        // What only the server knows.
        const errors = ['Venue selection is required'];
        const json = {
          message: errors[0],
          code: 'BAD_INPUT',
          requestId: 'r',
          errors,
          fields: { venueId: errors[0] },
        };
        await page.route('**/api/admin/events', (route) =>
          route.request().method() === 'POST' ? route.fulfill({ status: 400, json }) : route.continue(),
        );
        await dialog.getByLabel('Date').fill('2031-03-30');
        await dialog.getByLabel('Time').fill('01:30');
        await button(dialog, 'Create Event').click();
        await shows(toast(page, 'Failed to create event')).toBeVisible();
        await shows(dialog.getByLabel('Venue')).toBeFocused();
        await page.unroute('**/api/admin/events');
        await dialog.getByLabel('Doors open').fill('03:00');
        await button(dialog, 'Create Event').click();
        await shows(dialog.getByText('The doors must open before the start').first()).toBeVisible();
        await dialog.getByLabel('Doors open').fill('');

        // In that night the clock goes from 1 am to 2 am.
        await button(dialog, 'Create Event').click();
        await shows(toast(page, 'Late Set, Sun 30 Mar 2031, 2:30 am, is on sale.')).toBeVisible();
        await shows(dialog).toBeHidden();
        await page.getByRole('main').getByRole('searchbox').fill('Late Set');
        const row = page.getByRole('row').filter({ hasText: '2031' });
        await shows(row.getByRole('cell', { name: 'Bristol', exact: true })).toBeVisible();
        await shows(row.getByText('250 / 250')).toBeVisible();
      });
    },
  );
});
