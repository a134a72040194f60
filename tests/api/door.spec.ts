/** The door: who is let in, who is turned away and why, and what the scanner shows of it. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { type OfflineScan, ticketCalls, ticketTokenOf } from '#domain/contracts/tickets.ts';
import { listing } from '#domain/listing/listing.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { bought, codesOf, DAY, type Hall, HOUR, inTime, openHall } from '#tests/kit/programme.ts';
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
  it('is valid again under its own id, and admits nobody twice', async () => {
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

  it('must have a UUID', async () => {
    const reply = await staff.browser.post('/api/tickets/scan', { encryptedData: 'x', scanId: 'mine' });
    expect(reply).toMatchObject({ status: 400, body: { fields: { scanId: 'Must be a UUID' } } });
  });
});

describe('a ticket for another day', () => {
  it('is refused with that reason, and a late-night event’s ticket only in the morning', async () => {
    const eventId = await hall.listed({ title: 'Until late', ...inTime(5 * DAY), time: '23:30' });
    const { schedule } = (await site.deps.handler.state(listing, eventId)).state;
    const start = Date.parse(schedule?.startsAt ?? '');
    const told = async (now: number) => {
      const { link } = await ticketFor(eventId);
      vi.useFakeTimers({ now, toFake: ['Date'] });
      try {
        const kim = await site.member('staff', 'Kim');
        const { valid, validationDetails } = await scan(link, {}, kim);
        return [valid, validationDetails?.some((note) => note.startsWith('Not today'))];
      } finally {
        vi.useRealTimers();
      }
    };
    expect(await told(start - DAY)).toEqual([true, true]);
    for (const hours of [-1, 1, 5]) expect(await told(start + hours * HOUR)).toEqual([true, false]);
    expect(await told(start + 7 * HOUR)).toEqual([true, true]);
  });
});

describe('a refused ticket', () => {
  it('is listed with time, gate, scanner and reason, and shown in the customer’s history', async () => {
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
    const history = await buyer.browser.ask(bookingCalls.history, { params: { id } });
    expect(
      history.filter(({ kind }) => kind === 'refused').map(({ title, detail }) => [title, detail]),
    ).toEqual([
      ['Shown at the door and refused', wrong.error],
      ['Shown at the door and refused', cancelled.error],
    ]);
  });

  it('is not listed if its code is not ours, because it names nobody', async () => {
    const before = (await refusals()).length;
    expect(await scan('https://elsewhere.example/verify-ticket/abc')).toMatchObject({
      valid: false,
      code: 'TICKET_FORGED',
      user: null,
    });
    expect(await refusals()).toHaveLength(before);
  });

  it('can still be admitted at the right gate', async () => {
    const [here, there] = [await listed('Here too'), await listed('There too')];
    const { link } = await ticketFor(here);
    expect(await scan(link, { eventId: there })).toMatchObject({ valid: false });
    expect(await scan(link, { eventId: here })).toMatchObject({ valid: true, quantity: 1 });
  });
});

describe('the gate’s list of events', () => {
  it('has events that are on or start soon, until their tickets expire', async () => {
    const { handler } = site.deps;
    const eventId = await listed('Doors open', 3 * HOUR);
    const { schedule } = (await handler.state(listing, eventId)).state;
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

const counts = (eventId: number) => staff.browser.ask(ticketCalls.counts, { query: { eventId } });
/** Lets somebody see what another has done by now. */
const seenBy = ({ browser }: Member, doer: Member = staff): void => {
  const { position = '' } = doer.browser;
  if (position > (browser.position ?? '')) browser.position = position;
};

describe('the counts of an event', () => {
  it('are the people admitted and still expected, without cancelled bookings', async () => {
    const eventId = await listed('Counted');
    const { link } = await ticketFor(eventId, 3);
    const second = await ticketFor(eventId, 2);
    seenBy(staff, second.buyer);
    expect(await counts(eventId)).toEqual({ eventId, expected: 5, inside: 0, conflicts: 0 });
    await scan(link);
    expect(await counts(eventId)).toMatchObject({ expected: 5, inside: 3 });
    await second.buyer.browser.post('/api/bookings/cancel', {
      bookingId: second.id,
      reason: 'I have fallen ill.',
    });
    seenBy(staff, second.buyer);
    expect(await counts(eventId)).toMatchObject({ expected: 3, inside: 3 });
  });

  it('are refused for an event that does not exist', async () => {
    expect(await staff.browser.get('/api/tickets/counts?eventId=2147483647')).toMatchObject({ status: 404 });
    expect(await staff.browser.get('/api/tickets/counts')).toMatchObject({ status: 400 });
  });

  it('are sent to all gates as they change, and to no one else', async () => {
    const eventId = await listed('Live at the door');
    const { link } = await ticketFor(eventId, 2);
    const listen = async ({ browser }: Pick<Member, 'browser'>) => {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const leaving = new AbortController();
      const { signal } = leaving;
      const stream = await fetch(`${site.origin}/api/sse/events`, { headers: { cookie }, signal });
      let heard = '';
      const reading = (async () => {
        for await (const chunk of stream.body ?? []) heard += Buffer.from(chunk).toString();
      })().catch(() => undefined);
      const close = () => {
        leaving.abort();
        return reading;
      };
      return { heard: () => heard, close };
    };
    const gate = await listen(staff);
    const other = await listen(await site.member());
    await scan(link);
    await eventually(() =>
      expect(gate.heard()).toContain(`"counts":{"eventId":${eventId},"expected":2,"inside":2,"conflicts":0}`),
    );
    expect(other.heard()).not.toContain('doorUpdate');
    await gate.close();
    await other.close();
  });
});

