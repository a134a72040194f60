/** What superusers say of refunds, and which of it the customer reads. */
import { randomUUID } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import type { SentOf } from '#domain/contracts/call.ts';
import { refundCalls } from '#domain/contracts/refunds.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { bought, HOUR, inTime, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let superuser: Member;
let listingId: number;

beforeAll(async () => {
  site = await startSite();
  const { listed } = await openHall(site);
  // Within a day of the start: the rule denies, and a superuser may think otherwise.
  listingId = await listed(inTime(12 * HOUR));
  superuser = await site.member('superuser', 'Sue');
});

/** Somebody whose booking was cancelled, and denied a refund by the rule. */
const denied = async () => {
  const member = await site.member();
  const { browser } = member;
  const { id } = await bought(site, member, listingId, 1);
  const cancel = { bookingId: id, reason: 'I have fallen ill.' };
  expect(await browser.ask(bookingCalls.cancel, { body: cancel })).toMatchObject({ refundApproved: false });
  const process = (body: SentOf<typeof refundCalls.process>) =>
    superuser.browser.ask(refundCalls.process, { params: { id }, body });
  await eventually(() => process({ approved: null }));
  const shown = async () => ({
    booking: await browser.ask(bookingCalls.read, { params: { id } }),
    history: await browser.ask(bookingCalls.history, { params: { id } }),
  });
  return { id, process, shown };
};

it('an approval’s notes are visible to superusers only', async () => {
  const { id, process, shown } = await denied();
  const notes = 'Third time this year, watch this one';
  await process({ approved: true, notes });
  await eventually(async () => expect((await shown()).booking.refundStatus).toBe('completed'));
  const { booking, history } = await shown();
  expect(history.map(({ kind }) => kind)).toContain('refund-approved');
  expect(booking.refundNote).toBeNull();
  expect(JSON.stringify([booking, history])).not.toContain(notes);
  const refunds = await superuser.browser.ask(refundCalls.list, { query: { limit: 10, offset: 0 } });
  expect(refunds.find((refund) => refund.id === id)).toMatchObject({ decision: notes });
});

it('a refund refuses a key used for another refund, but not a repeat', async () => {
  const [one, other] = [await denied(), await denied()];
  const key = { 'idempotency-key': randomUUID() };
  const approve = (id: number) =>
    superuser.browser.post(`/api/admin/refunds/${id}/process`, { approved: true, notes: '' }, key);
  expect(await approve(one.id)).toMatchObject({ status: 200 });
  expect(await approve(one.id)).toMatchObject({ status: 200 });
  expect(await approve(other.id)).toMatchObject({ status: 422, body: { code: 'KEY_REUSED' } });
});

it('a refund pays nothing for an approval made before another superuser’s denial', async () => {
  const { id } = await denied();
  const decide = (body: object) => superuser.browser.post(`/api/admin/refunds/${id}/process`, body);
  const late = { approved: true, notes: '', status: 'processing' };
  expect(
    await decide({ approved: false, notes: 'The doors had opened.', status: 'processing' }),
  ).toMatchObject({
    status: 200,
  });
  expect(await decide(late)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect(await decide({ ...late, status: 'denied' })).toMatchObject({ status: 200 });
  expect(await decide({ ...late, status: 'lost' })).toMatchObject({ status: 400 });
});

it('a customer is told why a refund was denied', async () => {
  const { process, shown } = await denied();
  const notes = 'The doors had opened when you cancelled.';
  await process({ approved: false, notes });
  await eventually(async () => expect((await shown()).booking.refundNote).toBe(notes));
  expect((await shown()).history.filter(({ kind }) => kind === 'refund-denied').at(-1)).toMatchObject({
    detail: notes,
  });
});

it('a decision’s reason is in the customer’s mail and sealed in the log, and nowhere else', async () => {
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
