import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AccountCommand, account } from '#domain/account/account.ts';
import { emailClaim } from '#domain/email-claim/email-claim.ts';
import { type Browser, type Rig, startRig } from './rig.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PASSWORD = 'correct horse';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

let people = 0;
const newAddress = () => `ann${++people}@example.com`;

const register = async (browser: Browser, email = newAddress()) => {
  const reply = await browser.call('POST', '/api/auth/register', {
    email,
    password: PASSWORD,
    firstName: 'Ann',
    lastName: 'Łódź',
  });
  return { reply, email, id: reply.json().user?.id as string };
};
const signIn = (browser: Browser, email: string, password = PASSWORD) =>
  browser.call('POST', '/api/auth/login', { email, password });
/** A call that only somebody signed in may make, and which changes nothing. */
const isSignedIn = async (browser: Browser) =>
  (await browser.call('POST', '/api/auth/resend-verification')).statusCode !== 401;
const cookieOf = (browser: Browser) => browser.cookies.get('reprise-session');

describe('registering', () => {
  it('makes an account, signs in, and asks for the address to be verified', async () => {
    const browser = rig.browser();
    const { reply, email, id } = await register(browser);
    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toMatchObject({
      requiresEmailVerification: true,
      user: {
        email,
        firstName: 'Ann',
        lastName: 'Łódź',
        role: 'user',
        dateOfBirth: null,
        emailVerified: false,
        signInWith: ['password'],
      },
    });
    expect(reply.headers['x-log-position']).toMatch(`${rig.deps.log.id}:`);
    expect(await isSignedIn(browser)).toBe(true);
    const { state } = await rig.deps.lane.state(emailClaim, rig.deps.emailId(email));
    expect(state).toMatchObject({ accountId: id, confirmed: true });
  });

  it('gives an address to one account, however it is written and whoever is first', async () => {
    const email = newAddress();
    const replies = await Promise.all([
      register(rig.browser(), email),
      register(rig.browser(), email.toUpperCase()),
      register(rig.browser(), email),
    ]);
    expect(replies.map(({ reply }) => reply.statusCode).sort()).toEqual([201, 409, 409]);
    const loser = replies.find(({ reply }) => reply.statusCode === 409);
    expect(loser?.reply.json()).toMatchObject({
      code: 'EMAIL_TAKEN',
      message: 'An account with this email already exists.',
    });
    const { rows } = await rig.deps.database.pool.query('select count(*)::int as n from app.credential');
    const accounts = await rig.deps.database.pool.query(
      'select count(distinct account_id)::int as n from app.session',
    );
    expect(rows[0].n).toBe(accounts.rows[0].n);
  });

  it('says what is wrong with the form', async () => {
    const reply = await rig.browser().call('POST', '/api/auth/register', {
      email: 'nobody',
      password: 'short',
      firstName: ' ',
    });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().fields).toEqual({
      email: 'Invalid email address',
      password: 'Password must be at least 6 characters',
      firstName: 'First name is required',
    });
  });

  it('is limited by address', async () => {
    const browser = rig.browser();
    for (let count = 0; count < 20; count += 1) {
      await browser.call('POST', '/api/auth/register', {
        email: 'ann1@example.com',
        password: PASSWORD,
        firstName: 'A',
      });
    }
    const { reply } = await register(browser);
    expect(reply.statusCode).toBe(429);
    expect(reply.json().code).toBe('TOO_MANY');
  });

  it('leaves no password and no address in the log', async () => {
    const { email } = await register(rig.browser());
    const texts: string[] = [];
    for await (const batch of rig.deps.log.readAll('')) {
      for (const event of batch.events) texts.push(event.stream, event.data, event.meta);
    }
    const all = texts.join('\n');
    expect(all).not.toContain(email);
    expect(all).not.toContain(PASSWORD);
    expect(all).not.toContain('Łódź');
    expect(all).not.toContain('192.0.2.');
  });
});

