/** The scanner, and what goes wrong at the door. `camera.endure.spec.ts` has its camera. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, sharedSite, type VisitOptions, visit } from '#tests/kit/browser.ts';
import { endure } from '#tests/kit/endure.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { readPicture } from '#tests/kit/read-picture.ts';
import { cardOf, noCamera } from './camera.ts';
import { bought } from './flows.ts';
import { change, enter, newCustomer } from './people.ts';
import { button, shows, toast } from './steps.ts';
import { cannotVerify, keepsNothing, olderThanTheSite } from './views.ts';

const PHONE = { width: 390, height: 844 };
const SCAN = '**/api/tickets/scan';

let site: Awaited<ReturnType<typeof sharedSite>>;
beforeAll(async () => {
  site = await sharedSite();
});

/** The keys that are not what they write. */
const NAMED: Readonly<Record<string, { key: string; text?: string; windowsVirtualKeyCode: number }>> = {
  '\n': { key: 'Enter', text: '\r', windowsVirtualKeyCode: 13 },
  '\t': { key: 'Tab', windowsVirtualKeyCode: 9 },
  ' ': { key: ' ', text: ' ', windowsVirtualKeyCode: 32 },
};

/** Milliseconds from one key to the next. */
const [SCANNER, PERSON] = [1, 120];

/** A keyboard whose keys have the times that a spec gives them, however busy the machine is: a hardware scanner's, or a person's. */
const keyboardOf = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  let at = 0;
  const type = async (text: string, gap: number): Promise<void> => {
    const sent: Promise<unknown>[] = [];
    for (const key of text) {
      at += gap;
      const what = { ...(NAMED[key] ?? { key, text: key }), timestamp: at / 1000 };
      // In their order, but none waits for the one before: a call that is under way meanwhile has its limit.
      sent.push(
        session.send('Input.dispatchKeyEvent', { type: what.text ? 'keyDown' : 'rawKeyDown', ...what }),
        session.send('Input.dispatchKeyEvent', { ...what, type: 'keyUp' }),
      );
    }
    await Promise.all(sent);
  };
  const after = (pause: number): void => {
    at = Math.max(at, Date.now()) + pause;
  };
  return {
    scan: (text: string) => {
      after(300);
      return type(text, SCANNER);
    },
    /** At once after the last key, as a scanner that reads twice does. */
    scanAgain: (text: string) => type(text, SCANNER),
    /** Seconds after all that was pressed and seen. */
    scanLater: (text: string) => {
      after(5_000);
      return type(text, SCANNER);
    },
    /** As a person does. */
    press: (text: string) => {
      after(300);
      return type(text, PERSON);
    },
  };
};

const code = (page: Page) => page.getByLabel('Enter a code by hand');

/** What the scanner sends, call by call. */
const scansOf = (page: Page): readonly { encryptedData: string; scanId: string }[] => {
  const sent: { encryptedData: string; scanId: string }[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/tickets/scan')) sent.push(request.postDataJSON());
  });
  return sent;
};

