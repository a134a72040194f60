/** The door: who is let in, who is turned away and why, and what the scanner shows of it. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addCategory } from '#command-api/catalogue/categories.ts';
import { addListing, newListingId } from '#command-api/catalogue/listings.ts';
import { addCity, addVenue } from '#command-api/catalogue/places.ts';
import { booking } from '#domain/booking/booking.ts';
import { type CreateEventRequest, createEventRequest } from '#domain/contracts/admin-events.ts';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { paymentCalls } from '#domain/contracts/payments.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { listing } from '#domain/listing/listing.ts';
import { toWallClock } from '#domain/zone.ts';
import { ticketLinks } from '#infra/tickets/ticket-document.ts';
import { answerOf } from '#tests/kit/answers.ts';
import { type Member, type Site, startSite } from './site.ts';

const HOUR = 3_600_000;

let site: Site;
let staff: Member;
let form: Omit<CreateEventRequest, 'title' | 'date' | 'time'>;

const listed = async (title: string, startsIn: number): Promise<number> => {
  const { deps } = site.commands;
  const id = await newListingId(deps);
  const start = toWallClock(new Date(Date.now() + startsIn).toISOString(), 'Europe/London');
  await addListing(id, createEventRequest.parse({ ...form, title, ...start }), site.acting());
  return id;
};

/** Somebody with a ticket: the page of the site that its code opens. */
const ticketFor = async (eventId: number, quantity = 1) => {
  const buyer = await site.member();
  const totalAmount = (20 * quantity).toFixed(2);
  const order = { eventId, quantity };
  const intent = await buyer.browser.post('/api/create-payment-intent', { ...order, amount: totalAmount });
  await site.pay(answerOf(paymentCalls.createIntent, intent.body));
  const made = await buyer.browser.post('/api/bookings', { ...order, totalAmount });
  const { id } = answerOf(bookingCalls.create, made.body);
  const { lane } = site.commands.deps;
  const { facts, epoch } = (await lane.state(booking, id)).state;
  const { schedule, details } = (await lane.state(listing, eventId)).state;
  if (!facts || !schedule || !details) throw new Error(`booking ${id} is not there`);
  const [link = ''] = ticketLinks(
    {
      ...{ bookingId: id, reference: facts.reference, listingId: eventId, quantity, epoch },
      ...{ title: details.title, venue: '', location: '', holder: null, ...schedule },
    },
    site.foundation.signer,
    'http://localhost:3000',
  );
  return { id, link, buyer };
};
const scan = async (encryptedData: string, more: object = {}, { browser } = staff) =>
  answerOf(ticketCalls.scan, (await browser.post('/api/tickets/scan', { encryptedData, ...more })).body);
const refusals = async () =>
  answerOf(ticketCalls.refusedScans, (await staff.browser.get('/api/tickets/refused-scans')).body);

beforeAll(async () => {
  site = await startSite();
  const { deps } = site.commands;
  const place = { state: 'England', country: 'United Kingdom' };
  const city = await addCity(deps, { name: 'Leeds', ...place }, site.acting());
  const hall = { name: 'Corn Exchange', address: 'Call Lane', cityId: city, capacity: 90 };
  const venue = await addVenue(deps, hall, site.acting());
  await addCategory(deps, { name: 'Concerts', emoji: '🎵', description: '' }, site.acting());
  form = {
    description: '<p>Shadow theatre.</p>',
    category: 'concerts',
    location: 'Call Lane, Leeds',
    cityId: city,
    venueId: venue,
    price: 20,
    capacity: 50,
  };
  staff = await site.member('staff', 'Kim');
});
afterAll(() => site.close());

