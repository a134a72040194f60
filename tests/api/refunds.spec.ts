/** What superusers say of refunds, and which of it the customer reads. */

import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addCategory } from '#command-api/catalogue/categories.ts';
import { addListing, newListingId } from '#command-api/catalogue/listings.ts';
import { addCity, addVenue } from '#command-api/catalogue/places.ts';
import { createEventRequest } from '#domain/contracts/admin-events.ts';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { paymentCalls } from '#domain/contracts/payments.ts';
import { refundCalls } from '#domain/contracts/refunds.ts';
import { toWallClock } from '#domain/zone.ts';
import { answerOf } from '#tests/kit/answers.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { type Member, type Site, startSite } from './site.ts';

const HOUR = 3_600_000;

let site: Site;
let superuser: Member;
let listingId: number;

beforeAll(async () => {
  site = await startSite();
  const { deps } = site.commands;
  const city = await addCity(
    deps,
    { name: 'Leeds', state: 'England', country: 'United Kingdom' },
    site.acting(),
  );
  const venue = await addVenue(
    deps,
    { name: 'Corn Exchange', address: 'Call Lane', cityId: city, capacity: 90 },
    site.acting(),
  );
  await addCategory(deps, { name: 'Concerts', emoji: '🎵', description: '' }, site.acting());
  listingId = await newListingId(deps);
  // Within a day of the start: the rule denies, and a superuser may think otherwise.
  const start = toWallClock(new Date(Date.now() + 12 * HOUR).toISOString(), 'Europe/London');
  const form = createEventRequest.parse({
    title: 'Paper Moons',
    description: '<p>Shadow theatre.</p>',
    category: 'concerts',
    location: 'Call Lane, Leeds',
    cityId: city,
    venueId: venue,
    ...start,
    price: 20,
    capacity: 50,
  });
  await addListing(listingId, form, site.acting());
  superuser = await site.member('superuser', 'Sue');
});
afterAll(() => site.close());

/** Somebody whose booking was cancelled, and denied a refund by the rule. */
const denied = async () => {
  const { browser } = await site.member();
  const order = { eventId: listingId, quantity: 1 };
  const intent = await browser.post('/api/create-payment-intent', { ...order, amount: '20.00' });
  await site.pay(answerOf(paymentCalls.createIntent, intent.body));
  const made = await browser.post('/api/bookings', { ...order, totalAmount: '20.00' });
  const { id } = answerOf(bookingCalls.create, made.body);
  const cancelled = await browser.post('/api/bookings/cancel', {
    bookingId: id,
    reason: 'I have fallen ill.',
  });
  expect(cancelled.body).toMatchObject({ refundApproved: false });
  const process = (body: object) => superuser.browser.post(`/api/admin/refunds/${id}/process`, body);
  await eventually(async () => expect((await process({ approved: null })).status).toBe(200));
  const shown = async () => ({
    booking: answerOf(bookingCalls.read, (await browser.get(`/api/bookings/${id}`)).body),
    trail: answerOf(bookingCalls.history, (await browser.get(`/api/bookings/${id}/history`)).body),
  });
  return { id, process, shown };
};

it('keeps an approval’s notes among superusers', async () => {
  const { id, process, shown } = await denied();
  const notes = 'Third time this year, watch this one';
  expect(await process({ approved: true, notes })).toMatchObject({ status: 200 });
  await eventually(async () => expect((await shown()).booking.refundStatus).toBe('completed'));
  const { booking, trail } = await shown();
  expect(trail.map(({ kind }) => kind)).toContain('refund-approved');
  expect(booking.refundNote).toBeNull();
  expect(JSON.stringify([booking, trail])).not.toContain(notes);
  const listed = await superuser.browser.get('/api/admin/refunds?limit=10&offset=0');
  const refunds = answerOf(refundCalls.list, listed.body);
  expect(refunds.find((refund) => refund.id === id)).toMatchObject({ decision: notes });
});

it('tells the customer why it was denied', async () => {
  const { process, shown } = await denied();
  const notes = 'The doors had opened when you cancelled.';
  expect(await process({ approved: false, notes })).toMatchObject({ status: 200 });
  await eventually(async () => expect((await shown()).booking.refundNote).toBe(notes));
  expect((await shown()).trail.filter(({ kind }) => kind === 'refund-denied').at(-1)).toMatchObject({
    detail: notes,
  });
});

it('keeps what was said with a decision in the customer’s mail and, sealed, in the log, and nowhere else', async () => {
  const { process } = await denied();
  const { config, database } = site.foundation;
  const outbox = join(config.dataDir, 'outbox');
  // More than one word each, which a seal may happen to hold.
  await process({ approved: false, notes: 'No dogs allowed' });
  await eventually(async () => {
    const files = await Array.fromAsync(glob(join(outbox, '*refund-denied.eml')));
    const mails = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    expect(mails.join()).toContain('No dogs allowed');
  });
  await process({ approved: true, notes: 'No dogs after all' });
  const kept = await database.pool.query(
    `select data from log.event union all select payload::text from app.job
     union all select data::text from app.outbox where data is not null`,
  );
  expect(kept.rows.map(({ data }) => data).join()).not.toContain('No dogs');
});