inChromium('the scanner, by hand', (browser) => {
  const atTheDoor = async ({ old = false } = {}): Promise<Page> => {
    const { page } = await visit(browser(), site.origin, PHONE);
    if (old) await page.addInitScript(cannotVerify);
    await enter(page, 'staff@reprise.test');
    await page.goto('/scanner');
    await shows(page.getByRole('table')).toBeVisible();
    return page;
  };

  endure('keeps its buttons in place while it prepares for offline use', async () => {
    const { page } = await visit(browser(), site.origin, PHONE);
    await enter(page, 'staff@reprise.test');
    const asked = Promise.withResolvers<void>();
    await page.route('**/api/tickets/day*', (route) => asked.promise.then(() => route.continue()));
    await page.goto('/scanner');
    const start = button(page, 'Start Camera Scanner');
    await shows(start).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const before = await start.boundingBox();
    asked.resolve();
    await shows(page.getByText(/^Ready for a network failure/)).toBeVisible();
    expect(await start.boundingBox()).toEqual(before);
    await leave(page);
  });

  endure('keeps the pressed button in place, whatever is shown above it', async () => {
    const { page } = await visit(browser(), site.origin, { ...PHONE, height: 700 });
    await page.addInitScript(cannotVerify);
    await enter(page, 'staff@reprise.test');
    await page.goto('/scanner');
    await shows(page.getByRole('table')).toBeVisible();
    const at = async (control: Locator) => (await control.boundingBox())?.y;
    const start = button(page, 'Start Camera Scanner');
    await start.scrollIntoViewIfNeeded();
    const before = await at(start);
    await start.click();
    await shows(page.getByText('No camera? Enter the code by hand')).toBeVisible();
    await shows.poll(() => at(start)).toBe(before);

    await code(page).fill('a-ticket');
    const scan = button(page, 'Scan');
    await scan.scrollIntoViewIfNeeded();
    const there = await at(scan);
    await page.context().setOffline(true);
    await scan.click();
    await shows(page.getByText('One scan has no answer yet')).toBeAttached();
    await shows(page.getByText(/^This gate is offline/)).toBeAttached();
    await shows.poll(() => at(scan)).toBe(there);
    await leave(page);
  });

  endure('keeps a message in sight, wherever the focus was before', async () => {
    const { page } = await visit(browser(), site.origin, { ...PHONE, height: 700 });
    await page.addInitScript(cannotVerify);
    await enter(page, 'staff@reprise.test');
    await page.goto('/scanner');
    await shows(page.getByRole('table')).toBeVisible();
    await code(page).click();
    await page.evaluate(() => scrollTo(0, 0));
    await shows(code(page)).not.toBeInViewport();
    await page.context().setOffline(true);
    await shows(page.getByText(/^This gate is offline/)).toBeAttached();
    await shows(page.getByText(/^This gate is offline/)).toBeInViewport();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await leave(page);
  });

  test('reports a missing code, and works without a mouse', async () => {
    const page = await atTheDoor();
    await shows(button(page, 'Scan')).toBeDisabled();
    await code(page).press('Enter');
    await shows(toast(page, 'No QR Code')).toBeVisible();
    await shows(toast(page, 'Please enter a QR code to scan')).toBeVisible();

    // A name of spaces is none: the server would refuse it, with every ticket.
    await page.getByLabel('Name of this gate').fill('  ');
    await code(page).fill('https://elsewhere.example/verify-ticket/abc?from=mail');
    const [sent] = await Promise.all([page.waitForRequest(SCAN), code(page).press('Enter')]);
    expect(sent.postDataJSON()).toEqual({ encryptedData: 'abc', scanId: expect.any(String) });
    const answer = page.getByRole('dialog', { name: 'Invalid Ticket' });
    await shows(answer.getByRole('alert')).toContainText('This is not one of our tickets.');
    await shows(button(answer, 'Scan Next Ticket')).toBeFocused();
    await page.keyboard.press('Enter');
    await shows(answer).toBeHidden();
    await shows(code(page)).toBeFocused();
    await shows(code(page)).toHaveValue('');
    await leave(page);
  });

  endure('keeps a scan without an answer, and repeats it as the same scan', async () => {
    const page = await atTheDoor({ old: true });
    await shows(page.getByText(/^This browser can’t check tickets without a network/)).toBeVisible();
    const sent = scansOf(page);
    await page.context().setOffline(true);
    await code(page).fill('a-ticket');
    await button(page, 'Scan').click();
    await shows(toast(page, 'Scan Failed')).toBeVisible();
    await shows(page.getByText('One scan has no answer yet')).toBeVisible();
    // The first one: the list below didn't load either.
    const again = button(page.getByRole('main'), 'Try again').first();
    await again.click();
    await shows(again).toBeEnabled();
    await shows.poll(() => sent.length).toBe(2);

    await page.context().setOffline(false);
    await again.click();
    const answer = page.getByRole('dialog', { name: 'Invalid Ticket' });
    await shows(answer).toBeVisible();
    await button(answer, 'Scan Next Ticket').click();
    await shows(page.getByText('One scan has no answer yet')).toBeHidden();
    expect(sent.map(({ encryptedData }) => encryptedData)).toEqual(['a-ticket', 'a-ticket', 'a-ticket']);
    expect(sent[0]?.scanId).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(sent.map(({ scanId }) => scanId)).size).toBe(1);

    await code(page).fill('a-ticket');
    await button(page, 'Scan').click();
    await shows(answer).toBeVisible();
    expect(sent[3]?.scanId).not.toBe(sent[0]?.scanId);
    await leave(page);
  });

  endure('offers a newer page, unless a browser without storage would lose queued scans', async () => {
    const { page } = await visit(browser(), site.origin, PHONE);
    await page.addInitScript(keepsNothing);
    await olderThanTheSite(page);
    await enter(page, 'staff@reprise.test');
    await page.goto('/scanner');
    await shows(page.getByText('This browser keeps nothing')).toBeVisible();
    const newer = page.getByText('A newer scanner is out');
    await shows(newer).toBeVisible();
    await page.context().setOffline(true);
    await code(page).fill('a-ticket');
    await button(page, 'Scan').click();
    await button(page.getByRole('dialog'), 'Scan Next Ticket').click();
    await shows(page.getByText('This gate is offline')).toBeVisible();
    await shows(newer).toBeHidden();
    await page.context().setOffline(false);
    await shows(newer).toBeVisible();
    await leave(page);
  });

  endure('does not blame the ticket for the scanner’s own failure', async () => {
    const page = await atTheDoor({ old: true });
    for (const status of [400, 403, 429, 503]) {
      // Of a server that fails nobody knows whether it has let somebody in.
      const message = status === 503 ? /^No answer from the server/ : `The answer was ${status}.`;
      const answer = { status, json: { message: String(message), code: 'FORBIDDEN', requestId: 'r' } };
      await page.route(SCAN, (route) => route.fulfill(answer));
      await code(page).fill('a-ticket');
      // It stays for some seconds only, which a busy machine may let pass between the two.
      await Promise.all([shows(toast(page, message)).toBeVisible(), button(page, 'Scan').click()]);
      await shows(page.getByRole('dialog')).toBeHidden();
      await page.unroute(SCAN);
    }
    await leave(page);
  });

  endure('shows one ticket if the answer has no quantity, and no details if it has none', async () => {
    const page = await atTheDoor({ old: true });
    const event = { title: 'Night Ferry', venue: 'Pier 4', date: '2026-12-04', time: '19:30' };
    await page.route(SCAN, (route) => route.fulfill({ json: { valid: true, scanned: true, event } }));
    await code(page).fill('a-ticket');
    await button(page, 'Scan').click();
    const answer = page.getByRole('dialog', { name: 'Valid Ticket' });
    await shows(answer.getByRole('alert')).toContainText('Admit 1');
    await shows(answer).toContainText('Night Ferry');
    await shows(answer.getByRole('listitem')).toHaveCount(0);
    await button(answer, 'Scan Next Ticket').click();
    await leave(page);
  });

  endure('has separate rows for each list of scans, also while the next one loads', async () => {
    const { page } = await visit(browser(), site.origin, PHONE);
    await enter(page, 'superuser@reprise.test');
    const turnedAway = {
      ...{ id: '1', scannedAt: '2026-12-04T19:30:00.000Z', code: 'TICKET_USED', error: 'Already scanned' },
      ...{ event: { title: 'Night Ferry' }, user: { email: 'late@example.test' } },
      ...{ scannedBy: 'Stan', gate: 'North' },
    };
    await page.route('**/api/tickets/refused-scans?*', (route) => route.fulfill({ json: [turnedAway] }));
    const seen = Promise.withResolvers<void>();
    await page.route('**/api/tickets/recent-scans?*', (route) => seen.promise.then(() => route.continue()));
    await page.goto('/scanner?list=refused');
    await shows(page.getByRole('cell', { name: 'Night Ferry' })).toBeVisible();
    await page.getByRole('tab', { name: 'Let in' }).click();
    await shows(page.getByText('Loading scans...')).toBeVisible();
    await shows(page.getByRole('cell', { name: 'Night Ferry' })).toBeHidden();
    seen.resolve();
    await shows(button(page, /^Undo the scan of/).first()).toBeVisible();
    await leave(page);
  });

  endure('shows its event, and accepts any event once that is no longer on the list', async () => {
    const page = await atTheDoor();
    await page.evaluate(() => sessionStorage.setItem('door-event', '99999'));
    const seen = Promise.withResolvers<void>();
    await page.route('**/api/tickets/gates', (route) => seen.promise.then(() => route.continue()));
    await page.reload();
    const chosen = page.getByLabel('This gate is for').getByRole('option', { selected: true });
    await shows(chosen).toHaveText('The event chosen before');
    seen.resolve();
    await shows(chosen).toHaveText('Any event');
    await code(page).fill('a-ticket');
    const [sent] = await Promise.all([page.waitForRequest(SCAN), code(page).press('Enter')]);
    expect(sent.postDataJSON()).not.toHaveProperty('eventId');
    await leave(page);
  });

  endure('repeats a failed search for a guest on request', async () => {
    const page = await atTheDoor();
    const GUESTS = '**/api/tickets/guests?*';
    await page.route(GUESTS, (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByLabel('Name or reference').fill('nobody of that name');
    await button(page, 'Search').click();
    await shows(page.getByText('The search failed')).toBeVisible();
    await page.unroute(GUESTS);
    await button(page, 'Search').click();
    await shows(page.getByText('Nobody called “nobody of that name” has a ticket here.')).toBeVisible();
    await shows(page.getByText('The search failed')).toBeHidden();
    await leave(page);
  });

  endure('leads to the sign-in once the session has ended', async () => {
    const page = await atTheDoor();
    // The words go with the page, half a second later: the next one waits until they were read.
    const read = Promise.withResolvers<void>();
    await page.route('**/api/login', (route) => read.promise.then(() => route.continue()));
    await page.context().clearCookies();
    await code(page).fill('a-ticket');
    // It would wait for the page that is held until then.
    await button(page, 'Scan').click({ noWaitAfter: true });
    await shows(toast(page, 'Unauthorized')).toBeVisible();
    await shows(toast(page, 'You are logged out. Logging in again...')).toBeVisible();
    read.resolve();
    await shows(page).toHaveURL(/\/auth$/);
    await leave(page);
  });

  endure('shows lists as cards on a phone, and as tables to screen readers', async () => {
    const page = await atTheDoor();
    const table = page.getByRole('table');
    await shows(table.getByRole('columnheader', { name: 'Customer' })).toBeAttached();
    await shows(table.getByRole('cell').first()).toBeVisible();
    const [first] = await table
      .getByRole('row')
      .filter({ has: page.getByRole('cell') })
      .all();
    // All at once: whatever moves the row moves them together.
    const measured = async (): Promise<readonly number[]> =>
      (await first
        ?.locator('td')
        .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top))) ?? [];
    const tops = await measured();
    expect(tops).toHaveLength(6);
    // What names a row is read with each of its cells.
    expect(await first?.getByRole('rowheader').count()).toBe(1);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    expect(new Set(tops).size).toBe(6);
    const frame = page.getByRole('region', { name: 'Recent Scans' });
    expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await shows.poll(async () => new Set(await measured()).size).toBe(1);
    await leave(page);
  });
});

