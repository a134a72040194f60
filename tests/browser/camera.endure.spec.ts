/** The scanner's camera under many conditions: as people hold tickets, with other cameras, readers and torches, or none. */
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inChromium, leave, PATIENCE, sharedSite, visit } from '#tests/kit/browser.ts';
import { chanceOf } from '#tests/kit/chance.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { type Picture, photograph, type Shot } from '#tests/kit/photograph.ts';
import { away, cameraFlags, cardOf, FRAME, noCamera, writeFilm } from './camera.ts';
import { enter, newCustomer } from './people.ts';
import { button, buy, shows, toast } from './steps.ts';

const PHONE = { width: 390, height: 844 };
const SCAN = '**/api/tickets/scan';

let site: Awaited<ReturnType<typeof sharedSite>>;
beforeAll(async () => {
  site = await sharedSite();
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
      // The tickets can be had once the read models have the bookings.
      const bookings = await eventually(async (): Promise<readonly { id: number }[]> => {
        const listed = await (await page.request.get('/api/bookings')).json();
        expect(listed).toHaveLength(2);
        return listed;
      });
      const filmed = bookings.map(async ({ id }) => {
        const pdf = join(folder, `${id}.pdf`);
        const reply = await page.request.get(`/api/tickets/${id}/download`);
        expect(reply.status()).toBe(200);
        await writeFile(pdf, await reply.body());
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

    test('reads twelve tickets held as people hold them: tilted, smaller, a little blurred and dim', async () => {
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

    test('asks to bring a code closer that it sees but cannot read', async () => {
      const [card] = cards;
      if (!card) throw new Error('there is no ticket');
      // No hand is still, and in a single picture a far code may happen not to be seen at all.
      const far = (step: number): Shot => ({
        size: 0.115 + step / 1000,
        right: 3.3 * step - 12,
        down: 1.7 * step,
      });
      await writeFilm(
        film,
        [0, 1, 2, 3, 4, 5, 6, 7].map((step) => filmed(card, far(step), step)),
      );
      const { page, complaints } = await atTheDoor();
      await button(page, 'Start Camera Scanner').click();
      await shows(page.getByRole('status').getByText('A little closer')).toBeVisible();
      expect(complaints).toEqual([]);
      await leave(page);
    });

    test('loads the code reader from this site, and reports if that fails', async () => {
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

    test('switches the torch if there is one', async () => {
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

    test('uses the browser’s own reader if there is one, and its own if that fails', async () => {
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
  'the scanner, with two cameras',
  (browser) => {
    test('uses the chosen one, and reports when it is unplugged', async () => {
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
    test('explains how to allow it, and offers to type the code', async () => {
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
