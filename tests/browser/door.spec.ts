/** Whoever works here: the scanner and its camera, when things go wrong at the door, and the admin panel. */
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inChromium, leave, PATIENCE, sharedSite, visit } from '#tests/kit/browser.ts';
import { chanceOf } from '#tests/kit/chance.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { type Picture, photograph, type Shot } from '#tests/kit/photograph.ts';
import { readPicture } from '#tests/kit/read-picture.ts';
import { away, cameraFlags, cardOf, FRAME, noCamera, writeFilm } from './camera.ts';
import { change, enter, newCustomer } from './people.ts';
import { button, buy, shows, toast } from './steps.ts';
import { cannotVerify } from './views.ts';

const PHONE = { width: 390, height: 844 };
const SCAN = '**/api/tickets/scan';
const DENIED = 'Access Denied';

let site: Awaited<ReturnType<typeof sharedSite>>;
beforeAll(async () => {
  site = await sharedSite();
});

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

  test('says that there is nothing to scan, and is worked without a mouse', async () => {
    const page = await atTheDoor();
    await shows(button(page, 'Scan')).toBeDisabled();
    await code(page).press('Enter');
    await shows(toast(page, 'No QR Code')).toBeVisible();
    await shows(toast(page, 'Please enter a QR code to scan')).toBeVisible();

    await code(page).fill('https://elsewhere.example/verify-ticket/abc?from=mail');
    const [sent] = await Promise.all([page.waitForRequest(SCAN), code(page).press('Enter')]);
    expect(sent.postDataJSON()).toMatchObject({ encryptedData: 'abc' });
    const answer = page.getByRole('dialog', { name: 'Invalid Ticket' });
    await shows(answer.getByRole('alert')).toContainText('This is not one of our tickets.');
    await shows(button(answer, 'Scan Next Ticket')).toBeFocused();
    await page.keyboard.press('Enter');
    await shows(answer).toBeHidden();
    await shows(code(page)).toBeFocused();
    await shows(code(page)).toHaveValue('');
    await leave(page);
  });

  test('keeps a scan that got no answer, and asks again as the same scan', async () => {
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

  test('blames the ticket for nothing that is the scanner’s own trouble', async () => {
    const page = await atTheDoor({ old: true });
    for (const status of [403, 429, 503]) {
      // Of a server that fails nobody knows whether it has let somebody in.
      const message = status === 503 ? /^No answer from the server/ : `The answer was ${status}.`;
      const answer = { status, json: { message: String(message), code: 'FORBIDDEN', requestId: 'r' } };
      await page.route(SCAN, (route) => route.fulfill(answer));
      await code(page).fill('a-ticket');
      await button(page, 'Scan').click();
      await shows(toast(page, message)).toBeVisible();
      await shows(page.getByRole('dialog')).toBeHidden();
      await page.unroute(SCAN);
    }
    await leave(page);
  });

  test('leads to sign-in once the session has ended', async () => {
    const page = await atTheDoor();
    // The words go with the page, half a second later: the next one waits until they were read.
    const read = Promise.withResolvers<void>();
    await page.route('**/api/login', (route) => read.promise.then(() => route.continue()));
    await page.context().clearCookies();
    await code(page).fill('a-ticket');
    await button(page, 'Scan').click();
    await shows(toast(page, 'Unauthorized')).toBeVisible();
    await shows(toast(page, 'You are logged out. Logging in again...')).toBeVisible();
    read.resolve();
    await shows(page).toHaveURL(/\/auth$/);
    await leave(page);
  });

  test('lists read as cards on a phone, and are tables for who listens', async () => {
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
        ?.getByRole('cell')
        .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top))) ?? [];
    const tops = await measured();
    expect(tops).toHaveLength(6);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
    expect(new Set(tops).size).toBe(6);
    const frame = page.getByRole('region', { name: 'Recent Scans' });
    expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await shows.poll(async () => new Set(await measured()).size).toBe(1);
    await leave(page);
  });
});

const film = join(tmpdir(), `reprise-door-${process.pid}.y4m`);