/** Tokens that are as long as real ones, and are none. */
const [FIRST, SECOND, THIRD] = ['1', '2', '3'].map((digit) => digit.repeat(208)) as [string, string, string];
const linkTo = (token: string): string => `HTTPS://REPRISE.TEST/T/${token}`;

inChromium('a hardware scanner that types', (browser) => {
  const atTheDoor = async ({ old = false } = {}) => {
    const { page, complaints } = await visit(browser(), site.origin);
    if (old) await page.addInitScript(cannotVerify);
    await enter(page, 'superuser@reprise.test');
    await page.goto('/admin?tab=scanner');
    await shows(button(page, 'Start Camera Scanner')).toBeVisible();
    const sent = scansOf(page);
    const tokens = () => sent.map(({ encryptedData }) => encryptedData);
    return { page, complaints, sent, tokens, keyboard: await keyboardOf(page) };
  };
  /** At the door, where the first ticket got no answer, and the second waits. */
  const withoutAnswer = async () => {
    const door = await atTheDoor({ old: true });
    const { page, tokens, keyboard } = door;
    const lost = Promise.withResolvers<void>();
    await page.route(SCAN, (route) => lost.promise.then(() => route.abort()));
    await keyboard.scan(`${linkTo(FIRST)}\n${linkTo(SECOND)}\n`);
    await shows.poll(tokens).toEqual([FIRST]);
    lost.resolve();
    await shows(page.getByText(/One more ticket waits to be checked\.$/)).toBeVisible();
    await page.unroute(SCAN);
    return door;
  };
  const answerOn = (page: Page) => page.getByRole('dialog', { name: 'Invalid Ticket' });

  test('is read wherever the focus is, also over an answer, and its keys do nothing else', async () => {
    const { page, complaints, tokens, keyboard } = await atTheDoor();
    const answer = answerOn(page);
    const start = button(page, 'Start Camera Scanner');
    await start.focus();
    await keyboard.scan(`${linkTo(FIRST)}\n`);
    await shows(answer).toBeVisible();
    // It reads a ticket twice: the answer stays.
    await keyboard.scanAgain(`${linkTo(FIRST)}\n`);
    await shows(button(answer, 'Scan Next Ticket')).toBeFocused();
    for (const code of [
      `${linkTo(SECOND)}\n`,
      `${linkTo(THIRD)}\t\n`,
      'ga ge/? \n',
      `${linkTo(FIRST)}\n\n`,
    ]) {
      const [asked] = await Promise.all([page.waitForResponse(SCAN), keyboard.scan(code)]);
      expect(asked.ok()).toBe(true);
      await shows(button(answer, 'Scan Next Ticket')).toBeFocused();
    }
    await keyboard.scanLater(`${linkTo(FIRST)}\n`);
    await shows.poll(tokens).toEqual([FIRST, SECOND, THIRD, 'ga ge/?', FIRST, FIRST]);
    await shows(button(answer, 'Scan Next Ticket')).toBeFocused();
    await keyboard.press('\n');
    await shows(answer).toBeHidden();
    await shows(start).toBeFocused();
    await shows(page).toHaveURL('/admin?tab=scanner');
    expect(complaints).toEqual([]);
    await leave(page);
  });

  endure('leaves fields and typing people undisturbed', async () => {
    const { page, tokens, keyboard } = await atTheDoor();
    const answer = answerOn(page);
    const gate = page.getByLabel('Name of this gate');
    const event = page.getByLabel('This gate is for');
    await event.focus();
    const chosen = await event.inputValue();
    for (const [field, code] of [
      [event, linkTo(FIRST)],
      [gate, linkTo(SECOND)],
      [page.getByLabel('Enter a code by hand'), linkTo(THIRD)],
    ] as const) {
      if (field !== event) await field.fill('North');
      await field.focus();
      await keyboard.scan(`${code}\t`);
      await shows(answer).toBeVisible();
      await keyboard.press(' ');
      await shows(answer).toBeHidden();
      await shows(field).toBeFocused();
      await shows(field).toHaveValue(field === event ? chosen : 'North');
    }
    expect(tokens()).toEqual([FIRST, SECOND, THIRD]);

    // Whoever types a name quickly, or has it typed.
    await page.getByLabel('Name or reference').focus();
    const [asked] = await Promise.all([
      page.waitForRequest('**/api/tickets/guests?*'),
      keyboard.scan('nobody of that name\n'),
    ]);
    expect(new URL(asked.url()).searchParams.get('search')).toBe('nobody of that name');
    await button(page, 'Start Camera Scanner').focus();
    await keyboard.press('ge');
    await shows(page).toHaveURL('/admin?tab=events');
    expect(tokens()).toHaveLength(3);
    await leave(page);
  });

  endure('loses no code that it types during another check, and shows each answer', async () => {
    const { page, tokens, keyboard } = await atTheDoor();
    const answered = Promise.withResolvers<void>();
    await page.route(SCAN, (route) => answered.promise.then(() => route.continue()));
    const answer = answerOn(page);
    await code(page).focus();
    await keyboard.scan(`${linkTo(FIRST)}\n`);
    await keyboard.scanAgain(`${linkTo(FIRST)}\n`);
    await keyboard.scanAgain(`${linkTo(SECOND)}\n${linkTo(THIRD)}\n${linkTo(SECOND)}\n`);
    await shows(code(page)).toHaveValue('');
    answered.resolve();
    await shows(answer.getByText('2 more tickets wait to be checked.')).toBeVisible();
    expect(tokens()).toEqual([FIRST]);
    await button(answer, 'Scan Next Ticket').click();
    await shows(answer.getByText('One more ticket waits to be checked.')).toBeVisible();
    // What is scanned now comes after what waits.
    await keyboard.scan(`${linkTo(FIRST)}\n`);
    await shows.poll(tokens).toEqual([FIRST, SECOND, THIRD]);
    await shows(answer.getByText('One more ticket waits to be checked.')).toBeVisible();
    await button(answer, 'Scan Next Ticket').click();
    await shows.poll(tokens).toEqual([FIRST, SECOND, THIRD, FIRST]);
    await shows(answer).toBeVisible();
    await shows(answer.getByText(/waits? to be checked/)).toBeHidden();
    await leave(page);
  });

  endure('shows which codes wait while the one before has no answer', async () => {
    const { page, tokens } = await withoutAnswer();
    await button(page, 'Try again').click();
    await shows(answerOn(page).getByText('One more ticket waits to be checked.')).toBeVisible();
    await button(answerOn(page), 'Scan Next Ticket').click();
    await shows.poll(tokens).toEqual([FIRST, FIRST, SECOND]);
    await shows(answerOn(page)).toBeVisible();
    await leave(page);
  });

  endure('repeats an unanswered ticket that is scanned again, before the waiting ones', async () => {
    const { page, sent, tokens, keyboard } = await withoutAnswer();
    await keyboard.scanLater(`${linkTo(FIRST)}\n`);
    await shows(answerOn(page).getByText('One more ticket waits to be checked.')).toBeVisible();
    expect(tokens()).toEqual([FIRST, FIRST]);
    expect(sent[1]?.scanId).toBe(sent[0]?.scanId);
    await button(answerOn(page), 'Scan Next Ticket').click();
    await shows.poll(tokens).toEqual([FIRST, FIRST, SECOND]);
    await leave(page);
  });
});

