/** Waiting lists: who wants tickets of an event that is sold out hears of it, once, when there are some again. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { policyLag } from '#command-api/policies/run-policies.ts';
import { account } from '#domain/account/account.ts';
import { SITE_CONFIG, siteConfig } from '#domain/content/site-config.ts';
import { adminEventCalls } from '#domain/contracts/admin-events.ts';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { paymentCalls } from '#domain/contracts/payments.ts';
import { waitingCalls } from '#domain/contracts/waiting.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { listing } from '#domain/listing/listing.ts';
import { TURN, waiting } from '#domain/waiting/waiting.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { mailTo } from '#tests/kit/mails.ts';
import { bought, type Hall, moveBack, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let hall: Hall;
beforeAll(async () => {
  site = await startSite();
  hall = await openHall(site);
});

/** A listing whose one ticket somebody has bought. */
const soldOut = async () => {
  const id = await hall.listed({ capacity: 1 });
  const buyer = await site.member('user', 'Bea');
  const { id: bookingId } = await bought(site, buyer, id, 1);
  const cancel = () =>
    buyer.browser.ask(bookingCalls.cancel, { body: { bookingId, reason: 'I have fallen ill.' } });
  return { id, buyer, cancel };
};
const join_ = ({ browser }: Member, id: number) => browser.send(waitingCalls.join, { params: { id } });
const leave = ({ browser }: Member, id: number) => browser.ask(waitingCalls.leave, { params: { id } });
const waitsFor = async ({ browser }: Member): Promise<readonly number[]> =>
  (await browser.ask(waitingCalls.list)).map(({ eventId }) => eventId);

/** A minute passes, and what waited for it is done. */
const aMinuteLater = () =>
  eventually(async () => {
    const { pool } = site.foundation.database;
    expect(await policyLag(site.foundation.log, pool)).toBe(0);
    const soon = `kind = 'waiting' and id not like '%:${TURN}'`;
    await pool.query(`update app.job set due_at = now() where ${soon}`);
    expect((await pool.query(`select 1 from app.job where ${soon}`)).rows).toEqual([]);
  });
/** What is to be looked at again soon, though nobody's turn ends. */
const lookedAtAgain = async (id: number): Promise<boolean> => {
  const { rows } = await site.foundation.database.pool.query(
    `select 1 from app.job where id = $1 and due_at < now() + interval '2 minutes'`,
    [`waiting:${id}:60000`],
  );
  return rows.length === 1;
};
/** How many mails about tickets have been sent to somebody, once all are out. */
const mailsTo = async ({ email }: Member): Promise<number> => {
  await eventually(async () => {
    expect(await policyLag(site.foundation.log, site.foundation.database.pool)).toBe(0);
    const { rows } = await site.foundation.database.pool.query(
      `select 1 from app.outbox where kind = 'tickets-back' and sent_at is null and given_up is null`,
    );
    expect(rows).toEqual([]);
  });
  let found = 0;
  for await (const file of glob(join(site.foundation.config.dataDir, 'outbox/*.eml'))) {
    const mail = await readFile(file, 'utf8');
    if (mail.includes(`To: ${email}`) && mail.includes('Subject: Tickets again')) found += 1;
  }
  return found;
};

it('the waiting list adds a buyer of a sold-out event once, shows the entry to them only, and removes them', async () => {
  const { id } = await soldOut();
  const [ann, eve] = [await site.member('user', 'Ann'), await site.member('user', 'Eve')];
  for (let times = 0; times < 2; times++)
    expect(await join_(ann, id)).toMatchObject({
      status: 200,
      body: { message: 'You are on the waiting list. We mail you once, when there are tickets again.' },
    });
  expect(await ann.browser.ask(waitingCalls.list)).toEqual([
    expect.objectContaining({ eventId: id, title: 'Paper Moons', venue: 'Corn Exchange' }),
  ]);
  expect(await waitsFor(eve)).toEqual([]);
  for (let times = 0; times < 2; times++) await leave(ann, id);
  expect(await waitsFor(ann)).toEqual([]);
});

it('the waiting list refuses users who may not buy, and events with nothing to wait for', async () => {
  const { id } = await soldOut();
  const path = waitingCalls.join.path.replace('{id}', String(id));
  expect(await site.visitor().call('POST', path)).toMatchObject({ status: 401 });
  const flags = { role: 'user', emailVerified: false, profileComplete: true } as const;
  const ann = await site.member('user', 'Ann');
  const unverified = await site.signedIn({ accountId: crypto.randomUUID(), ...flags });
  expect((await unverified.call('POST', path)).status).toBe(403);

  const open = await hall.listed({ capacity: 2 });
  expect(await join_(ann, open)).toMatchObject({
    status: 409,
    body: { code: 'TICKETS_LEFT', available: 2 },
  });
  expect(await join_(ann, 99_999)).toMatchObject({ status: 404 });
  await site.acting().do(listing, id, { type: 'DeactivateListing' });
  expect(await join_(ann, id)).toMatchObject({ status: 409, body: { code: 'SALES_CLOSED' } });
});