describe('signing in', () => {
  it('answers with the user, and replaces session and CSRF token', async () => {
    const browser = rig.browser();
    const { email } = await register(browser);
    const [session, csrf] = [cookieOf(browser), browser.cookies.get('X-CSRF-Token')];
    const reply = await signIn(browser, email.toUpperCase());
    expect(reply.statusCode).toBe(200);
    expect(reply.json().user).toMatchObject({ email, firstName: 'Ann' });
    expect(cookieOf(browser)).not.toBe(session);
    expect(browser.cookies.get('X-CSRF-Token')).not.toBe(csrf);
    const old = rig.browser();
    old.cookies.set('reprise-session', session ?? '');
    expect(await isSignedIn(old)).toBe(false);
  });

  it('tells an unknown address from a wrong password, as the specification asks', async () => {
    const { email } = await register(rig.browser());
    const unknown = await signIn(rig.browser(), 'nobody@example.com');
    expect(unknown.statusCode).toBe(401);
    expect(unknown.json()).toMatchObject({
      code: 'NO_ACCOUNT',
      message: expect.stringContaining('No account found'),
    });
    const wrong = await signIn(rig.browser(), email, 'wrong password');
    expect(wrong.statusCode).toBe(401);
    expect(wrong.json()).toMatchObject({ code: 'BAD_CREDENTIALS', message: 'Invalid email or password' });
  });

  it('takes five wrong passwords for an account, however many browsers try at once', async () => {
    const { email } = await register(rig.browser());
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => signIn(rig.browser(), email, 'wrong password')),
    );
    expect(tries.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5);
    expect(tries.filter(({ statusCode }) => statusCode === 429)).toHaveLength(3);
    const right = await signIn(rig.browser(), email);
    expect(right.statusCode).toBe(429);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(14 * 60);
    rig.pass(15 * MINUTE);
    expect((await signIn(rig.browser(), email)).statusCode).toBe(200);
  });

  it('refuses a deactivated account with a message, and a soft-deleted one as unknown', async () => {
    const { email, id } = await register(rig.browser());
    const context = {
      commandId: rig.deps.ids.uuid(),
      actor: { kind: 'system' },
      at: '',
      correlationId: '',
    } as const;
    await rig.deps.lane.execute(account, id, { type: 'Deactivate', by: null }, context);
    const inactive = await signIn(rig.browser(), email);
    expect(inactive.statusCode).toBe(403);
    expect(inactive.json().code).toBe('ACCOUNT_INACTIVE');
    const deleted = { ...context, commandId: rig.deps.ids.uuid() };
    await rig.deps.lane.execute(account, id, { type: 'SoftDelete', reason: 'asked', by: null }, deleted);
    expect((await signIn(rig.browser(), email)).json().code).toBe('NO_ACCOUNT');
  });

  it('lasts seven days unused, and thirty at the most', async () => {
    const [idle, busy] = [rig.browser(), rig.browser()];
    await register(idle);
    await register(busy);
    for (let week = 0; week < 5; week += 1) {
      rig.pass(6 * DAY);
      if (week < 4) expect(await isSignedIn(busy)).toBe(true);
      if (week === 1) expect(await isSignedIn(idle)).toBe(false);
      await rig.deps.sessions.flush();
    }
    expect(await isSignedIn(busy)).toBe(false);
  });

  it('lasts shorter than a day for staff', async () => {
    const browser = rig.browser();
    const { id } = await register(browser);
    await rig.deps.sessions.update(id, { role: 'staff' });
    for (let hour = 0; hour < 11; hour += 1) {
      rig.pass(HOUR);
      expect(await isSignedIn(browser)).toBe(true);
      await rig.deps.sessions.flush();
    }
    rig.pass(HOUR);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('is where the old address leads', async () => {
    const reply = await rig.browser().call('GET', '/api/login');
    expect([reply.statusCode, reply.headers.location]).toEqual([302, '/auth']);
  });

  it('ends with signing out', async () => {
    const browser = rig.browser();
    await register(browser);
    const session = cookieOf(browser) ?? '';
    expect((await browser.call('POST', '/api/auth/logout')).statusCode).toBe(200);
    expect(cookieOf(browser)).toBeUndefined();
    const thief = rig.browser();
    thief.cookies.set('reprise-session', session);
    expect(await isSignedIn(thief)).toBe(false);
    expect((await browser.call('POST', '/api/auth/logout')).statusCode).toBe(200);
  });
});

describe('verifying an address', () => {
  it('takes the token of the mail once, and every session knows', async () => {
    const browser = rig.browser();
    const { id } = await register(browser);
    const token = await rig.mailedToken('verify-email', id);
    const reply = await rig.browser().call('POST', '/api/auth/verify-email', { token });
    expect(reply.statusCode).toBe(200);
    expect((await rig.deps.lane.state(account, id)).state.verified).toBe(true);
    const found = await rig.deps.sessions.find(cookieOf(browser) ?? '');
    expect(found?.principal.emailVerified).toBe(true);
    const again = await rig.browser().call('POST', '/api/auth/verify-email', { token });
    expect(again.statusCode).toBe(400);
    expect(again.json().message).toBe('The verification link is invalid or has expired.');
    expect((await browser.call('POST', '/api/auth/resend-verification')).json().code).toBe(
      'ALREADY_VERIFIED',
    );
  });

  it('takes no token of another kind, none that is old, and none that is not ours', async () => {
    const browser = rig.browser();
    const { id, email } = await register(browser);
    await browser.call('POST', '/api/auth/forgot-password', { email });
    const reset = await rig.mailedToken('reset-password', id);
    const verify = await rig.mailedToken('verify-email', id);
    const tried = async (token: string) =>
      (await rig.browser().call('POST', '/api/auth/verify-email', { token })).statusCode;
    expect(await tried(reset)).toBe(400);
    expect(await tried('x'.repeat(43))).toBe(400);
    rig.pass(DAY);
    expect(await tried(verify)).toBe(400);
  });

  it('sends another mail, but not for ever', async () => {
    const browser = rig.browser();
    const { id } = await register(browser);
    const first = await rig.mailedToken('verify-email', id);
    for (let count = 0; count < 5; count += 1) {
      expect((await browser.call('POST', '/api/auth/resend-verification')).statusCode).toBe(200);
    }
    expect((await browser.call('POST', '/api/auth/resend-verification')).statusCode).toBe(429);
    expect(await rig.mailedToken('verify-email', id)).not.toBe(first);
  });
});