inChromium(
  'several gates, one of them offline',
  (browser) => {
    /** The codes of each booking, the party's first. */
    const codes: string[][] = [];
    const [EVENT, OTHER] = [8, 9];
    let gone = 0;

    beforeAll(async () => {
      const { page } = await visit(browser(), site.origin);
      const guest = { firstName: 'Gwendolyn', lastName: 'Frost', password: 'through the rain' };
      await newCustomer(page, site, { ...guest, email: 'gwendolyn@example.test' });
      const folder = await freshFolder();
      for (const [eventId, quantity] of [
        [EVENT, 3],
        [EVENT, 1],
        [OTHER, 1],
      ] as const) {
        const id = await bought(page, quantity, eventId);
        if (quantity === 1 && eventId === EVENT) gone = id;
        const pdf = join(folder, `${id}.pdf`);
        // The tickets can be had once the read models have the booking.
        await eventually(async () => {
          const reply = await page.request.get(`/api/tickets/${id}/download`);
          expect(reply.status()).toBe(200);
          await writeFile(pdf, await reply.body());
        });
        const pages = Array.from({ length: quantity === 1 ? 1 : quantity }, (_, index) => index + 1);
        const read = pages.map(async (number) => {
          const seen = await readPicture(await cardOf(pdf, number));
          return 'text' in seen ? String(seen.text) : '';
        });
        codes.push(await Promise.all(read));
      }
      await change(page, 'POST', '/api/bookings/cancel', {
        bookingId: gone,
        reason: 'The rain is too much.',
      });
      await leave(page);
    });

    const atTheDoor = async (name: string, more: VisitOptions = {}): Promise<Page> => {
      const { page } = await visit(browser(), site.origin, { ...PHONE, ...more });
      await enter(page, 'staff@reprise.test');
      await page.goto('/scanner');
      await page.getByLabel('This gate is for').selectOption(String(EVENT));
      await page.getByLabel('Name of this gate').fill(name);
      await shows(page.getByText(/^Ready for a network failure/)).toBeVisible();
      return page;
    };
    /** Scans a code by hand. Resolves once the answer has those words. */
    const answers = async (page: Page, scanned: string, valid: boolean, ...words: (string | RegExp)[]) => {
      await code(page).fill(scanned);
      await button(page, 'Scan').click();
      const answer = page.getByRole('dialog', {
        name: valid ? 'Valid Ticket' : 'Invalid Ticket',
        exact: true,
      });
      await shows(answer).toBeVisible();
      for (const text of words) await shows(answer.getByText(text).first()).toBeVisible();
      await button(answer, 'Scan Next Ticket').click();
    };
    /** The figure under its name. */
    const figure = (page: Page, name: string) => page.getByText(name, { exact: true }).locator('..');

    test('admit a guest by name, share their counts, and undo a mistaken scan', async () => {
      const [here, there] = [await atTheDoor('North'), await atTheDoor('South')];
      await shows(figure(there, 'In')).toHaveText(/^In\d+$/);
      const inside = Number((await figure(there, 'In').innerText()).match(/\d+/)?.[0]);
      await here.getByLabel('Name or reference').fill('frost gwendolyn');
      await button(here, 'Search').click();
      await shows(here.getByRole('status').getByText(/^\d+ found$/)).toBeAttached();
      await button(here, /^Let in Gwendolyn Frost/)
        .first()
        .click();
      const answer = here.getByRole('dialog', { name: 'Valid Ticket', exact: true });
      await shows(answer.getByText('Admit 3', { exact: true })).toBeVisible();
      await button(answer, 'Scan Next Ticket').click();
      await shows(figure(there, 'In')).toHaveText(`In${inside + 3}`);
      await shows(here.getByText(/3 of 3 in$/)).toBeVisible();
      await shows(here.getByText('Let in 0')).toHaveCount(0);
      // The button has gone: Tab goes on from the head of the list, not of the page.
      await here.keyboard.press('Tab');
      await shows(here.getByLabel('Name or reference')).toBeFocused();

      await here.getByRole('main').getByRole('searchbox').fill('gwendolyn@example.test');
      const row = here.getByRole('row').filter({ hasText: 'gwendolyn@example.test' });
      await shows(here.getByText('Showing 1 to 1 of 1 scans')).toBeVisible();
      await button(row, /^Undo the scan of/).click();
      const dialog = here.getByRole('dialog', { name: /^Undo the scan of/ });
      await button(dialog, 'Undo the scan').click();
      await shows(dialog.getByText('Please say why')).toBeVisible();
      await dialog.getByLabel('Why').fill('It was her sister');
      await button(dialog, 'Undo the scan').click();
      await shows(toast(here, 'Scan undone')).toBeVisible();
      await shows(figure(there, 'In')).toHaveText(`In${inside}`);
      await leave(here);
      await leave(there);
    });

    test('continue offline, send their scans afterwards, and name an admitted copy', async () => {
      const [[party = '', second = ''] = [], [cancelled = ''] = [], [elsewhere = ''] = []] = codes;
      const page = await atTheDoor('Yard');
      await page.context().setOffline(true);
      await answers(page, second, true, 'Admit 1', 'Checked without a network');
      await shows(page.getByText('This gate is offline')).toBeVisible();
      await shows(page.getByText(/1 scan to be sent when the network is back/)).toBeVisible();
      await answers(page, second, false, /^Already scanned at .+, Yard$/);
      await answers(page, party, true, 'Admit 2');
      await answers(page, 'not a ticket', false, 'This is not one of our tickets.');
      await answers(page, cancelled, false, /^This booking was (cancelled|refunded)/);
      await answers(page, elsewhere, false, 'This ticket is for a different event.');
      await shows(page.getByText(/5 scans to be sent when the network is back/)).toBeVisible();
      // Whoever listens hears the answers, not each time that the gate is offline.
      const offline = page.getByRole('alert').filter({ hasText: 'This gate is offline' });
      await shows(offline).not.toContainText('to be sent');

      const other = await atTheDoor('Front');
      await answers(other, second, true, 'Admit 1');
      await leave(other);

      await page.context().setOffline(false);
      await shows(page.getByText('This gate is offline')).toBeHidden();
      await shows(page.getByText('Let in twice while this gate was offline: 1')).toBeVisible();
      await page.getByRole('tab', { name: 'Conflicts' }).click();
      const row = page.getByRole('row').filter({ hasText: 'gwendolyn@example.test' });
      await shows(row.getByText(/, Yard$/)).toBeVisible();
      await shows(row.getByText(/, Front$/)).toBeVisible();
      await answers(page, party, false, /^Already scanned at/);

      await button(page, /, account of /).click();
      await button(page, 'Log out').click();
      await shows(page).toHaveURL('/');
      const kept = () =>
        page.evaluate(
          () =>
            new Promise((resolve) => {
              const opened = indexedDB.open('reprise-door');
              opened.onsuccess = () => {
                const all = opened.result.transaction('kept').objectStore('kept').count();
                all.onsuccess = () => resolve(all.result);
              };
            }),
        );
      expect(await kept()).toBe(0);
      await leave(page);
    });

    endure('open offline after they were closed, and send their scans after the next sign-in', async () => {
      const [[, second = ''] = []] = codes;
      const page = await atTheDoor('Lane', { serviceWorkers: 'allow' });
      const context = page.context();
      await page.evaluate(() => navigator.serviceWorker.ready);
      await context.setOffline(true);
      await page.close();
      const opened = await context.newPage();
      await opened.goto('/scanner');
      // Also after what it asks first was answered by the device.
      await shows(opened.getByLabel('This gate is for').getByRole('option')).not.toHaveCount(1);
      await shows(opened.getByText(/^You’re offline\. What you see may be out of date/)).toBeVisible();
      await opened.getByLabel('This gate is for').selectOption(String(EVENT));
      await shows(opened.getByText('This gate is offline')).toBeVisible();
      await answers(opened, second, false, /^Already scanned at/);
      await shows(opened.getByText(/1 scan to be sent when the network is back/)).toBeVisible();

      // The session has lapsed meanwhile.
      await context.clearCookies({ name: /reprise-session/ });
      await context.setOffline(false);
      await shows(opened).toHaveURL(/\/auth$/);
      await enter(opened, 'staff@reprise.test');
      await opened.goto('/scanner');
      await shows(opened.getByText(/^Ready for a network failure/)).toBeVisible();
      await shows(opened.getByText(/to be sent/)).toBeHidden();
      await opened.getByRole('tab', { name: 'Turned away' }).click();
      await shows(opened.getByRole('row').filter({ hasText: 'Lane' }).first()).toBeVisible();

      await button(opened, /, account of /).click();
      await button(opened, 'Log out').click();
      await shows(opened).toHaveURL('/');
      expect(await opened.evaluate(() => caches.keys())).toEqual([]);
      await leave(opened);
    });
  },
  { reason: noCamera },
);
