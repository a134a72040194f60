/** Bookings, as superusers keep them. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { carryOutPurchase } from '#command-api/purchase/purchase.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { liveAttempt } from '#domain/checkout/state.ts';
import { adminBookingCalls } from '#domain/contracts/admin-bookings.ts';
import { overviewCalls } from '#domain/contracts/admin-overview.ts';
import { type Booking, bookingCalls } from '#domain/contracts/bookings.ts';
import { paymentCalls } from '#domain/contracts/payments.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { refundCalls } from '#domain/contracts/refunds.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { toWallClock } from '#domain/kernel/zone.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { bought, codesOf, type Hall, moveBack, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let hall: Hall;
let sue: Member;
let door: Member;
beforeAll(async () => {
  site = await startSite();
  hall = await openHall(site);
  sue = await site.member('superuser', 'Sue');
  door = await site.member('staff', 'Kim');
});

const list = (query = {}) => sue.browser.ask(adminBookingCalls.list, { query });
const edit = (id: number, status: string, by = sue) =>
  by.browser.call('PATCH', `/api/admin/bookings/${id}`, { status });
const reissue = (id: number) => sue.browser.call('POST', `/api/admin/bookings/${id}/reissue`);
const scan = (encryptedData: string) => door.browser.call('POST', '/api/tickets/scan', { encryptedData });
const sold = async (id: number) => (await site.deps.handler.state(inventory, id)).state.sold;
/** Somebody with two tickets at £20 of a listing. */
const booked = async (firstName = 'Ann', listingId?: number) => {
  const member = await site.member('user', firstName);
  const eventId = listingId ?? (await hall.listed());
  const { id, reference } = await bought(site, member, eventId, 2);
  const shown = async (): Promise<Booking> => {
    await site.caughtUp();
    return member.browser.ask(bookingCalls.read, { params: { id } });
  };
  const history = async () =>
    (await member.browser.ask(bookingCalls.history, { params: { id } })).map(({ title }) => title);
  await site.caughtUp();
  return { member, eventId, id, reference, shown, history };
};
/** The texts of the mails of a kind that were written for an account. */
const mailed = async (kind: string): Promise<string> => {
  const files = await Array.fromAsync(glob(join(site.foundation.config.dataDir, 'outbox', `*${kind}.eml`)));
  const mails = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return mails.join('\n').replace(/=\r?\n/g, '');
};

describe('the list of bookings', () => {
  it('shows who booked what, and is searched by reference, customer and event', async () => {
    const listingId = await hall.listed({ title: 'Winter Brass' });
    const { member, id, reference, shown } = await booked('Annika', listingId);
    const row = {
      id,
      bookingReference: reference,
      user: { firstName: 'Annika', lastName: 'Ashby', email: member.email },
      event: { id: listingId, title: 'Winter Brass', date: hall.form.date, time: hall.form.time },
      quantity: 2,
      totalAmount: '40.00',
      status: 'confirmed',
      dispute: null,
      createdAt: (await shown()).bookingDate,
    };
    for (const search of [reference.toLowerCase(), 'annika ASHBY', member.email, 'winter', 'annika brass'])
      expect(await list({ search })).toEqual([row]);
    // Longer than the random part of a reference, which once contained "JAZZ".
    expect(await list({ search: 'annika saxophone' })).toEqual([]);
    expect(await list({ search: 'winter', status: 'confirmed' })).toHaveLength(1);
    for (const status of ['cancelled', 'completed', 'refunded'])
      expect(await list({ search: 'winter', status })).toEqual([]);
    expect((await list({ sort: 'amount', limit: 1 }))[0]).toMatchObject({ quantity: 2 });
  });

  it('shows a confirmed booking as completed once the day is over, and an erased customer as a deleted account', async () => {
    const { member, eventId, id, reference } = await booked('Gone');
    await moveBack(site, eventId);
    await sue.browser.call('DELETE', `/api/admin/users/${member.id}/hard-delete`, { confirmPermanent: true });
    const nobody = { firstName: null, lastName: null, email: null };
    // The person's key goes once the farewell is on its way.
    await eventually(async () => {
      await site.caughtUp();
      expect(await list({ search: reference, status: 'completed' })).toMatchObject([{ id, user: nobody }]);
    });
    expect(await list({ search: reference, status: 'confirmed' })).toEqual([]);
    const file = await sue.browser.get(`/api/admin/bookings/export-csv?search=${reference}`);
    expect(file.body).toMatch(/\n\w+,Deleted account,,,.*,2,40\.00,completed,/);
  });

  it('shows a booking of a late-night event as completed only in the morning', async () => {
    const { eventId, id, reference, shown } = await booked();
    // A place where midnight was up to an hour ago.
    const hour = new Date().getUTCHours();
    const zone = `Etc/GMT${hour < 12 ? `+${hour}` : `-${24 - hour}`}`;
    const night = (hours: number) =>
      toWallClock(new Date(Date.now() - hours * 3_600_000).toISOString(), zone);
    await moveBack(site, eventId, { ...night(2), zone });
    expect(await shown()).toMatchObject({ status: 'confirmed', tab: 'upcoming' });
    expect(await list({ search: reference, status: 'completed' })).toEqual([]);
    expect(await list({ search: reference, status: 'confirmed' })).toMatchObject([
      { id, status: 'confirmed' },
    ]);
    await moveBack(site, eventId, { ...night(7), zone });
    expect(await shown()).toMatchObject({ status: 'completed', tab: 'past' });
    expect(await list({ search: reference, status: 'completed' })).toMatchObject([
      { id, status: 'completed' },
    ]);
    expect(await list({ search: reference, status: 'confirmed' })).toEqual([]);
  });

  it('is exported as a file, and the audit trail records that', async () => {
    const { reference } = await booked('Fay');
    const file = await sue.browser.get(`/api/admin/bookings/export-csv?search=${reference}`);
    expect(file.headers.get('content-disposition')).toMatch(/filename="bookings-.*\.csv"/);
    expect(file.headers.get('x-total-count')).toBe('1');
    expect(file.body).toMatch(/^\uFEFFReference,First name,.*\nBK\w+,Fay,Ashby,.*,2,40\.00,confirmed,.*\n$/);
    await site.caughtUp();
    const audit = await sue.browser.ask(overviewCalls.audit, { query: { entity: 'export' } });
    expect(audit[0]).toMatchObject({ details: 'bookings, 1 rows', userId: sue.id });
  });
});