describe('a forgotten password', () => {
  const forgot = (email: string) => rig.browser().call('POST', '/api/auth/forgot-password', { email });

  it('answers alike whether there is an account or not', async () => {
    const { email } = await register(rig.browser());
    const [known, unknown] = [await forgot(email), await forgot('nobody@example.com')];
    expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body]);
    expect(known.json().message).toBe(
      'If an account with that email exists, a password reset link has been sent.',
    );
  });

  it('is replaced by the link of the mail, which signs everybody out', async () => {
    const browser = rig.browser();
    const { email, id } = await register(browser);
    await forgot(email);
    const token = await rig.mailedToken('reset-password', id);
    const other = rig.browser();
    expect((await other.call('POST', '/api/auth/verify-reset-token', { token })).json().valid).toBe(true);
    const weak = await other.call('POST', '/api/auth/reset-password', { token, password: 'aaaaaaa' });
    expect(weak.statusCode).toBe(400);
    expect(weak.json()).toMatchObject({ code: 'WEAK_PASSWORD', message: 'Password Requirements Not Met' });
    expect(weak.json().errors).toHaveLength(4);
    const reset = await other.call('POST', '/api/auth/reset-password', { token, password: 'Encore-2026!' });
    expect(reset.statusCode).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await signIn(rig.browser(), email)).statusCode).toBe(401);
    expect((await signIn(rig.browser(), email, 'Encore-2026!')).statusCode).toBe(200);
    const again = await other.call('POST', '/api/auth/reset-password', { token, password: 'Encore-2027!' });
    expect(again.statusCode).toBe(400);
  });

  it('ends every link that there is', async () => {
    const { email, id } = await register(rig.browser());
    const { mailTokens, database } = rig.deps;
    const first = await mailTokens.issue('reset', id);
    const { rows } = await database.pool.query(
      'delete from app.mail_token where account_id = $1 returning *',
      [id],
    );
    const tokens = [first, await mailTokens.issue('reset', id)];
    // Asked for at the same moment, both may come to be.
    for (const { token_hash, kind, account_id, ends_at } of rows)
      await database.pool.query(
        'insert into app.mail_token (token_hash, kind, account_id, ends_at) values ($1, $2, $3, $4)',
        [token_hash, kind, account_id, ends_at],
      );
    const statuses: number[] = [];
    for (const token of tokens) {
      const body = { token, password: 'Encore-2026!' };
      statuses.push((await rig.browser().call('POST', '/api/auth/reset-password', body)).statusCode);
    }
    expect(statuses.sort()).toEqual([200, 400]);
    expect((await signIn(rig.browser(), email, 'Encore-2026!')).statusCode).toBe(200);
  });

  it('lets only the newest link work, for half an hour, three times an hour', async () => {
    const { email, id } = await register(rig.browser());
    await forgot(email);
    const first = await rig.mailedToken('reset-password', id);
    await forgot(email);
    const second = await rig.mailedToken('reset-password', id);
    const check = async (token: string) =>
      (await rig.browser().call('POST', '/api/auth/verify-reset-token', { token })).statusCode;
    expect(await check(first)).toBe(400);
    expect(await check(second)).toBe(200);
    rig.pass(30 * MINUTE);
    expect(await check(second)).toBe(400);
    expect((await forgot(email)).statusCode).toBe(200);
    expect((await forgot(email)).statusCode).toBe(429);
  });
});