describe('a scan whose answer was lost', () => {
  it('is valid again under its own id, and nobody is let in twice', async () => {
    const { link } = await ticketFor(await listed('Lost and found', 30 * HOUR), 2);
    const scanId = crypto.randomUUID();
    const first = await scan(link, { scanId });
    expect(first).toMatchObject({ valid: true, quantity: 2, scannedBy: 'Kim Ashby' });
    const again = await scan(link, { scanId });
    expect(again).toEqual(first);
    expect(await scan(link, { scanId: crypto.randomUUID() })).toMatchObject({ code: 'TICKET_USED' });
    const sam = await site.member('staff', 'Sam');
    expect(await scan(link, { scanId }, sam)).toMatchObject({ valid: false, code: 'TICKET_USED' });
  });

  it('has an id that is one', async () => {
    const reply = await staff.browser.post('/api/tickets/scan', { encryptedData: 'x', scanId: 'mine' });
    expect(reply).toMatchObject({ status: 400, body: { fields: { scanId: 'Must be a UUID' } } });
  });
});

describe('who is turned away', () => {
  it('is in the list with when, where, by whom and why, and in the customer’s history', async () => {
    const [here, there] = [await listed('Here', 30 * HOUR), await listed('There', 30 * HOUR)];
    const { id, link, buyer } = await ticketFor(here);
    const wrong = await scan(link, { eventId: there, gate: 'North' });
    expect(wrong).toMatchObject({
      valid: false,
      code: 'TICKET_WRONG_EVENT',
      error: 'This ticket is for a different event.',
      event: { title: 'Here' },
      user: { email: buyer.email },
    });
    const cancel = { bookingId: id, reason: 'I have fallen ill.' };
    expect(await buyer.browser.post('/api/bookings/cancel', cancel)).toMatchObject({ status: 200 });
    const cancelled = await scan(link);
    expect(cancelled.code).toMatch(/^TICKET_(CANCELLED|REFUNDED)$/);

    const [second, first] = await refusals();
    expect(first).toMatchObject({
      ...{ event: { title: 'Here' }, user: { email: buyer.email }, gate: 'North', scannedBy: 'Kim Ashby' },
      ...{ code: 'TICKET_WRONG_EVENT', error: wrong.error },
    });
    expect(second).toMatchObject({ code: cancelled.code, error: cancelled.error, gate: null });
    const history = await buyer.browser.get(`/api/bookings/${id}/history`, {
      'x-min-position': staff.browser.position ?? '',
    });
    const trail = answerOf(bookingCalls.history, history.body);
    expect(
      trail.filter(({ kind }) => kind === 'refused').map(({ title, detail }) => [title, detail]),
    ).toEqual([
      ['Shown at the door and refused', wrong.error],
      ['Shown at the door and refused', cancelled.error],
    ]);
  });

  it('is not in the list for a code that is not ours, which names nobody', async () => {
    const before = (await refusals()).length;
    expect(await scan('https://elsewhere.example/verify-ticket/abc')).toMatchObject({
      valid: false,
      code: 'TICKET_FORGED',
      user: null,
    });
    expect(await refusals()).toHaveLength(before);
  });

  it('can still come in at the right gate', async () => {
    const [here, there] = [await listed('Here too', 30 * HOUR), await listed('There too', 30 * HOUR)];
    const { link } = await ticketFor(here);
    expect(await scan(link, { eventId: there })).toMatchObject({ valid: false });
    expect(await scan(link, { eventId: here })).toMatchObject({ valid: true, quantity: 1 });
  });
});

describe('a gate', () => {
  it('is for what is on now or soon: also once it has started, until its tickets expire', async () => {
    const { lane } = site.commands.deps;
    const eventId = await listed('Doors open', 3 * HOUR);
    const { schedule } = (await lane.state(listing, eventId)).state;
    const start = Date.parse(schedule?.startsAt ?? '');
    const gates = async (now: number) => {
      vi.useFakeTimers({ now, toFake: ['Date'] });
      try {
        // The session of whoever signed in before would have ended by then.
        const { browser } = await site.member('staff', 'Kim');
        const { body } = await browser.get('/api/tickets/gates');
        return answerOf(ticketCalls.gates, body).map(({ id }) => id);
      } finally {
        vi.useRealTimers();
      }
    };
    expect(await gates(Date.now())).toContain(eventId);
    expect(await gates(start + HOUR)).toContain(eventId);
    expect(await gates(start + 25 * HOUR)).not.toContain(eventId);
  });
});
