/** The first night of a site that is the owner's own: no demo, an account, a city, a venue, an event, and the first ticket sold and let in. */
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, leave, PATIENCE, visit } from '#tests/kit/browser.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { Program } from '#tests/kit/program.ts';
import { startOne } from '#tests/kit/started-site.ts';
import { DEMO_PASSWORD } from './people.ts';
import { bookingOf, button, buy, completeProfile, register, shows, toast, verifyEmail } from './steps.ts';

const OWNER = 'olive@example.com';

inChromium('an empty site', (browser) => {
  let site: Awaited<ReturnType<typeof startOne>>;
  beforeAll(async () => {
    site = await startOne(await freshFolder(), { DEMO: 'off' });
    await site.ready;
    return () => site.stop();
  }, PATIENCE * 3);

  test('explains how its first account is made, and tells visitors that there are no events yet', async () => {
    await site.program.says(/It has no superuser yet[\s\S]*npm run create-superuser -- --email/);
    const { page, complaints } = await visit(browser(), site.origin, { width: 390 });
    await page.goto('/');
    await shows(page.getByRole('heading', { level: 1 })).toBeVisible();
    await shows(page.getByRole('heading', { name: 'Upcoming Events' })).toBeHidden();
    // No room is kept for posters that there are not.
    await shows(page.locator('.fan')).toHaveCount(0);
    await page.getByRole('link', { name: 'See what’s on' }).click();
    await shows(page.getByText('The next nights are still being written.', { exact: false })).toBeVisible();
    await shows(page.getByRole('heading', { name: 'Never Miss Out' })).toBeVisible();
    await shows(button(page, 'View All Events')).toBeHidden();
    await button(page, /Concerts/).click();
    await shows(button(page, 'View All Events')).toBeVisible();
    expect(complaints).toEqual([]);
    await leave(page);
  });

  test('leads from the first account to a sold and admitted ticket', async () => {
    const { program, dataDir } = site;
    const made = new Program('command-api/create-superuser.ts', {
      args: ['--email', OWNER, '--first-name', 'Olive'],
      env: { DATA_DIR: dataDir, SUPERUSER_PASSWORD: DEMO_PASSWORD },
    });
    expect(await made.ended, made.output).toBe(0);
    expect(made.output).toContain(`${OWNER} is a superuser now`);

    const owner = await visit(browser(), site.origin);
    const { page } = owner;
    await page.goto('/auth');
    await page.getByLabel('Email').fill(OWNER);
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await button(page, 'Sign In').click();
    await completeProfile(page);
    await page.goto('/admin');
    await shows(page.getByText('2 of 8 steps are done.')).toBeVisible();
    const step = async (words: string, dialog: string, create: string) => {
      await page.goto('/admin');
      await page.getByRole('link', { name: words }).or(button(page, words)).click();
      await button(page, create).first().click();
      return page.getByRole('dialog', { name: dialog });
    };
    const city = await step('Add a city', 'Add City', 'Add City');
    await city.getByLabel('City name').fill('Whitby');
    await city.getByLabel('State / province').fill('North Yorkshire');
    await city.getByLabel('Country').fill('England');
    await button(city, 'Add City').click();
    await shows(city).toBeHidden();
    const venue = await step('Add a venue', 'Add Venue', 'Add Venue');
    await venue.getByLabel('Venue name').fill('Pier Hall');
    await venue.getByLabel('City', { exact: true }).selectOption('Whitby');
    await venue.getByLabel('Address').fill('1 Pier Road');
    await venue.getByLabel('Capacity').fill('80');
    await button(venue, 'Add Venue').click();
    await shows(venue).toBeHidden();
    const event = await step('Create an event', 'Create Event', 'Create Event');
    await event.getByLabel('Title').fill('First Night');
    await event.getByLabel('Description').fill('Somebody has to begin.');
    await event.getByLabel('Category').selectOption('Concerts');
    await event.getByLabel('City', { exact: true }).selectOption('Whitby');
    await event.getByLabel('Venue').selectOption('Pier Hall');
    await event.getByLabel('Capacity').fill('2');
    await event.getByLabel('Price in pounds').fill('12.00');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await event.getByLabel('Date').fill(tomorrow);
    await event.getByLabel('Time').fill('19:30');
    await button(event, 'Upload image').click();
    const upload = page.getByRole('dialog', { name: 'Upload an image' });
    const buffer = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#933' } })
      .jpeg()
      .toBuffer();
    await upload.getByLabel('File').setInputFiles({ name: 'pier.jpg', mimeType: 'image/jpeg', buffer });
    // A proxy in front of the site that takes less than the site does says it in its own way.
    await page.route('**/api/admin/images', (route) => route.fulfill({ status: 413, body: '<h1>413</h1>' }));
    await button(upload, 'Upload').click();
    await shows(toast(page, 'Failed to upload image. Please try again.')).toBeVisible();
    await page.unroute('**/api/admin/images');
    await button(upload, 'Upload').click();
    await shows(toast(page, 'Image uploaded successfully and set as event image')).toBeVisible();
    await shows(event.getByLabel('Picture’s address')).toHaveValue(/^\/images\//);
    await button(event, 'Create Event').click();
    await shows(event).toBeHidden();
    await page.goto('/admin?tab=images');
    await button(page, 'Set as logo: pier.jpg').click();
    await button(page.getByRole('dialog'), 'Set as logo').click();
    await shows(page.getByRole('dialog')).toBeHidden();

    const customer = { firstName: 'Cora', lastName: 'Quayle', email: 'cora@example.com' };
    const guest = await visit(browser(), site.origin, { width: 390 });
    await guest.page.goto('/');
    await shows(guest.page.getByRole('banner').getByRole('img')).toHaveJSProperty('complete', true);
    await guest.page.getByRole('link', { name: 'First Night' }).first().click();
    await shows(guest.page.getByRole('main').locator('img[src$=".webp"]').first()).toBeVisible();
    await guest.page.getByRole('main').getByRole('link', { name: 'Book Now' }).first().click();
    await register(guest.page, { ...customer, password: DEMO_PASSWORD });
    await verifyEmail(guest.page, site, customer);
    await completeProfile(guest.page);
    await buy(guest.page, 1, '£12.00');
    const booking = bookingOf(guest.page, 'First Night');
    await shows(booking.getByText('Confirmed', { exact: true })).toBeVisible();
    const reference = /BK[A-Z0-9]{8}/.exec((await booking.textContent()) ?? '')?.[0] ?? '';

    await page.goto('/admin');
    await shows(page.getByText('£12.00 revenue')).toBeVisible();
    await page.goto('/scanner');
    await page.getByLabel('Name or reference').fill(reference);
    await button(page, 'Search').click();
    await button(page, /^Let in/)
      .first()
      .click();
    await shows(page.getByText('Cora Quayle').first()).toBeVisible();
    expect(owner.complaints).toEqual([expect.stringContaining('status of 413')]);
    expect(guest.complaints).toEqual([]);
    expect(program.output).not.toMatch(/"level":"(warn|error|fatal)"/);
    await leave(guest.page);
    await leave(page);
  });
});