describe('a mistaken scan', () => {
  const recent = (eventTitle: string, { browser } = staff) =>
    browser.ask(ticketCalls.recentScans, { query: { search: eventTitle } });
  const undo = (one: { booking: { id: number }; page: number; scannedAt: string }, { browser } = staff) =>
    browser.send(ticketCalls.undoScan, {
      body: {
        ...{ bookingId: one.booking.id, page: one.page, scannedAt: one.scannedAt },
        reason: 'Pointed at the wrong phone',
      },
    });

  it('is undone with a reason: the ticket admits again, and the history shows why', async () => {
    const eventId = await listed('Undone');
    const { id, link, buyer } = await ticketFor(eventId, 2);
    await scan(link, { gate: 'North' });
    const [one] = await recent('Undone');
    if (!one) throw new Error('the scan is not listed');
    expect(one).toMatchObject({ booking: { id }, page: 1, scannedById: staff.id });
    expect(await undo(one)).toMatchObject({ status: 200 });
    expect(await recent('Undone')).toEqual([]);
    expect(await counts(eventId)).toMatchObject({ inside: 0 });
    const token = ticketTokenOf(link);
    const check = () => staff.browser.ask(ticketCalls.verify, { params: { token } });
    expect(await check()).toMatchObject({ standing: 'good' });
    expect(await undo(one)).toMatchObject({ status: 409, body: { code: 'SCAN_UNDONE' } });

    expect(await scan(link)).toMatchObject({ valid: true, quantity: 2 });
    expect(await recent('Undone')).toHaveLength(1);
    seenBy(buyer);
    const history = await buyer.browser.ask(bookingCalls.history, { params: { id } });
    expect(history.filter(({ by }) => by === 'door staff')).toMatchObject([
      { title: 'Admitted 2', detail: 'North' },
      { kind: 'scan-undone', title: 'Admission undone', detail: 'Pointed at the wrong phone' },
      { title: 'Admitted 2' },
    ]);
  });

  it('is undone by its scanner or by an admin', async () => {
    const { link } = await ticketFor(await listed('Not yours'));
    await scan(link);
    const [one] = await recent('Not yours');
    if (!one) throw new Error('the scan is not listed');
    const sam = await site.member('staff', 'Sam');
    expect(await undo(one, sam)).toMatchObject({ status: 403, body: { code: 'NOT_YOUR_SCAN' } });
    const boss = await site.member('admin', 'Alex');
    expect(await undo(one, boss)).toMatchObject({ status: 200 });
  });

  it('needs a reason and an existing scan', async () => {
    const body = { bookingId: 1, page: 1, scannedAt: new Date().toISOString(), reason: ' ' };
    const reply = await staff.browser.send(ticketCalls.undoScan, { body });
    expect(reply).toMatchObject({ status: 400, body: { fields: { reason: 'Please say why' } } });
    const absent = { ...body, bookingId: 2_000_000_000, reason: 'Wrong' };
    expect(await staff.browser.send(ticketCalls.undoScan, { body: absent })).toMatchObject({ status: 404 });
  });
});

