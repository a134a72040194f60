import { beforeAll, describe, expect, it, vi } from 'vitest';
import { policyLag } from '#command-api/policies/run-policies.ts';
import { account } from '#domain/account/account.ts';
import { securityCalls } from '#domain/contracts/security.ts';
import { createSessions } from '#infra/http/sessions.ts';
import { codeOf, stepAt } from '#infra/identity/totp.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { type Member, type Site, startSite } from '#tests/kit/site.ts';
import type { Visitor } from '#tests/kit/visitor.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});

const facts = (accountId: string) =>
  ({ accountId, role: 'user', emailVerified: true, profileComplete: true }) as const;
/** The same person on another device. */
const onAnother = async ({ id }: Member, device?: string): Promise<Visitor> => {
  const browser = site.visitor();
  const { token } = await site.deps.sessions.open(facts(id), device);
  browser.cookies.set('reprise-session', token);
  return browser;
};
const list = (browser: Visitor) => browser.ask(securityCalls.sessions);
const isSignedIn = async (browser: Visitor) => (await browser.send(securityCalls.sessions)).status === 200;

/** Opens the live stream with somebody's cookies. */
const stream = async (browser: Visitor) => {
  const cookie = `reprise-session=${browser.cookies.get('reprise-session')}`;
  const reply = await fetch(`${site.origin}/api/sse/events`, { headers: { cookie } });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('connected');
  return {
    /** Resolves once the server has ended it. */
    async ended() {
      while (!(await reader?.read())?.done);
      return true;
    },
    cancel: () => reader?.cancel(),
  };
};

describe('the list of sign-ins', () => {
  it('shows each sign-in with its device, and which one is the current', async () => {
    const member = await site.member();
    await onAnother(member, 'Firefox on Windows');
    const listed = await list(member.browser);
    expect(listed).toEqual([
      expect.objectContaining({ device: 'Firefox on Windows', current: false }),
      expect.objectContaining({ device: 'Unknown device', current: true }),
    ]);
    for (const { firstSeenAt, lastSeenAt } of listed)
      expect(Date.parse(firstSeenAt)).toBeLessThanOrEqual(Date.parse(lastSeenAt));
  });

  it('identifies a device by its browser and stores nothing else of it', async () => {
    const browser = site.visitor();
    const person = { email: 'una@people.example', password: 'correct horse', firstName: 'Una' };
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
    await browser.post('/api/auth/register', person, { 'user-agent': agent });
    expect(await list(browser)).toMatchObject([{ device: 'Firefox on Linux', current: true }]);
    const { rows } = await site.foundation.database.pool.query('select s::text as row from app.session s');
    expect(rows.map(({ row }) => row).join()).not.toMatch(/Gecko|192\.0\.2/);
  });

  it('shows and ends the user’s own sign-ins only', async () => {
    const [ann, bea] = [await site.member(), await site.member()];
    const [own] = await list(ann.browser);
    const refused = await bea.browser.send(securityCalls.endSession, { params: { id: own?.id ?? '' } });
    expect(refused.status).toBe(404);
    expect(await isSignedIn(ann.browser)).toBe(true);
    expect((await list(bea.browser)).map(({ id }) => id)).not.toContain(own?.id);
    const nonsense = await bea.browser.send(securityCalls.endSession, { params: { id: 'all' } });
    expect(nonsense.status).toBe(400);
  });

  it('keeps one entry when its token is replaced, and ending it ends both tokens', async () => {
    const member = await site.member();
    const other = await onAnother(member);
    const old = other.cookies.get('reprise-session') ?? '';
    await site.deps.sessions.update(member.id, { role: 'staff' });
    await list(other);
    expect(other.cookies.get('reprise-session')).not.toBe(old);
    await list(member.browser);
    const listed = await list(member.browser);
    expect(listed).toHaveLength(2);
    const id = listed.find(({ current }) => !current)?.id ?? '';
    await member.browser.ask(securityCalls.endSession, { params: { id } });
    expect(await isSignedIn(other)).toBe(false);
    expect(await site.deps.sessions.find(old)).toBeUndefined();
  });
});