it('a paid booking that is not placed yet is pending for its customer and for superusers', async () => {
  const eventId = await hall.listed({ title: 'Slow Post' });
  const ann = await site.member();
  await ann.browser.ask(paymentCalls.createIntent, { body: { eventId, quantity: 2, amount: '40.00' } });
  const acting = site.acting();
  const id = checkoutId(ann.id, eventId);
  const live = liveAttempt((await acting.state(checkout, id)).state);
  const { attempt = '', bookingId = 0, reference, intent } = live ?? {};
  const paid = { attempt, intentId: intent?.intentId ?? '', amount: 4_000, currency: 'gbp' } as const;
  // The process that heard of the payment died here. Events of the demo make no jobs, so that nobody goes on with it.
  await acting.as({ kind: 'system', id: 'demo' }).do(checkout, id, { type: 'RecordPayment', ...paid });
  await site.caughtUp();
  const own = () => ann.browser.ask(bookingCalls.list);
  const all = async () =>
    (await sue.browser.ask(adminBookingCalls.pending)).filter(({ event }) => event.id === eventId);
  const both = { id: bookingId, quantity: 2, totalAmount: '40.00', status: 'pending' };
  expect(await own()).toMatchObject([
    { ...both, reference, tab: 'upcoming', cancellable: false, refundQuote: '0.00', ticketUrl: null },
  ]);
  expect(await all()).toMatchObject([{ ...both, bookingReference: reference, user: { email: ann.email } }]);

  await carryOutPurchase(site.deps.purchases, { userId: ann.id, listingId: eventId, attempt }, acting);
  await site.caughtUp();
  expect(await own()).toMatchObject([{ id: bookingId, reference, status: 'confirmed', cancellable: true }]);
  expect(await all()).toEqual([]);
});

