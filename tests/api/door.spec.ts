/** The door: who is let in, who is turned away and why, and what the scanner shows of it. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { listing } from '#domain/listing/listing.ts';
import { bought, codesOf, type Hall, HOUR, inTime, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let hall: Hall;
let staff: Member;

beforeAll(async () => {
  site = await startSite();
  hall = await openHall(site);
  staff = await site.member('staff', 'Kim');
});

const listed = (title: string, startsIn = 30 * HOUR) => hall.listed({ title, ...inTime(startsIn) });
/** Somebody with a ticket: the page of the site that its code opens. */
const ticketFor = async (eventId: number, quantity = 1) => {
  const buyer = await site.member();
  const { id } = await bought(site, buyer, eventId, quantity);
  const [link = ''] = await codesOf(site, id);
  return { id, link, buyer };
};
const scan = (encryptedData: string, more: object = {}, { browser } = staff) =>
  browser.ask(ticketCalls.scan, { body: { encryptedData, ...more } });
const refusals = () => staff.browser.ask(ticketCalls.refusedScans);

describe('a scan whose answer was lost', () => {
  it('is valid again under its own id, and nobody is let in twice', async () => {
    const { link } = await ticketFor(await listed('Lost and found'), 2);
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
    const [here, there] = [await listed('Here'), await listed('There')];
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
    buyer.browser.position = staff.browser.position;
    const trail = await buyer.browser.ask(bookingCalls.history, { params: { id } });
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
    const [here, there] = [await listed('Here too'), await listed('There too')];
    const { link } = await ticketFor(here);
    expect(await scan(link, { eventId: there })).toMatchObject({ valid: false });
    expect(await scan(link, { eventId: here })).toMatchObject({ valid: true, quantity: 1 });
  });
});

describe('a gate', () => {
  it('is for what is on now or soon: also once it has started, until its tickets expire', async () => {
    const { lane } = site.deps;
    const eventId = await listed('Doors open', 3 * HOUR);
    const { schedule } = (await lane.state(listing, eventId)).state;
    const start = Date.parse(schedule?.startsAt ?? '');
    const gates = async (now: number) => {
      vi.useFakeTimers({ now, toFake: ['Date'] });
      try {
        // The session of whoever signed in before would have ended by then.
        const { browser } = await site.member('staff', 'Kim');
        return (await browser.ask(ticketCalls.gates)).map(({ id }) => id);
      } finally {
        vi.useRealTimers();
      }
    };
    expect(await gates(Date.now())).toContain(eventId);
    expect(await gates(start + HOUR)).toContain(eventId);
    expect(await gates(start + 25 * HOUR)).not.toContain(eventId);
  });
});