describe('signing out', () => {
  it('of one device ends it at once, and a second request reports that it is gone', async () => {
    const member = await site.member();
    const other = await onAnother(member);
    const id = (await list(other)).find(({ current }) => current)?.id ?? '';
    await member.browser.ask(securityCalls.endSession, { params: { id } });
    expect(await isSignedIn(other)).toBe(false);
    expect((await member.browser.send(securityCalls.endSession, { params: { id } })).status).toBe(404);
    expect(await isSignedIn(member.browser)).toBe(true);
  });

  it('everywhere else keeps this sign-in and other accounts', async () => {
    const [ann, bea] = [await site.member(), await site.member()];
    const others = [await onAnother(ann), await onAnother(ann)];
    await ann.browser.ask(securityCalls.endOtherSessions);
    expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false]);
    expect([await isSignedIn(ann.browser), await isSignedIn(bea.browser)]).toEqual([true, true]);
    expect(await list(ann.browser)).toHaveLength(1);
    await ann.browser.ask(securityCalls.endOtherSessions);
    expect(await isSignedIn(ann.browser)).toBe(true);
  });

  it('ends the live stream of that device too, in whichever process', async () => {
    const member = await site.member();
    const other = await onAnother(member);
    const [own, theirs, visitors] = [
      await stream(member.browser),
      await stream(other),
      await stream(site.visitor()),
    ];
    const { database, clock } = site.foundation;
    const elsewhere = createSessions({ pool: database.pool, clock });
    await elsewhere.close(other.cookies.get('reprise-session') ?? '');
    expect(await theirs.ended()).toBe(true);
    await member.browser.post('/api/auth/logout');
    expect(await own.ended()).toBe(true);
    await visitors.cancel();
    await elsewhere.stop();
  });
});

it('a live stream ends when its session’s role changes', async () => {
  const member = await site.member('staff');
  const own = await stream(member.browser);
  await site.deps.sessions.update(member.id, { emailVerified: true, role: 'staff' });
  await site.deps.sessions.update(member.id, { role: 'user' });
  expect(await own.ended()).toBe(true);
  expect(await isSignedIn(member.browser)).toBe(true);
});

it('a live stream ends when its session was unused for too long', async () => {
  const member = await site.member('staff');
  const own = await stream(member.browser);
  const { database, clock } = site.foundation;
  const later = createSessions({
    pool: database.pool,
    clock: () => new Date(clock().getTime() + 3 * 3_600_000),
  });
  await later.sweep();
  expect(await own.ended()).toBe(true);
  await later.stop();
});