describe('a guest without a code', () => {
  const find = (search: string, eventId: number, { browser } = staff) =>
    browser.ask(ticketCalls.guests, { query: { search, eventId } });

  it('is found by name or reference and admitted under the same rules', async () => {
    const eventId = await listed('Forgot the phone');
    const { id, link, buyer } = await ticketFor(eventId, 3);
    seenBy(staff, buyer);
    const [found, ...others] = await find('ashby ANN', eventId);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      ...{ bookingId: id, name: 'Ann Ashby', quantity: 3, admitted: 0, status: 'confirmed' },
      event: { id: eventId, title: 'Forgot the phone' },
    });
    expect(await find(found?.reference ?? '', eventId)).toEqual([found]);
    expect(await find('Nobody', eventId)).toEqual([]);

    const admit = (more: object = {}) =>
      staff.browser.ask(ticketCalls.admit, { body: { bookingId: id, eventId, ...more } });
    const elsewhere = await admit({ eventId: eventId + 1 });
    expect(elsewhere).toMatchObject({ valid: false, code: 'TICKET_WRONG_EVENT' });
    const scanId = crypto.randomUUID();
    const first = await admit({ scanId });
    expect(first).toMatchObject({ valid: true, quantity: 3 });
    expect(await admit({ scanId })).toEqual(first);
    expect(await admit()).toMatchObject({ valid: false, code: 'TICKET_USED' });
    expect(await scan(link)).toMatchObject({ valid: false, code: 'TICKET_USED' });
    expect(await find('Ashby', eventId)).toMatchObject([{ admitted: 3 }]);
    const nobody = await staff.browser.send(ticketCalls.admit, { body: { bookingId: 2_000_000_000 } });
    expect(nobody).toMatchObject({ status: 404, body: { code: 'BOOKING_NOT_FOUND' } });
  });

  it('is not admitted once the booking is cancelled', async () => {
    const eventId = await listed('Cancelled guest');
    const { id, buyer } = await ticketFor(eventId);
    await buyer.browser.post('/api/bookings/cancel', { bookingId: id, reason: 'I have fallen ill.' });
    seenBy(staff, buyer);
    const [found] = await find('Ashby', eventId);
    expect(found?.status).not.toBe('confirmed');
    const answer = await staff.browser.ask(ticketCalls.admit, { body: { bookingId: id } });
    expect(answer.code).toMatch(/^TICKET_(CANCELLED|REFUNDED)$/);
  });

  it('is searched for at most twenty times at once, and the log records the reader', async () => {
    const eventId = await listed('In the log');
    const { id, buyer } = await ticketFor(eventId);
    seenBy(staff, buyer);
    await find('Ashby', eventId);
    const shown: unknown[] = [];
    const stream = `reads-${new Date().toISOString().slice(0, 10)}`;
    for await (const { type, data, meta } of site.deps.log.readStream(stream))
      if (type === 'GuestsShown' && meta.includes(staff.id)) shown.push(JSON.parse(data));
    expect(shown.at(-1)).toEqual({ listingId: eventId, bookings: [id] });
    const blank = await staff.browser.get('/api/tickets/guests?search=%20');
    expect(blank).toMatchObject({ status: 400 });
  });
});