describe('a booking changed by hand', () => {
  it('is cancelled: its tickets are returned, and a full refund awaits review, as its customer is told', async () => {
    const { eventId, id, shown } = await booked('Bea');
    expect(await edit(id, 'cancelled')).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining('£40.00 awaits review') },
    });
    expect(await sold(eventId)).toBe(0);
    expect(await shown()).toMatchObject({
      status: 'cancelled',
      refundStatus: 'pending',
      refundAmount: '40.00',
    });
    const refunds = await sue.browser.ask(refundCalls.list, { query: { processing: 'manual' } });
    expect(refunds.find((one) => one.id === id)).toMatchObject({
      status: 'processing',
      refundAmount: '40.00',
    });
    await eventually(async () =>
      expect(await mailed('booking-cancelled')).toContain('looking at your refund of'),
    );
    expect(await edit(id, 'cancelled')).toMatchObject({ status: 200 });
  });

  it('is confirmed again: its tickets are taken, its refund is withdrawn, and its codes admit', async () => {
    const { eventId, id, shown, history } = await booked('Cat');
    const [code = ''] = await codesOf(site, id);
    await edit(id, 'cancelled');
    expect((await scan(code)).body).toMatchObject({ valid: false, code: 'TICKET_CANCELLED' });
    expect(await edit(id, 'confirmed')).toMatchObject({ status: 200 });
    expect(await edit(id, 'confirmed')).toMatchObject({ status: 200 });
    expect(await sold(eventId)).toBe(2);
    expect(await shown()).toMatchObject({ status: 'confirmed', refundStatus: null, cancellable: true });
    const approve = { params: { id }, body: { approved: true } };
    expect(await sue.browser.send(refundCalls.process, approve)).toMatchObject({
      status: 409,
      body: { code: 'REFUND_WITHDRAWN' },
    });
    expect((await scan(code)).body).toMatchObject({ valid: true });
    await eventually(async () => expect(await history()).toContain('Your tickets sent again'));
    expect(await mailed('booking-reinstated')).toContain(`ticket-${id}.pdf`);
    // Somebody is in: it can't be cancelled any more.
    expect(await edit(id, 'cancelled')).toMatchObject({ status: 409, body: { code: 'ALREADY_SCANNED' } });
  });

  it('stays cancelled if no tickets are left or the refund is on its way', async () => {
    const { eventId, id, member, shown } = await booked('Dot', await hall.listed({ capacity: 2 }));
    await edit(id, 'cancelled');
    await bought(site, await site.member('user', 'Eli'), eventId, 1);
    expect(await edit(id, 'confirmed')).toMatchObject({ status: 409, body: { code: 'SOLD_OUT' } });
    expect(await shown()).toMatchObject({ status: 'cancelled', refundStatus: 'pending' });
    const other = await booked('Flo');
    const reason = 'I have fallen ill.';
    await other.member.browser.ask(bookingCalls.cancel, { body: { bookingId: other.id, reason } });
    await eventually(async () => expect((await other.shown()).status).toBe('refunded'));
    for (const status of ['confirmed', 'cancelled'])
      expect(await edit(other.id, status)).toMatchObject({
        status: 409,
        body: { code: 'STATUS_FIXED', message: expect.stringMatching(/^It was paid back once/) },
      });
    expect(await reissue(other.id)).toMatchObject({ status: 409, body: { code: 'TICKET_CANCELLED' } });
    expect(member.id).not.toBe(other.member.id);
  });

  it('can be changed in no other way, and by superusers only', async () => {
    const { id, member } = await booked('Hal');
    for (const status of ['pending', 'completed', 'refunded'])
      expect(await edit(id, status)).toMatchObject({ status: 409, body: { code: 'STATUS_FIXED' } });
    for (const status of ['gone', ''])
      expect(await edit(id, status)).toMatchObject({
        status: 400,
        body: { fields: { status: 'Must be a status' } },
      });
    expect(await edit(999_999, 'cancelled')).toMatchObject({
      status: 404,
      body: { code: 'BOOKING_NOT_FOUND' },
    });
    for (const by of [member, door]) expect(await edit(id, 'cancelled', by)).toMatchObject({ status: 403 });
    expect((await list({ search: member.email }))[0]).toMatchObject({ status: 'confirmed' });
  });
});

describe('reissuing a ticket', () => {
  it('makes the door refuse the old code with the reason, and mails the new one', async () => {
    const { id, history } = await booked('Ivy');
    const [old = ''] = await codesOf(site, id);
    expect(await reissue(id)).toMatchObject({ status: 200 });
    const [code = ''] = await codesOf(site, id);
    expect((await scan(old)).body).toMatchObject({
      valid: false,
      code: 'TICKET_REISSUED',
      error: 'This ticket was reissued. Please use the newest one.',
    });
    await eventually(async () => expect(await history()).toContain('Your new tickets sent'));
    expect(await history()).toContain('Tickets reissued');
    expect(await mailed('ticket-reissued')).toContain(`ticket-${id}.pdf`);
    expect((await scan(code)).body).toMatchObject({ valid: true, quantity: 2 });
  });

  it('is refused for a cancelled booking and for one that does not exist', async () => {
    const { id } = await booked('Jim');
    await edit(id, 'cancelled');
    expect(await reissue(id)).toMatchObject({ status: 409, body: { code: 'TICKET_CANCELLED' } });
    expect(await reissue(999_999)).toMatchObject({ status: 404 });
  });
});

it('a booking has notes for colleagues, which its customer finds in their data export only', async () => {
  const { id, member, history } = await booked('Noa');
  const note = (body: unknown, by = sue) =>
    by.browser.call('POST', `/api/admin/bookings/${id}/notes`, body as Record<string, unknown>);
  const before = await history();
  expect(await note({ note: '  Rang about a step-free seat. ' })).toMatchObject({ status: 200 });
  for (const body of [{}, { note: ' ' }, { note: 'x'.repeat(1_001) }, { note: 7 }])
    expect(await note(body)).toMatchObject({ status: 400, body: { fields: { note: expect.any(String) } } });
  for (const by of [member, door]) expect(await note({ note: 'Mine' }, by)).toMatchObject({ status: 403 });
  await site.caughtUp();
  const [told] = await sue.browser.ask(overviewCalls.audit, { query: { entity: 'booking' } });
  expect(told).toMatchObject({ details: expect.stringContaining('Note added'), userId: sue.id });
  expect(await history()).toEqual(before);
  const events = await Array.fromAsync(site.foundation.log.readStream(`booking-${id}`));
  expect(events.filter(({ type }) => type === 'BookingNoted')).toHaveLength(1);
  expect(JSON.stringify(events.map(({ data }) => data))).not.toContain('step-free');
  await eventually(async () => {
    const { body } = await member.browser.send(profileCalls.export);
    expect(JSON.stringify(body)).toContain('Rang about a step-free seat.');
  });
});