describe('a change recorded by a process that died before it updated the sessions', () => {
  const { accountId: _, ...flags } = facts('');
  /** Calls while the next change of sessions fails. */
  const cutOff = async (
    change: 'update' | 'closeAll' | 'closeOthers',
    call: () => Promise<{ status: number }>,
  ) => {
    const spy = vi.spyOn(site.deps.sessions, change).mockRejectedValueOnce(new Error('killed here'));
    expect((await call()).status).toBe(500);
    spy.mockRestore();
  };
  /** Lets the work that waits for callers who are still there take over. */
  const takeOver = () =>
    eventually(async () => {
      const { pool } = site.foundation.database;
      expect(await policyLag(site.foundation.log, pool)).toBe(0);
      await pool.query(`update app.job set due_at = now() where kind = 'sessions' and due_at > now()`);
      expect((await pool.query(`select 1 from app.job where kind = 'sessions'`)).rows).toEqual([]);
    });

  it('still removes rights and sign-ins', async () => {
    const sue = await site.member('superuser', 'Sue');
    const [ada, ben, cat, dan] = [
      await site.member('admin', 'Ada'),
      await site.member('user', 'Ben'),
      await site.member('user', 'Cat'),
      await site.member('staff', 'Dan'),
    ];
    const patch = (path: string, body: object) => () =>
      sue.browser.call('PATCH', `/api/admin/users/${path}`, body);
    await site.acting().do(account, dan.id, { type: 'EnrolSecondFactor' });
    await cutOff('update', patch(ada.id, { role: 'user' }));
    await cutOff('closeAll', patch(ben.id, { isActive: false }));
    await cutOff('closeAll', patch(`${cat.id}/soft-delete`, { reason: 'Asked by phone' }));
    await cutOff('closeAll', () => sue.browser.call('DELETE', `/api/admin/users/${dan.id}/second-factor`));
    await takeOver();
    const { sessions } = site.deps;
    const found = await sessions.find(ada.browser.cookies.get('reprise-session') ?? '');
    expect(found?.principal).toMatchObject({ ...flags, role: 'user' });
    for (const gone of [ben, cat, dan]) expect(await isSignedIn(gone.browser)).toBe(false);
    expect(await isSignedIn(sue.browser)).toBe(true);
  });

  it('ends the sign-ins from before a new password, and no later ones', async () => {
    const browser = site.visitor();
    const person = { email: 'wim@people.example', password: 'correct horse', firstName: 'Wim' };
    const { body } = await browser.post('/api/auth/register', person);
    const elsewhere = await onAnother({ id: body.user.id, email: person.email, browser });
    const request = (currentPassword: string, password: string) => ({ body: { currentPassword, password } });
    const change = request(person.password, 'Encore-2027!');
    await cutOff('closeAll', () => browser.send(securityCalls.changePassword, change));
    await takeOver();
    expect(await isSignedIn(elsewhere)).toBe(false);
    const again = site.visitor();
    await again.post('/api/auth/login', { email: person.email, password: 'Encore-2027!' });
    await again.ask(securityCalls.changePassword, request('Encore-2027!', 'Encore-2028!'));
    await takeOver();
    expect(await isSignedIn(again)).toBe(true);
  });

  it('ends the sign-ins without a code after a second factor was set up, and no others', async () => {
    const setUp = async (firstName: string) => {
      const browser = site.visitor();
      const password = 'correct horse';
      const email = `${firstName.toLowerCase()}@people.example`;
      const { body } = await browser.post('/api/auth/register', { email, password, firstName });
      const elsewhere = await onAnother({ id: body.user.id, email, browser });
      await browser.ask(securityCalls.beginSecondFactor, { body: { password } });
      const { secondFactors, clock } = site.deps;
      const code = codeOf(await secondFactors.begin(body.user.id), stepAt(clock()));
      return {
        browser,
        elsewhere,
        confirm: () => browser.send(securityCalls.confirmSecondFactor, { body: { code } }),
      };
    };
    const [xena, yves] = [await setUp('Xena'), await setUp('Yves')];
    await cutOff('closeOthers', xena.confirm);
    expect((await yves.confirm()).status).toBe(200);
    await takeOver();
    expect(await isSignedIn(xena.elsewhere)).toBe(false);
    expect(await isSignedIn(yves.elsewhere)).toBe(false);
    expect(await isSignedIn(yves.browser)).toBe(true);
  });
});

it('a mail reports a new password, and each change of the second factor', async () => {
  const browser = site.visitor();
  const person = { email: 'vera@people.example', password: 'correct horse', firstName: 'Vera' };
  const { body } = await browser.post('/api/auth/register', person);
  const password = 'Encore-2027!';
  const accountId: string = body.user.id;
  await browser.ask(securityCalls.changePassword, { body: { currentPassword: person.password, password } });
  await browser.ask(securityCalls.beginSecondFactor, { body: { password } });
  const { secondFactors, clock } = site.deps;
  const code = codeOf(await secondFactors.begin(accountId), stepAt(clock()));
  const { recoveryCodes } = await browser.ask(securityCalls.confirmSecondFactor, { body: { code } });
  const status = () => browser.ask(securityCalls.secondFactor);
  expect(await status()).toEqual({ enrolled: true, recoveryCodes: 10, required: false });
  const remove = { password, code: recoveryCodes[0] ?? '' };
  await browser.ask(securityCalls.removeSecondFactor, { body: remove });
  expect(await status()).toEqual({ enrolled: false, recoveryCodes: 0, required: false });
  await eventually(async () => {
    const { rows } = await site.foundation.database.pool.query(
      `select kind from app.outbox where account_id = $1 and kind <> 'verify-email' and sent_at is not null and given_up is null
       order by id`,
      [accountId],
    );
    expect(rows.map(({ kind }) => kind)).toEqual([
      'password-changed',
      'second-factor-on',
      'second-factor-off',
    ]);
  });
});