/** Somebody who is 19. */
const aged19 = async (): Promise<Member> => {
  const ann = await site.member('user', 'Ann');
  const dateOfBirth = `${new Date().getFullYear() - 19}-01-01`;
  const at = new Date().toISOString();
  const profile = { dateOfBirth, favoriteCategories: [], at };
  await site.acting().do(account, ann.id, { type: 'CompleteProfile', ...profile });
  return ann;
};

it('the waiting list refuses users who will be too young for the event, like its checkout', async () => {
  const { id } = await soldOut();
  const [sue, ann] = [await site.member('superuser', 'Sue'), await aged19()];
  const body = { ...hall.form, capacity: 1, minimumAge: 21 };
  await sue.browser.ask(adminEventCalls.edit, { params: { id }, body });
  expect(await join_(ann, id)).toMatchObject({ status: 403, body: { code: 'TOO_YOUNG', minimumAge: 21 } });
  expect(await waitsFor(ann)).toEqual([]);
});

it('the waiting list counts the people who wait for upcoming events and could buy', async () => {
  const { id } = await soldOut();
  const sue = await site.member('superuser', 'Sue');
  for (const name of ['Ann', 'Bob']) await join_(await site.member('user', name), id);
  const counted = async () =>
    (await sue.browser.ask(waitingCalls.counts)).find(({ eventId }) => eventId === id)?.waiting;
  await site.caughtUp();
  expect(await counted()).toBe(2);
  const [eve, gil, joe] = [await site.member(), await site.member(), await site.member()];
  for (const one of [eve, gil, joe]) await join_(one, id);
  await site.acting().do(account, eve.id, { type: 'Erase', by: null });
  await site.acting().do(account, gil.id, { type: 'Deactivate', by: null });
  await site.acting().do(account, joe.id, { type: 'SoftDelete', reason: '', by: null });
  await site.caughtUp();
  expect(await counted()).toBe(2);
  await moveBack(site, id);
  await site.caughtUp();
  expect(await counted()).toBeUndefined();
});

it('the waiting list mails the person who has waited longest once when a ticket is returned, and removes them', async () => {
  const { id, cancel } = await soldOut();
  const [ann, bob] = [await site.member('user', 'Ann'), await site.member('user', 'Bob')];
  await join_(ann, id);
  await join_(bob, id);
  await cancel();
  await aMinuteLater();
  const mail = await mailTo({ dataDir: site.foundation.config.dataDir }, ann.email, /Tickets again/);
  expect(mail).toContain(`/events/${id}`);
  expect(mail).toContain('Ann, you asked us to tell you: Paper Moons is on sale again.');
  expect([await mailsTo(ann), await mailsTo(bob)]).toEqual([1, 0]);
  expect([await waitsFor(ann), await waitsFor(bob)]).toEqual([[], [id]]);
  // Bob's turn comes when Ann's is over.
  const again = await site.foundation.database.pool.query(
    `select due_at > now() + interval '25 minutes' as later from app.job where id = $1`,
    [`waiting:${id}:${TURN}`],
  );
  expect(again.rows).toEqual([{ later: true }]);
});

it('the waiting list gives the turn of a closed account to the next person', async () => {
  const { id, cancel } = await soldOut();
  const people = await Promise.all(['Ann', 'Bob', 'Eve'].map((name) => site.member('user', name)));
  const [ann, bob, eve] = people as [Member, Member, Member];
  for (const one of people) await join_(one, id);
  await site.acting().do(account, ann.id, { type: 'Erase', by: null });
  await site.acting().do(account, bob.id, { type: 'Deactivate', by: null });
  await cancel();
  await aMinuteLater();
  expect([await mailsTo(bob), await mailsTo(eve)]).toEqual([0, 1]);
  const { state } = await site.acting().state(waiting, id);
  expect([[...state.waiting.keys()], [...state.told.keys()]]).toEqual([[], [eve.id]]);
});

it('the waiting list mails nobody who has bought since, and gives their turn to the next person', async () => {
  const { id, cancel } = await soldOut();
  const [ann, bob] = [await site.member('user', 'Ann'), await site.member('user', 'Bob')];
  await join_(ann, id);
  await join_(bob, id);
  await cancel();
  await bought(site, ann, id, 1);
  await site.acting().do(inventory, id, { type: 'ChangeCapacity', capacity: 2 });
  await aMinuteLater();
  expect([await mailsTo(ann), await mailsTo(bob)]).toEqual([0, 1]);
  expect([await waitsFor(ann), await waitsFor(bob)]).toEqual([[], []]);
});

