/** Accounts, as superusers keep them. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { eraseAccount } from '#command-api/accounts/erasure.ts';
import { sayFarewell } from '#command-api/accounts/farewell.ts';
import { account } from '#domain/account/account.ts';
import type { Role } from '#domain/account/events.ts';
import { booking } from '#domain/booking/booking.ts';
import { adminUserCalls } from '#domain/contracts/admin-users.ts';
import { bookingCalls } from '#domain/contracts/bookings.ts';
import { refund } from '#domain/refund/refund.ts';
import { SUPERUSERS, superusers } from '#domain/superusers/superusers.ts';
import { receiptOf } from '#infra/keys/erasure-receipt.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { bought, DAY, type Hall, HOUR, inTime, moveBack, openHall } from '#tests/kit/programme.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';

let site: Site;
let sue: Member;
let hall: Hall;
beforeAll(async () => {
  site = await startSite();
  hall = await openHall(site);
  sue = await site.member('superuser', 'Sue');
});

const send = (method: 'PATCH' | 'DELETE', path: string, body?: object, by = sue) =>
  by.browser.call(method, `/api/admin/users/${path}`, body);
const all = (query = {}) => sue.browser.ask(adminUserCalls.list, { query });
const found = async ({ email }: Member, query = {}) => (await all({ search: email, ...query }))[0];
const isSignedIn = async ({ browser }: Member) => (await browser.get('/api/auth/user')).status === 200;
const listed = async ({ id }: Member) =>
  (await site.deps.handler.state(superusers, SUPERUSERS)).state.has(id);
const roleOf = async ({ id }: Member): Promise<Role> =>
  (await site.deps.handler.state(account, id)).state.role;

describe('the list of users', () => {
  it('shows everyone with their profile, and is searched by name and address', async () => {
    const ann = await site.member('user', 'Annika');
    await site.caughtUp();
    expect(await found(ann)).toMatchObject({
      id: ann.id,
      email: ann.email,
      firstName: 'Annika',
      lastName: 'Ashby',
      role: 'user',
      dateOfBirth: '1990-04-05',
      preferences: { favoriteCategories: [] },
      isActive: true,
      isDeleted: false,
      deletedAt: null,
      deletionReason: null,
    });
    expect((await all({ search: 'ashby ANNIKA' })).map(({ id }) => id)).toEqual([ann.id]);
    expect((await all({ role: 'superuser' })).map(({ id }) => id)).toEqual([sue.id]);
    expect(await all({ search: 'annika', status: 'inactive' })).toEqual([]);
  });

  it('shows who has a second factor, so that only theirs is reset', async () => {
    const ivy = await site.member('staff', 'Ivy');
    await site.acting().do(account, ivy.id, { type: 'EnrolSecondFactor' });
    await site.caughtUp();
    expect(await found(ivy)).toMatchObject({ secondFactor: true });
    expect(await found(sue)).toMatchObject({ secondFactor: false });
  });

  it('filters deleted users as inactive', async () => {
    await site.member('user', 'Quentin');
    const left = await site.member('user', 'Quentina');
    await send('PATCH', left.id, { isActive: false });
    const gone = await site.member('user', 'Quentine');
    await send('PATCH', `${gone.id}/soft-delete`, { reason: 'Asked by phone' });
    const names = async (status: string) => {
      const rows = await all({ search: 'quentin', includeDeleted: 'true', status, sort: 'name' });
      return rows.map(({ firstName }) => firstName);
    };
    expect(await names('active')).toEqual(['Quentin']);
    expect(await names('inactive')).toEqual(['Quentina', 'Quentine']);
  });

  it('is exported as a file, with deleted users on request', async () => {
    const gus = await site.member('user', 'Gus');
    await send('PATCH', `${gus.id}/soft-delete`, { reason: 'Asked by phone' });
    const file = async (query: string): Promise<string> =>
      (await sue.browser.get(`/api/admin/users/export-csv?search=gus${query}`)).body;
    expect((await file('')).split('\n')).toHaveLength(2);
    expect(await file('&includeDeleted=true')).toMatch(/,Gus,Ashby,user,Soft Deleted,.*,Asked by phone\n$/);
  });
});

describe('a user’s account', () => {
  it('gets another role, at once in its open sessions', async () => {
    const kim = await site.member('user', 'Kim');
    expect(await kim.browser.get('/api/tickets/recent-scans')).toMatchObject({ status: 403 });
    expect(await send('PATCH', kim.id, { role: 'staff' })).toMatchObject({ status: 200 });
    expect(await kim.browser.get('/api/tickets/recent-scans')).toMatchObject({ status: 200 });
    expect(await found(kim)).toMatchObject({ role: 'staff', isActive: true });
  });

  it('is signed out when it is deactivated, until it is activated and signs in again', async () => {
    const lou = await site.member('user', 'Lou');
    expect(await send('PATCH', lou.id, { role: 'staff', isActive: false })).toMatchObject({ status: 200 });
    expect(await isSignedIn(lou)).toBe(false);
    expect(await found(lou)).toMatchObject({ role: 'staff', isActive: false });
    await send('PATCH', lou.id, { isActive: true });
    expect(await found(lou)).toMatchObject({ isActive: true });
  });

  it.each(['soft-delete', ''])('is signed out and hidden by "%s", and can be restored', async (path) => {
    const max = await site.member('user', 'Max');
    const [method, body] = path ? (['PATCH', { reason: ' Twice here ' }] as const) : (['DELETE'] as const);
    expect(await send(method, `${max.id}${path && `/${path}`}`, body)).toMatchObject({ status: 200 });
    expect(await isSignedIn(max)).toBe(false);
    expect(await found(max)).toBeUndefined();
    expect(await found(max, { includeDeleted: 'true' })).toMatchObject({
      isDeleted: true,
      isActive: false,
      deletedAt: expect.any(String),
      deletionReason: path ? 'Twice here' : null,
    });
    expect(await send('PATCH', max.id, { role: 'staff' })).toMatchObject({
      status: 409,
      body: { code: 'ACCOUNT_DELETED' },
    });
    expect(await send('PATCH', `${max.id}/restore`)).toMatchObject({ status: 200 });
    expect(await found(max)).toMatchObject({ isDeleted: false, isActive: true, deletionReason: null });
  });

  it('is erased for good after confirmation', async () => {
    const eve = await site.member('user', 'Eve');
    for (const body of [{}, { confirmPermanent: false }, { confirmPermanent: 'true' }])
      expect(await send('DELETE', `${eve.id}/hard-delete`, body)).toMatchObject({
        status: 400,
        body: { fields: { confirmPermanent: 'A permanent deletion has to be confirmed' } },
      });
    expect(await isSignedIn(eve)).toBe(true);
    const erased = await send('DELETE', `${eve.id}/hard-delete`, { confirmPermanent: true });
    expect(erased).toMatchObject({ status: 200 });
    expect(await isSignedIn(eve)).toBe(false);
    expect(await found(eve, { includeDeleted: 'true' })).toBeUndefined();
    expect(await send('PATCH', `${eve.id}/restore`)).toMatchObject({ status: 410 });
  });

  it('is erased after a mail and full refunds of upcoming bookings, as the dialog announces', async () => {
    const fay = await site.member('user', 'Fay');
    // Within a week of the start the policy gives 80%.
    const { id } = await bought(site, fay, await hall.listed(inTime(3 * DAY)), 2);
    const past = await hall.listed();
    const before = await bought(site, fay, past, 1);
    await moveBack(site, past);
    await site.caughtUp();
    const quote = await sue.browser.ask(adminUserCalls.deletionQuote, { params: { id: fay.id } });
    expect(quote).toEqual({ bookings: 1, refundTotal: '40.00', receipt: receiptOf(fay.id) });
    expect(await send('DELETE', `${fay.id}/hard-delete`, { confirmPermanent: true })).toMatchObject({
      status: 200,
    });
    const { handler, database } = site.deps;
    const last = (await handler.state(booking, id)).state.cancellation;
    expect(last).toMatchObject({ by: 'account-removed', percent: 100, refund: 4_000 });
    expect((await handler.state(booking, before.id)).state.status).toBe('confirmed');
    await eventually(async () =>
      expect((await handler.state(refund, id)).state).toMatchObject({ phase: 'succeeded', refunded: 4_000 }),
    );
    // A crowded machine may still be at them when the call is answered; the key outlives them.
    await eventually(async () => {
      const { rows } = await database.pool.query<{ kind: string }>(
        'select kind from app.outbox where account_id = $1 and sent_at is not null',
        [fay.id],
      );
      const kinds = rows.map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['account-deleted', 'booking-cancelled']));
    });
  });

  it('is not erased before its mails are sent, unless they cannot be', async () => {
    const { outbox, log, database } = site.deps;
    const { pool } = database;
    const { id } = await site.member('user', 'Una');
    await pool.query(
      `insert into app.outbox (key, kind, account_id, data, due_at)
       values ($1 || ':late', 'password-changed', $1, '{}', now() + interval '1 day')`,
      [id],
    );
    const farewell = () => sayFarewell({ outbox, log, pool }, id, 50);
    expect(await farewell()).toBe(false);
    await pool.query('update app.outbox set attempts = 8 where account_id = $1', [id]);
    await eventually(async () => expect(await farewell()).toBe(true));
  });

  it('can neither sign in nor be restored while its last mails are on their way', async () => {
    const person = { email: 'ugo@people.example', password: 'Encore-2026!' };
    const registered = await site.visitor().post('/api/auth/register', { ...person, firstName: 'Ugo' });
    const { id } = registered.body.user;
    const signIn = async () => (await site.visitor().post('/api/auth/login', person)).status;
    expect(await signIn()).toBe(200);
    const { ending } = site.deps;
    const waiting = { ...site.deps, ending: { ...ending, sayFarewell: async () => false } };
    expect(await eraseAccount(waiting, id, sue.id, site.acting())).toBe(false);
    expect(await signIn()).toBe(401);
    // Nobody brings back what is about to be erased.
    expect(await send('PATCH', `${id}/restore`)).toMatchObject({ status: 410, body: { code: 'ERASED' } });
    // It stays so when the sweep comes round again, and ends as ever.
    expect(await eraseAccount(waiting, id, sue.id, site.acting())).toBe(false);
    expect(await eraseAccount(site.deps, id, sue.id, site.acting())).toBe(true);
    expect(await eraseAccount(site.deps, id, sue.id, site.acting())).toBe(true);
  });

  it('leaves no confirmed booking if one was reinstated while its last mails were on their way', async () => {
    const viv = await site.member('user', 'Viv');
    const { id } = await bought(site, viv, await hall.listed(inTime(HOUR)), 2);
    const cancel = { bookingId: id, reason: 'I have fallen ill.' };
    expect(await viv.browser.ask(bookingCalls.cancel, { body: cancel })).toMatchObject({
      refundAmount: '0.00',
    });
    const { ending, handler } = site.deps;
    const waiting = { ...site.deps, ending: { ...ending, sayFarewell: async () => false } };
    expect(await eraseAccount(waiting, viv.id, sue.id, site.acting())).toBe(false);
    await sue.browser.call('PATCH', `/api/admin/bookings/${id}`, { status: 'confirmed' });
    expect(await eraseAccount(site.deps, viv.id, sue.id, site.acting())).toBe(true);
    // Nobody could cancel it by hand any more.
    await eventually(async () => expect((await handler.state(booking, id)).state.status).toBe('refunded'));
  });

  it('must exist', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await send('PATCH', nobody, { isActive: false })).toMatchObject({ status: 404 });
    expect(await send('PATCH', '7', { isActive: false })).toMatchObject({ status: 400 });
    expect(await send('PATCH', sue.id, { role: 'king' })).toMatchObject({ status: 400 });
  });
});

describe('superusers', () => {
  it('cannot remove their own rights', async () => {
    const refused = { status: 409, body: { code: 'NOT_YOURSELF' } };
    expect(await send('PATCH', sue.id, { role: 'user' })).toMatchObject(refused);
    expect(await send('PATCH', sue.id, { isActive: false })).toMatchObject(refused);
    expect(await send('PATCH', `${sue.id}/soft-delete`, {})).toMatchObject(refused);
    expect(await send('DELETE', sue.id)).toMatchObject(refused);
    expect(await send('DELETE', `${sue.id}/hard-delete`, { confirmPermanent: true })).toMatchObject(refused);
    expect([await isSignedIn(sue), await listed(sue)]).toEqual([true, true]);
  });

  it('are listed while they have the role, however they got or lost it', async () => {
    const tom = await site.member('user', 'Tom');
    const changed = async (method: 'PATCH' | 'DELETE', path: string, body?: object) => {
      expect(await send(method, `${tom.id}${path}`, body)).toMatchObject({ status: 200 });
      return listed(tom);
    };
    expect(await changed('PATCH', '', { role: 'superuser' })).toBe(true);
    expect(await changed('PATCH', '', { isActive: false })).toBe(false);
    expect(await changed('PATCH', '', { isActive: true })).toBe(true);
    expect(await changed('DELETE', '')).toBe(false);
    expect(await changed('PATCH', '/restore')).toBe(true);
    expect(await changed('PATCH', '', { role: 'admin' })).toBe(false);
  });

  it('are listed, and have the rights, by the last of two simultaneous changes', async () => {
    const ida = await site.member('user', 'Ida');
    const { handler } = site.deps;
    const execute = handler.execute.bind(handler);
    const spy = vi.spyOn(handler, 'execute').mockImplementation(async (aggregate, id, command, ...rest) => {
      if ((command as { readonly type: string }).type === 'Join') {
        spy.mockRestore();
        expect(await send('PATCH', ida.id, { role: 'user' })).toMatchObject({ status: 200 });
      }
      return execute(aggregate, id, command, ...rest);
    });
    expect(await send('PATCH', ida.id, { role: 'superuser' })).toMatchObject({ status: 200 });
    expect(await roleOf(ida)).toBe('user');
    expect(await listed(ida)).toBe(false);
    expect(await ida.browser.get('/api/admin/users')).toMatchObject({ status: 403 });
  });

  it('are never all removed, even if two demote each other at once', async () => {
    const uma = await site.member('superuser', 'Uma');
    const answers = await Promise.all([
      send('PATCH', uma.id, { role: 'user' }, sue),
      send('PATCH', sue.id, { role: 'user' }, uma),
    ]);
    // The loser is told that the other one is the last, or has lost the right to ask.
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    const roles = await Promise.all([sue, uma].map(roleOf));
    expect(roles.filter((role) => role === 'superuser')).toHaveLength(1);
    if ((await roleOf(sue)) !== 'superuser') {
      expect(await send('PATCH', sue.id, { role: 'superuser' }, uma)).toMatchObject({ status: 200 });
    }
    // A change that was cut off after the account changed is finished by a repeat.
    await site.acting().do(account, uma.id, { type: 'ChangeRole', role: 'superuser', by: null });
    expect(await send('PATCH', uma.id, { role: 'superuser' })).toMatchObject({ status: 200 });
    expect(await listed(uma)).toBe(true);
  });
});