inChromium(
  'the scanner’s camera',
  (browser) => {
    let cards: readonly Picture[];

    beforeAll(async () => {
      const { page } = await visit(browser(), site.origin);
      await newCustomer(page, site, {
        ...{
          firstName: 'Twelve',
          lastName: 'Friends',
          email: 'twelve@example.test',
          password: 'all at once',
        },
      });
      for (let booked = 0; booked < 2; booked += 1) {
        await page.goto('/booking/7');
        // It tells first of the seven that were bought just now.
        if (booked > 0) await button(page, 'Buy more').click();
        await buy(page, 7, '£206.50');
      }
      const folder = await freshFolder();
      const bookings: readonly { id: number }[] = await (await page.request.get('/api/bookings')).json();
      const filmed = bookings.map(async ({ id }) => {
        const pdf = join(folder, `${id}.pdf`);
        await writeFile(pdf, await (await page.request.get(`/api/tickets/${id}/download`)).body());
        // Each page but the first admits one.
        return Promise.all([2, 3, 4, 5, 6, 7].map((number) => cardOf(pdf, number)));
      });
      cards = (await Promise.all(filmed)).flat();
      await leave(page);
    });
    afterAll(() => rm(film, { force: true }));

    const atTheDoor = async (): Promise<Awaited<ReturnType<typeof visit>>> => {
      const visited = await visit(browser(), site.origin, PHONE);
      await enter(visited.page, 'staff@reprise.test');
      await visited.page.goto('/scanner');
      return visited;
    };
    const filmed = (card: Picture, shot: Shot, seed: unknown): Picture =>
      photograph(card, FRAME, shot, chanceOf(String(seed)).roll);

    test('reads twelve tickets that are held as people hold them: tilted, smaller, a little blurred and dim', async () => {
      const chance = chanceOf('twelve friends');
      const held = cards.flatMap((card, index) => {
        const shot: Shot = {
          ...{ size: 0.45 + 0.25 * chance.roll(), tilt: chance.between(-15, 15) },
          ...{ yaw: chance.between(-20, 20), pitch: chance.between(-20, 20) },
          ...{ right: chance.between(-90, 90), down: chance.between(-40, 40) },
          ...{ blur: 0.7 + 0.5 * chance.roll(), black: 20, white: chance.between(80, 140), noise: 4 },
        };
        return [1, 2, 3, 4].map((time) => filmed(card, shot, `${index} ${time}`)).concat(away);
      });
      // A slow page may miss every second code: with one more pause the film shows it the others when it comes round.
      await writeFilm(film, [...held, ...Array(5).fill(away)]);
      const { page, complaints } = await atTheDoor();
      const admitted = new Set<string>();
      page.on('response', async (response) => {
        if (!response.url().endsWith('/api/tickets/scan')) return;
        if ((await response.json()).valid) admitted.add(response.request().postDataJSON().encryptedData);
      });
      await button(page, 'Start Camera Scanner').click();
      // The film goes round until all are in.
      const enough = Date.now() + 2 * PATIENCE;
      const next = button(page, 'Scan Next Ticket');
      while (admitted.size < 12 && Date.now() < enough)
        await next.click({ timeout: 5_000 }).catch(() => undefined);
      expect(admitted.size).toBe(12);
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test('asks for a code that it sees but can’t read to come closer', async () => {
      const [card] = cards;
      if (!card) throw new Error('there is no ticket');
      const far = { size: 0.115 };
      await writeFilm(
        film,
        [1, 2, 3, 4].map((time) => filmed(card, far, time)),
      );
      const { page, complaints } = await atTheDoor();
      await button(page, 'Start Camera Scanner').click();
      await shows(page.getByRole('status').getByText('A little closer')).toBeVisible();
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test('fetches what reads codes from this site, and says when it can’t be had', async () => {
      await writeFilm(film, [away]);
      const { page } = await atTheDoor();
      const asked: string[] = [];
      page.context().on('request', (request) => asked.push(request.url()));
      await page.route('**/*.wasm', (route) => route.abort());
      await page.reload();
      await button(page, 'Start Camera Scanner').click();
      await shows(page.getByRole('alert').getByText('Camera Access Failed')).toBeVisible();
      await page.unroute('**/*.wasm');
      await button(page, 'Start Camera Scanner').click();
      await shows(page.getByText('Ready to scan')).toBeVisible();
      await shows(page.getByText('A little closer')).toBeHidden();
      expect(asked.filter((url) => !url.startsWith(site.origin))).toEqual([]);
      expect(asked.filter((url) => url.endsWith('.wasm')).length).toBeGreaterThan(1);
      await leave(page);
    });

    test('switches the torch where there is one', async () => {
      await writeFilm(film, [away]);
      const { page } = await atTheDoor();
      await page.evaluate(() => {
        const track = MediaStreamTrack.prototype;
        track.getCapabilities = () => ({ torch: true }) as MediaTrackCapabilities;
        track.applyConstraints = async (wanted) => {
          document.title = JSON.stringify(wanted);
        };
      });
      await button(page, 'Start Camera Scanner').click();
      await button(page, 'Turn the torch on').click();
      await shows(page).toHaveTitle('{"advanced":[{"torch":true}]}');
      await button(page, 'Turn the torch off').click();
      await shows(page).toHaveTitle('{"advanced":[{"torch":false}]}');
      await button(page, 'Stop').click();
      await shows(button(page, 'Turn the torch on')).toBeHidden();
      await leave(page);
    });

    test('reads with the browser’s own reader where there is one, and by itself where that fails', async () => {
      const [card] = cards;
      if (!card) throw new Error('there is no ticket');
      await writeFilm(film, [filmed(card, { size: 0.6 }, 'plain')]);
      for (const [detect, token] of [
        [`[{ rawValue: 'its-own', cornerPoints: [{ x: 320, y: 240 }] }]`, /^its-own$/],
        [`Promise.reject(new Error('the service is unavailable'))`, /^\d{208}$/],
      ] as const) {
        const { page } = await atTheDoor();
        await page.route('**/reader-worker-*', async (route) => {
          const reply = await route.fetch();
          const own = `globalThis.BarcodeDetector = class {
            static async getSupportedFormats() { return ['qr_code']; }
            async detect() { return ${detect}; }
          };`;
          await route.fulfill({ response: reply, body: own + (await reply.text()) });
        });
        await page.reload();
        const [sent] = await Promise.all([
          page.waitForRequest(SCAN),
          button(page, 'Start Camera Scanner').click(),
        ]);
        expect(sent.postDataJSON().encryptedData).toMatch(token);
        await leave(page);
      }
    });
  },
  { args: cameraFlags(film), reason: noCamera },
);

inChromium(
  'gates together, and one without a network',
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
        const event = await (await page.request.get(`/api/events/${eventId}`)).json();
        await page.goto(`/booking/${eventId}`);
        const more = button(page, 'Buy more');
        const held = page.getByText(/^Held for you for/);
        await shows(more.or(held)).toBeVisible();
        if (await more.isVisible()) await more.click();
        await buy(page, quantity, `£${(Number(event.price) * quantity).toFixed(2)}`);
      }
      const bookings: readonly { id: number; quantity: number; event: { id: number } }[] = (
        await (await page.request.get('/api/bookings')).json()
      ).sort((a: { id: number }, b: { id: number }) => a.id - b.id);
      for (const { id, quantity } of bookings) {
        const pdf = join(folder, `${id}.pdf`);
        await writeFile(pdf, await (await page.request.get(`/api/tickets/${id}/download`)).body());
        const pages = Array.from({ length: quantity === 1 ? 1 : quantity }, (_, index) => index + 1);
        const read = pages.map(async (number) => {
          const seen = await readPicture(await cardOf(pdf, number));
          return 'text' in seen ? String(seen.text) : '';
        });
        codes.push(await Promise.all(read));
      }
      gone = bookings[1]?.id ?? 0;
      await change(page, 'POST', '/api/bookings/cancel', {
        bookingId: gone,
        reason: 'The rain is too much.',
      });
      await leave(page);
    });

    const atTheDoor = async (name: string): Promise<Page> => {
      const { page } = await visit(browser(), site.origin, PHONE);
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

    test('lets a guest in by name, counts on all gates, and undoes a scan by mistake', async () => {
      const [here, there] = [await atTheDoor('North'), await atTheDoor('South')];
      const inside = Number((await figure(there, 'In').innerText()).match(/\d+/)?.[0]);
      await here.getByLabel('Name or reference').fill('frost gwendolyn');
      await button(here, 'Search').click();
      await button(here, /^Let in Gwendolyn Frost/)
        .first()
        .click();
      const answer = here.getByRole('dialog', { name: 'Valid Ticket', exact: true });
      await shows(answer.getByText('Admit 3', { exact: true })).toBeVisible();
      await button(answer, 'Scan Next Ticket').click();
      await shows(figure(there, 'In')).toHaveText(`In${inside + 3}`);
      await shows(here.getByText(/3 of 3 in$/)).toBeVisible();

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

    test('goes on without a network, sends its scans afterwards, and names a copy that was let in', async () => {
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
  },
  { reason: noCamera },
);

inChromium(
  'the scanner, with two cameras',
  (browser) => {
    test('films with the one that is chosen, and says when it is taken away', async () => {
      const { page } = await visit(browser(), site.origin, PHONE);
      await enter(page, 'staff@reprise.test');
      await page.goto('/scanner');
      await button(page, 'Test Camera Permission').click();
      await shows(toast(page, 'Camera works')).toBeVisible();
      await button(page, 'Start Camera Scanner').click();
      await shows(page.getByText('Ready to scan')).toBeVisible();
      const choice = page.getByRole('combobox', { name: 'Camera' });
      const names = await choice.getByRole('option').allTextContents();
      expect(names).toHaveLength(2);
      const filming = () =>
        page
          .locator('#camera video')
          .evaluate(
            (video: HTMLVideoElement) => (video.srcObject as MediaStream | null)?.getVideoTracks()[0]?.label,
          );
      for (const name of [...names].reverse()) {
        await choice.selectOption({ label: name });
        await shows.poll(filming).toBe(name);
        await shows(page.getByText('Ready to scan')).toBeVisible();
      }
      await page
        .locator('#camera video')
        .evaluate((video: HTMLVideoElement) =>
          (video.srcObject as MediaStream).getVideoTracks()[0]?.dispatchEvent(new Event('ended')),
        );
      await shows(page.getByRole('alert').getByText('No Camera Found')).toBeVisible();
      await shows(page.getByText('No camera? Enter the code by hand')).toBeVisible();
      await button(page, 'Start Camera Scanner').click();
      await shows(page.getByText('Ready to scan')).toBeVisible();
      await button(page, 'Stop').click();
      await shows(button(page, 'Start Camera Scanner')).toBeVisible();
      await leave(page);
    });
  },
  { args: ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream=device-count=2'] },
);

inChromium(
  'the scanner, where the camera is blocked',
  (browser) => {
    test('says how to allow it, and offers the code by hand', async () => {
      const { page } = await visit(browser(), site.origin, PHONE);
      await enter(page, 'staff@reprise.test');
      await page.goto('/scanner');
      await button(page, 'Start Camera Scanner').click();
      await shows(page.getByRole('alert').getByText('Camera Permission Denied')).toBeVisible();
      await shows(page.getByRole('alert').getByText('No camera? Enter the code by hand')).toBeVisible();
      await leave(page);
    });
  },
  { args: ['--use-fake-device-for-media-stream', '--deny-permission-prompts'] },
);

inChromium('the admin panel', (browser) => {
  describe.each([
    ['admin@reprise.test', '/admin', 'permission to access the admin panel.'],
    ['staff@reprise.test', '/admin', 'permission to access the admin panel.'],
    ['auditor@reprise.test', '/scanner', 'permission to scan tickets.'],
    ['customer@reprise.test', '/scanner', 'permission to scan tickets.'],
  ])('%s at %s', (email, path, words) => {
    test('is told why not, and led away', async () => {
      const { page } = await visit(browser(), site.origin);
      await enter(page, email);
      // Not until all has loaded: the words pass meanwhile.
      await page.goto(path, { waitUntil: 'commit' });
      await shows(toast(page, DENIED)).toBeVisible();
      await shows(toast(page, `You don't have ${words}`)).toBeVisible();
      await shows(page).toHaveURL('/');
      await leave(page);
    });
  });

  test('is for who is signed in', async () => {
    const { page } = await visit(browser(), site.origin);
    await page.goto('/admin', { waitUntil: 'commit' });
    await shows(toast(page, 'Authentication Required')).toBeVisible();
    await shows(toast(page, 'Please log in to access the admin panel.')).toBeVisible();
    await shows(page).toHaveURL(/\/auth$/);
    await leave(page);
  });

  test('puts an event on sale, and says at the fields what is wrong', async () => {
    const { page } = await visit(browser(), site.origin);
    await enter(page, 'superuser@reprise.test');
    await page.goto('/admin?tab=events');
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

    // In that night the clock goes from 1 am to 2 am.
    await button(dialog, 'Create Event').click();
    await shows(toast(page, 'Late Set, Sun 30 Mar 2031, 2:30 am, is on sale.')).toBeVisible();
    await shows(dialog).toBeHidden();
    await page.getByRole('main').getByRole('searchbox').fill('Late Set');
    const row = page.getByRole('row').filter({ hasText: '2031' });
    await shows(row.getByRole('cell', { name: 'Bristol', exact: true })).toBeVisible();
    await shows(row.getByText('250 / 250')).toBeVisible();
    await leave(page);
  });
});