describe('a sign-in during which the account changes', () => {
  /** Signs in, while something else happens after the password was found right and before the session is there. */
  const signInWhile = async (browser: Browser, email: string, meanwhile: () => Promise<unknown>) => {
    const { sessions } = rig.deps;
    const { open } = sessions;
    vi.spyOn(sessions, 'open').mockImplementationOnce(async (facts) => {
      await meanwhile();
      return open(facts);
    });
    return signIn(browser, email);
  };
  const change = (id: string, command: AccountCommand) =>
    rig.deps.lane.execute(account, id, command, {
      commandId: rig.deps.ids.uuid(),
      actor: { kind: 'system' },
      at: rig.deps.clock().toISOString(),
      correlationId: rig.deps.ids.uuid(),
    });
  const sessionsOf = async (id: string) =>
    (await rig.deps.database.pool.query('select role from app.session where account_id = $1', [id])).rows;

  it('does not outlive a reset of the password', async () => {
    const { email, id } = await register(rig.browser());
    await rig.browser().call('POST', '/api/auth/forgot-password', { email });
    const token = await rig.mailedToken('reset-password', id);
    const late = rig.browser();
    const reply = await signInWhile(late, email, () =>
      rig.browser().call('POST', '/api/auth/reset-password', { token, password: 'Encore-2026!' }),
    );
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'BAD_CREDENTIALS']);
    expect(cookieOf(late)).toBeUndefined();
    expect(await sessionsOf(id)).toEqual([]);
  });

  it('does not outlive a deactivation', async () => {
    const { email, id } = await register(rig.browser());
    const reply = await signInWhile(rig.browser(), email, async () => {
      await change(id, { type: 'Deactivate', by: null });
      await rig.deps.sessions.closeAll(id);
    });
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'ACCOUNT_INACTIVE']);
    expect(await sessionsOf(id)).toEqual([]);
  });

  it('has the role that the account has by then', async () => {
    const { email, id } = await register(rig.browser());
    await change(id, { type: 'ChangeRole', role: 'admin', by: null });
    await rig.deps.sessions.closeAll(id);
    const reply = await signInWhile(rig.browser(), email, async () => {
      await change(id, { type: 'ChangeRole', role: 'user', by: null });
      await rig.deps.sessions.update(id, { role: 'user' });
    });
    expect(reply.statusCode).toBe(200);
    expect(await sessionsOf(id)).toEqual([{ role: 'user' }]);
  });
});

describe('resets for many people', () => {
  it('are limited by the address that asks', async () => {
    const browser = rig.browser('2001:db8:0:9::1');
    const forgot = (from: Browser, count: number) =>
      from.call('POST', '/api/auth/forgot-password', { email: `somebody${count}@example.com` });
    for (let count = 0; count < 50; count += 1) expect((await forgot(browser, count)).statusCode).toBe(200);
    expect((await forgot(rig.browser('2001:db8:0:9::2'), 50)).statusCode).toBe(429);
    expect((await forgot(rig.browser(), 50)).statusCode).toBe(200);
  });
});

describe('the profile', () => {
  it('is completed by a date of birth, and the session knows', async () => {
    const browser = rig.browser();
    await register(browser);
    const reply = await browser.call('PATCH', '/api/profile/enhance', {
      dateOfBirth: '1990-05-04T00:00:00.000Z',
      preferences: { favoriteCategories: ['concerts', 'culture'] },
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().user).toMatchObject({
      dateOfBirth: '1990-05-04',
      preferences: { favoriteCategories: ['concerts', 'culture'] },
    });
    const found = await rig.deps.sessions.find(cookieOf(browser) ?? '');
    expect(found?.principal.profileComplete).toBe(true);
  });

  it('knows one time of registering, whoever asks', async () => {
    const browser = rig.browser();
    const { reply, email } = await register(browser);
    const completed = await browser.call('PATCH', '/api/profile/enhance', { dateOfBirth: '1990-05-04' });
    const times = [reply, completed, await signIn(rig.browser(), email)].map(
      (answer) => answer.json().user.createdAt,
    );
    expect(new Set(times).size).toBe(1);
  });

  it('takes no date of birth to come', async () => {
    const browser = rig.browser();
    await register(browser);
    const reply = await browser.call('PATCH', '/api/profile/enhance', { dateOfBirth: '2099-01-01' });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().fields.dateOfBirth).toBe('Date of birth must be in the past');
    expect(reply.json().message).toBe('Date of birth must be in the past');
  });
});

describe('a changed role', () => {
  it('gives the session a new token with its next request, and the old one dies', async () => {
    const browser = rig.browser();
    const { id } = await register(browser);
    const before = cookieOf(browser) ?? '';
    await rig.deps.sessions.update(id, { role: 'staff' });
    await browser.call('GET', '/api/auth/csrf-token');
    const after = cookieOf(browser) ?? '';
    expect(after).not.toBe(before);
    expect((await rig.deps.sessions.find(after))?.principal.role).toBe('staff');
    rig.pass(MINUTE);
    expect(await rig.deps.sessions.find(before)).toBeUndefined();
    rig.pass(2 * HOUR);
    expect(await rig.deps.sessions.find(after)).toBeUndefined();
  });
});