it('the waiting list mails nobody who is now too young for the event, and gives their turn to the next person', async () => {
  const { id } = await soldOut();
  const [sue, ann] = [await site.member('superuser', 'Sue'), await aged19()];
  const bob = await site.member('user', 'Bob');
  await join_(ann, id);
  await join_(bob, id);
  const body = { ...hall.form, capacity: 2, minimumAge: 21 };
  await sue.browser.ask(adminEventCalls.edit, { params: { id }, body });
  await aMinuteLater();
  expect([await mailsTo(ann), await mailsTo(bob)]).toEqual([0, 1]);
});

it('the waiting list mails people who had tickets when they joined', async () => {
  const { id, buyer } = await soldOut();
  await join_(buyer, id);
  await site.acting().do(inventory, id, { type: 'ChangeCapacity', capacity: 2 });
  await aMinuteLater();
  expect(await mailsTo(buyer)).toBe(1);
});

it('the waiting list checks again soon while booking is switched off for the site', async () => {
  const { id, cancel } = await soldOut();
  const ann = await site.member('user', 'Ann');
  await join_(ann, id);
  await cancel();
  const setting = { key: 'booking_enabled', description: '', category: 'general' };
  const switched = (value: string) =>
    site.acting().do(siteConfig, SITE_CONFIG, { type: 'ChangeSetting', ...setting, value });
  await switched('false');
  await eventually(async () => {
    const { pool } = site.foundation.database;
    await pool.query(`update app.job set due_at = now() where kind = 'waiting' and id like '%:waiting'`);
    expect(await lookedAtAgain(id)).toBe(true);
  });
  expect(await mailsTo(ann)).toBe(0);
  await switched('true');
  await aMinuteLater();
  expect(await mailsTo(ann)).toBe(1);
});

it('the waiting list mails when an event that had begun is moved to a later day', async () => {
  const { id, cancel } = await soldOut();
  const [ann, sue] = [await site.member('user', 'Ann'), await site.member('superuser', 'Sue')];
  await join_(ann, id);
  await cancel();
  await moveBack(site, id);
  await aMinuteLater();
  expect(await mailsTo(ann)).toBe(0);
  await sue.browser.ask(adminEventCalls.edit, { params: { id }, body: { ...hall.form, capacity: 1 } });
  await aMinuteLater();
  expect(await mailsTo(ann)).toBe(1);
});

it('the waiting list mails one person for each new ticket when the capacity rises', async () => {
  const { id } = await soldOut();
  const sue = await site.member('superuser', 'Sue');
  const people = await Promise.all(['Ann', 'Bob', 'Eve'].map((name) => site.member('user', name)));
  for (const one of people) await join_(one, id);
  await sue.browser.ask(adminEventCalls.edit, { params: { id }, body: { ...hall.form, capacity: 3 } });
  await aMinuteLater();
  expect(await Promise.all(people.map(mailsTo))).toEqual([1, 1, 0]);
});

it('the waiting list mails nobody while a ticket is released only to be held again', async () => {
  const id = await hall.listed({ capacity: 2 });
  const [buyer, ann] = [await site.member('user', 'Bea'), await site.member('user', 'Ann')];
  const hold = (quantity: number) =>
    buyer.browser.ask(paymentCalls.createIntent, {
      body: { eventId: id, quantity, amount: (20 * quantity).toFixed(2) },
    });
  await hold(2);
  await join_(ann, id);
  await hold(1);
  await hold(2);
  await aMinuteLater();
  expect([await mailsTo(ann), await waitsFor(ann)]).toEqual([0, [id]]);
});

it('the waiting list mails a person who joined at the moment when the last ticket was returned', async () => {
  const { id, cancel } = await soldOut();
  const ann = await site.member('user', 'Ann');
  await cancel();
  await aMinuteLater();
  await site.acting().do(waiting, id, { type: 'Join', listingId: id, userId: ann.id });
  await aMinuteLater();
  expect(await mailsTo(ann)).toBe(1);
});

it('the waiting list mails nobody about an inactive event, and forgets people who have left', async () => {
  const [off, other] = [await soldOut(), await soldOut()];
  const [ann, bob] = [await site.member('user', 'Ann'), await site.member('user', 'Bob')];
  await join_(ann, off.id);
  await join_(bob, other.id);
  await site.acting().do(listing, off.id, { type: 'DeactivateListing' });
  await leave(bob, other.id);
  await off.cancel();
  await other.cancel();
  await aMinuteLater();
  expect([await mailsTo(ann), await mailsTo(bob)]).toEqual([0, 0]);
  // Back on sale, it is told.
  await site.acting().do(listing, off.id, { type: 'ActivateListing' });
  await aMinuteLater();
  expect(await mailsTo(ann)).toBe(1);
});
