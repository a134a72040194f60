/** What is left of an erased person on the disk, on a PostgreSQL of its own: nothing, in no file. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { newsletterCalls } from '#domain/contracts/newsletter.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { city } from '#domain/place/city.ts';
import { venue } from '#domain/place/venue.ts';
import { cleanFiles } from '#infra/postgres/clean-files.ts';
import { startEmbedded } from '#infra/postgres/embedded.ts';
import { makeRoles } from '#infra/postgres/roles.ts';
import { recheck } from '#infra/proof/proof.ts';
import { projections } from '#projector/projections/all.ts';
import { compareWithRebuild } from '#projector/rebuild/rebuild.ts';
import { atTheEnd } from './kit/endings.ts';
import { eventually } from './kit/eventually.ts';
import { freshFolder } from './kit/folder.ts';
import { putOnSale } from './kit/listing-on-sale.ts';
import { DAY } from './kit/programme.ts';
import { startSite } from './kit/site.ts';

const ADDRESS = '203.0.113.77';
const REASON = 'Canary words of my own.';

/** The files under some folders that have one of some bytes. */
const filesWith = async (folders: readonly string[], bytes: readonly Buffer[]): Promise<string[]> => {
  const found: string[] = [];
  for (const folder of folders)
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      // PostgreSQL removes files while it runs.
      const content = await readFile(path).catch(() => Buffer.alloc(0));
      for (const some of bytes) if (content.includes(some)) found.push(`${path}: ${some.toString('latin1')}`);
    }
  return found;
};

it('an erased person leaves nothing in any file, and the log verifies and gives the same read models', async () => {
  const folder = await freshFolder();
  const dataDir = join(folder, 'postgres');
  // Compressed pages could hold what no search finds.
  const embedded = await startEmbedded({ dataDir, settings: { wal_compression: 'off' } });
  atTheEnd(() => embedded.stop('immediate'));
  const site = await startSite({ env: { DATA_DIR: folder }, urls: await makeRoles(embedded.url) });
  const elsewhere = await readFile(join(dataDir, 'location'), 'utf8').catch(() => undefined);
  const folders = elsewhere ? [folder, elsewhere] : [folder];

  const acting = site.acting();
  const place = { name: 'London', state: 'England', country: 'United Kingdom', zone: 'Europe/London' };
  await acting.do(city, 1, { type: 'AddCity', cityId: 1, ...place });
  const hall = { name: 'The Hall', address: '1 High Street', cityId: 1, capacity: 10_000 };
  await acting.do(venue, 1, { type: 'AddVenue', venueId: 1, ...hall });
  const [date = '', time = ''] = new Date(Date.now() + 30 * DAY).toISOString().split(/[T.]/);
  const start = { date, time: time.slice(0, 5), zone: 'UTC' };
  await putOnSale({ listingId: 900, price: 0, capacity: 10, start }, acting);

  const zed = await site.member('user', 'Zbigniewa');
  const browser = site.visitor(ADDRESS);
  for (const [name, value] of zed.browser.cookies) browser.cookies.set(name, value);
  const booked: number[] = [];
  for (const quantity of [1, 2]) {
    const intent = { eventId: 900, quantity, amount: '0.00' };
    expect((await browser.post('/api/create-payment-intent', intent)).status).toBe(200);
    const reply = await browser.post('/api/bookings', { eventId: 900, quantity, totalAmount: '0.00' });
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    booked.push(reply.body.id);
  }
  await browser.ask(bookingCalls.cancel, { body: { bookingId: booked[0] ?? 0, reason: REASON } });
  await browser.ask(newsletterCalls.subscribe, { body: { email: zed.email } });
  const message = { name: 'Zbigniewa', email: zed.email, message: REASON };
  expect((await browser.post('/api/contact-support', message)).status).toBe(200);

  const admin = new pg.Client({ connectionString: embedded.url });
  await admin.connect();
  atTheEnd(() => admin.end());
  await eventually(async () => {
    const { rows } = await admin.query(
      'select from app.outbox where account_id = $1 and sent_at is not null',
      [zed.id],
    );
    expect(rows.length).toBeGreaterThan(1);
  });
  await site.caughtUp();
  const { rows: keys } = await admin.query<{ wrapped: Buffer }>(
    `select wrapped from keys.subject_key where subject = $1 or subject like 'newsletter-%'`,
    [zed.id],
  );
  expect(keys).toHaveLength(2);
  const traces = [
    ...['Zbigniewa', 'zbigniewa', zed.email, REASON, ADDRESS].map((text) => Buffer.from(text)),
    ...keys.map(({ wrapped }) => wrapped),
  ];
  // What PostgreSQL keeps besides: samples of columns, and rows that it refused.
  await admin.query('analyze; checkpoint');
  await admin
    .query(
      `insert into read.person (email, first_name, favorite_categories) values ('${zed.email}', 'Zbigniewa', '[]')`,
    )
    .catch(() => undefined);
  const before = await filesWith(folders, traces);
  expect(before.some((found) => found.includes('.eml'))).toBe(true);
  expect(before.some((found) => found.includes('/base/'))).toBe(true);
  expect(before.some((found) => found.includes('/pg_wal/'))).toBe(true);

  const { receipt } = await browser.ask(profileCalls.deletionQuote);
  const ask = () => site.visitor().ask(profileCalls.erasureReceipt, { params: { receipt } });
  expect(await browser.call('DELETE', '/api/profile')).toMatchObject({ status: 200 });
  expect(await ask()).toMatchObject({ files: 'being-cleaned', kept: { bookings: 2 }, cleanedAt: null });
  await site.caughtUp();
  await eventually(async () => expect(await cleanFiles(embedded.url)).toBe(1));
  expect(await ask()).toMatchObject({ id: receipt, files: 'clean', cleanedAt: expect.any(String) });
  expect(await filesWith(folders, traces)).toEqual([]);

  const { log, codec, database, checkpointSigner } = site.foundation;
  const { publicKeys } = checkpointSigner;
  const checked = await recheck({ pool: database.pool, log, publicKeys });
  expect(checked.findings).toEqual([]);
  const comparison = await compareWithRebuild({ pool: database.pool, log, codec, projections });
  expect(comparison).toMatchObject({ equal: true });
  expect(await filesWith(folders, traces)).toEqual([]);
  expect(await cleanFiles(embedded.url)).toBe(0);
});