describe('an offline gate', () => {
  const send = async (scans: readonly Partial<OfflineScan>[], { browser } = staff) =>
    browser.ask(ticketCalls.offlineScans, {
      body: {
        scans: scans.map((one) => ({
          ...{ encryptedData: '', scanId: crypto.randomUUID(), ago: 60_000, admitted: 1, gate: 'Yard' },
          ...one,
        })),
      },
    });
  const conflicts = (search: string) => staff.browser.ask(ticketCalls.conflicts, { query: { search } });

  it('stores the tickets of its event as numbers, without names', async () => {
    const eventId = await listed('Kept', 3 * HOUR);
    const later = await listed('Not today', 60 * HOUR);
    const good = await ticketFor(eventId, 3);
    const gone = await ticketFor(eventId);
    await gone.buyer.browser.post('/api/bookings/cancel', {
      bookingId: gone.id,
      reason: 'I have fallen ill.',
    });
    await scan(good.link);
    seenBy(staff, gone.buyer);
    const day = await staff.browser.ask(ticketCalls.day, { query: { eventId } });
    expect(day.events).toHaveLength(1);
    const [event] = day.events;
    expect(event?.tickets.map(([id, quantity]) => [id, quantity])).toEqual([
      [good.id, 3],
      [gone.id, 1],
    ]);
    expect([...(event?.cancelled ?? []), ...(event?.refunded ?? [])]).toEqual([gone.id]);
    expect(event?.entries).toMatchObject([{ bookingId: good.id, page: 1, quantity: 3 }]);
    expect(day.keys).toEqual(site.foundation.signer.publicKeys);
    expect(JSON.stringify(day)).not.toMatch(/Ashby|people\.example/);
    const all = await staff.browser.ask(ticketCalls.day);
    expect(all.events.map(({ id }) => id)).toContain(eventId);
    expect(all.events.map(({ id }) => id)).not.toContain(later);
  });

  it('can send its scans afterwards, repeatedly', async () => {
    const eventId = await listed('Caught up');
    const { link } = await ticketFor(eventId, 2);
    const scanId = crypto.randomUUID();
    const before = Date.now();
    for (let time = 0; time < 2; time += 1)
      expect(await send([{ encryptedData: link, scanId, admitted: 2, ago: 600_000 }])).toEqual([
        { scanId, outcome: 'recorded' },
      ]);
    expect(await counts(eventId)).toMatchObject({ inside: 2, conflicts: 0 });
    const [one, ...others] = await staff.browser.ask(ticketCalls.recentScans, {
      query: { search: 'Caught up' },
    });
    expect(others).toEqual([]);
    expect(Math.abs(Date.parse(one?.scannedAt ?? '') - (before - 600_000))).toBeLessThan(300_000);
    expect(await scan(link)).toMatchObject({ valid: false, code: 'TICKET_USED' });
  });

  it('that admitted a copy leads to a conflict naming both scans, the earlier one first', async () => {
    const eventId = await listed('Two yards');
    const { link, id } = await ticketFor(eventId, 2);
    const sam = await site.member('staff', 'Sam');
    await send([{ encryptedData: link, admitted: 2, gate: 'South', ago: 60_000 }]);
    const copy = {
      encryptedData: link,
      scanId: crypto.randomUUID(),
      admitted: 2,
      gate: 'North',
      ago: 120_000,
    };
    const [answer] = await send([copy], sam);
    expect(answer?.outcome).toBe('conflict');
    // Its answer was lost, and it is sent again.
    expect(await send([copy], sam)).toEqual([answer]);
    seenBy(staff, sam);
    expect(await conflicts('Two yards')).toMatchObject([
      {
        ...{ booking: { id }, quantity: 2, code: 'TICKET_USED' },
        first: { gate: 'North', scannedBy: 'Sam Ashby' },
        copy: { gate: 'South', scannedBy: 'Kim Ashby' },
      },
    ]);
    expect(await counts(eventId)).toMatchObject({ expected: 2, inside: 2, conflicts: 2 });
  });

  it('that admitted too many people leads to a conflict that stays when the scan is undone', async () => {
    const eventId = await listed('Too many');
    const { id } = await ticketFor(eventId, 2);
    const [both = '', one = ''] = await codesOf(site, id);
    await scan(one);
    await send([{ encryptedData: both, admitted: 2 }]);
    const search = 'Too many';
    const recent = () => staff.browser.ask(ticketCalls.recentScans, { query: { search } });
    const [{ page, scannedAt } = { page: 0, scannedAt: '' }] = (await recent()).filter(
      ({ page }) => page === 1,
    );
    const undone = { bookingId: id, page, scannedAt, reason: 'Pointed at the wrong phone' };
    expect(await staff.browser.send(ticketCalls.undoScan, { body: undone })).toMatchObject({ status: 200 });
    expect(await recent()).toHaveLength(1);
    expect(await counts(eventId)).toMatchObject({ inside: 1, conflicts: 1 });
    expect(await conflicts(search)).toMatchObject([{ booking: { id }, quantity: 1 }]);
  });

  it('that admitted a booking cancelled meanwhile leads to a conflict too', async () => {
    const eventId = await listed('Cancelled meanwhile');
    const { link, id, buyer } = await ticketFor(eventId);
    await buyer.browser.post('/api/bookings/cancel', { bookingId: id, reason: 'I have fallen ill.' });
    expect((await send([{ encryptedData: link }]))[0]?.outcome).toBe('conflict');
    const [conflict] = await conflicts('Cancelled meanwhile');
    expect(conflict).toMatchObject({ first: null, booking: { id } });
    expect(conflict?.code).toMatch(/^TICKET_(CANCELLED|REFUNDED)$/);
  });

  it('reports its refused scans once', async () => {
    const { link } = await ticketFor(await listed('Refused in the yard'));
    const scanId = crypto.randomUUID();
    const refused = { encryptedData: link, scanId, admitted: 0, why: 'TICKET_WRONG_EVENT' } as const;
    await send([refused]);
    await send([refused]);
    const all = await staff.browser.ask(ticketCalls.refusedScans, {
      query: { search: 'Refused in the yard' },
    });
    expect(all).toMatchObject([{ code: 'TICKET_WRONG_EVENT', gate: 'Yard' }]);
  });

  it('can send malformed tickets, which are reported', async () => {
    expect((await send([{ encryptedData: 'not a ticket' }]))[0]?.outcome).toBe('unknown');
    for (const wrong of [{ ago: -1 }, { ago: 8 * 86_400_000 }, { admitted: -1 }, { scanId: 'x' }])
      expect(
        await staff.browser.post('/api/tickets/offline-scans', {
          scans: [{ encryptedData: 'x', scanId: crypto.randomUUID(), ago: 1, admitted: 1, ...wrong }],
        }),
      ).toMatchObject({ status: 400 });
    expect(await staff.browser.post('/api/tickets/offline-scans', { scans: [] })).toMatchObject({
      status: 400,
    });
  });
});
