import { beforeAll, describe, expect, it, vi } from 'vitest';
import { addCategory } from '#command-api/catalogue/categories.ts';
import { type AccountCommand, account } from '#domain/account/account.ts';
import { emailClaim } from '#domain/email-claim/email-claim.ts';
import { type StandingApi, startCommandApi } from '#tests/kit/site.ts';
import type { Visitor } from '#tests/kit/visitor.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PASSWORD = 'correct horse';

let site: StandingApi;
beforeAll(async () => {
  site = await startCommandApi();
  for (const name of ['Concerts', 'Culture & Arts'])
    await addCategory(site.deps, { name, emoji: '🎵', description: '' }, site.acting());
});

let people = 0;
const newAddress = () => `ann${++people}@example.com`;

const register = async (browser: Visitor, email = newAddress()) => {
  const reply = await browser.call('POST', '/api/auth/register', {
    email,
    password: PASSWORD,
    firstName: 'Ann',
    lastName: 'Łódź',
  });
  return { reply, email, id: reply.body.user?.id as string };
};
const signIn = (browser: Visitor, email: string, password = PASSWORD) =>
  browser.call('POST', '/api/auth/login', { email, password });
/** A call that only somebody signed in may make, and which changes nothing. */
const isSignedIn = async (browser: Visitor) =>
  (await browser.call('POST', '/api/auth/resend-verification')).status !== 401;
const cookieOf = (browser: Visitor) => browser.cookies.get('reprise-session');

describe('registering', () => {
  it('creates an account, signs in and asks for verification of the address', async () => {
    const browser = site.visitor();
    const { reply, email, id } = await register(browser);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
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
    expect(reply.headers.get('x-log-position')).toMatch(`${site.deps.log.id}:`);
    expect(await isSignedIn(browser)).toBe(true);
    const { state } = await site.deps.handler.state(emailClaim, site.deps.emailId(email));
    expect(state).toMatchObject({ accountId: id, confirmed: true });
  });

  it('gives an address to one account, whatever its spelling', async () => {
    const email = newAddress();
    const replies = await Promise.all([
      register(site.visitor(), email),
      register(site.visitor(), email.toUpperCase()),
      register(site.visitor(), email),
    ]);
    expect(replies.map(({ reply }) => reply.status).sort()).toEqual([201, 409, 409]);
    const loser = replies.find(({ reply }) => reply.status === 409);
    expect(loser?.reply.body).toMatchObject({
      code: 'EMAIL_TAKEN',
      message: 'An account with this email already exists.',
    });
    // It would tell when the address was registered.
    expect(loser?.reply.headers.has('x-log-position')).toBe(false);
    const { rows } = await site.deps.database.pool.query('select count(*)::int as n from app.credential');
    const accounts = await site.deps.database.pool.query(
      'select count(distinct account_id)::int as n from app.session',
    );
    expect(rows[0].n).toBe(accounts.rows[0].n);
  });

  it('reports the form’s errors', async () => {
    const reply = await site.visitor().call('POST', '/api/auth/register', {
      email: 'nobody',
      password: 'short',
      firstName: ' ',
    });
    expect(reply.status).toBe(400);
    expect(reply.body.fields).toEqual({
      email: 'Invalid email address',
      password: 'Password must be at least 6 characters',
      firstName: 'First name is required',
    });
  });

  it('is limited for each address', async () => {
    const browser = site.visitor();
    for (let count = 0; count < 20; count += 1) {
      await browser.call('POST', '/api/auth/register', {
        email: 'ann1@example.com',
        password: PASSWORD,
        firstName: 'A',
      });
    }
    const { reply } = await register(browser);
    expect(reply.status).toBe(429);
    expect(reply.body.code).toBe('TOO_MANY');
  });

  it('leaves neither password nor address in the log', async () => {
    const { email } = await register(site.visitor());
    const texts: string[] = [];
    for await (const batch of site.deps.log.readAll('')) {
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
  it('answers with the user and replaces the session and the CSRF token', async () => {
    const browser = site.visitor();
    const { email } = await register(browser);
    const [session, csrf] = [cookieOf(browser), browser.cookies.get('X-CSRF-Token')];
    const reply = await signIn(browser, email.toUpperCase());
    expect(reply.status).toBe(200);
    expect(reply.body.user).toMatchObject({ email, firstName: 'Ann' });
    expect(cookieOf(browser)).not.toBe(session);
    expect(browser.cookies.get('X-CSRF-Token')).not.toBe(csrf);
    const old = site.visitor();
    old.cookies.set('reprise-session', session ?? '');
    expect(await isSignedIn(old)).toBe(false);
  });

  it('distinguishes an unknown address from a wrong password, as specified', async () => {
    const { email } = await register(site.visitor());
    const unknown = await signIn(site.visitor(), 'nobody@example.com');
    expect(unknown.status).toBe(401);
    expect(unknown.body).toMatchObject({
      code: 'NO_ACCOUNT',
      message: expect.stringContaining('No account found'),
    });
    const wrong = await signIn(site.visitor(), email, 'wrong password');
    expect(wrong.status).toBe(401);
    expect(wrong.body).toMatchObject({ code: 'BAD_CREDENTIALS', message: 'Invalid email or password' });
  });

  it('is limited to five wrong passwords for an account from one address, however many browsers try at once', async () => {
    const { email } = await register(site.visitor());
    const address = '198.51.100.20';
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => signIn(site.visitor(address), email, 'wrong password')),
    );
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(3);
    const right = await signIn(site.visitor(address), email);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
    // Its owner is elsewhere, and neighbours of whoever guesses have accounts of their own.
    expect((await signIn(site.visitor(), email)).status).toBe(200);
    const other = await register(site.visitor());
    expect((await signIn(site.visitor(address), other.email)).status).toBe(200);
    site.pass(15 * MINUTE);
    expect((await signIn(site.visitor(address), email)).status).toBe(200);
  });

  it('is limited to five wrong passwords from one IPv6 site prefix, which has thousands of networks', async () => {
    const { email } = await register(site.visitor());
    const wrong = async (address: string) =>
      (await signIn(site.visitor(address), email, 'wrong password')).status;
    for (let network = 1; network <= 5; network += 1)
      expect(await wrong(`2001:db8:7:${network}::1`)).toBe(401);
    expect(await wrong('2001:db8:7:6::1')).toBe(429);
    expect(await wrong('2001:db8:8:1::1')).toBe(401);
  });

  it('is limited to a hundred wrong passwords for an account from everywhere, and to more from a known device', async () => {
    const owner = site.visitor();
    const { email, id } = await register(owner);
    await owner.call('POST', '/api/auth/verify-email', { token: await site.mailedToken('verify-email', id) });
    const known = site.visitor('198.51.100.21');
    expect((await signIn(known, email)).status).toBe(200);
    await known.call('POST', '/api/auth/logout');
    const { limits } = site.deps;
    for (let count = 0; count < 100; count += 1) await limits.take('sign-in-account', email);
    expect((await signIn(site.visitor(), email)).status).toBe(429);
    expect((await signIn(known, email, 'a slip')).status).toBe(401);
    expect((await signIn(known, email)).status).toBe(200);
    // It is known for that account alone, and may not guess for ever either.
    const other = await register(site.visitor());
    for (let count = 0; count < 100; count += 1) await limits.take('sign-in-account', other.email);
    expect((await signIn(known, other.email)).status).toBe(429);
    for (let count = 0; count < 5; count += 1)
      expect((await signIn(known, email, 'a guess')).status).toBe(401);
    expect((await signIn(known, email)).status).toBe(429);
  });

  it('does not remember the device of a user whose address is not verified', async () => {
    const stranger = site.visitor();
    const { email } = await register(stranger);
    await signIn(stranger, email);
    expect(stranger.cookies.has('reprise-device')).toBe(false);
  });

  it('refuses a deactivated account with a message, and a soft-deleted one as unknown', async () => {
    const { email, id } = await register(site.visitor());
    const context = {
      commandId: site.deps.ids.uuid(),
      actor: { kind: 'system' },
      at: '',
      correlationId: '',
    } as const;
    await site.deps.handler.execute(account, id, { type: 'Deactivate', by: null }, context);
    const inactive = await signIn(site.visitor(), email);
    expect(inactive.status).toBe(403);
    expect(inactive.body.code).toBe('ACCOUNT_INACTIVE');
    const deleted = { ...context, commandId: site.deps.ids.uuid() };
    await site.deps.handler.execute(account, id, { type: 'SoftDelete', reason: 'asked', by: null }, deleted);
    expect((await signIn(site.visitor(), email)).body.code).toBe('NO_ACCOUNT');
  });

  it('lasts seven days unused, and thirty at most', async () => {
    const [idle, busy] = [site.visitor(), site.visitor()];
    await register(idle);
    await register(busy);
    for (let week = 0; week < 5; week += 1) {
      site.pass(6 * DAY);
      if (week < 4) expect(await isSignedIn(busy)).toBe(true);
      if (week === 1) expect(await isSignedIn(idle)).toBe(false);
      await site.deps.sessions.flush();
    }
    expect(await isSignedIn(busy)).toBe(false);
  });

  it('lasts less than a day for staff', async () => {
    const browser = site.visitor();
    const { id } = await register(browser);
    await site.deps.sessions.update(id, { role: 'staff' });
    for (let hour = 0; hour < 11; hour += 1) {
      site.pass(HOUR);
      expect(await isSignedIn(browser)).toBe(true);
      await site.deps.sessions.flush();
    }
    site.pass(HOUR);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('is redirected to from the old address', async () => {
    const reply = await site.visitor().call('GET', '/api/login');
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/auth']);
  });

  it('ends with signing out', async () => {
    const browser = site.visitor();
    await register(browser);
    const session = cookieOf(browser) ?? '';
    expect((await browser.call('POST', '/api/auth/logout')).status).toBe(200);
    expect(cookieOf(browser)).toBeUndefined();
    const thief = site.visitor();
    thief.cookies.set('reprise-session', session);
    expect(await isSignedIn(thief)).toBe(false);
    expect((await browser.call('POST', '/api/auth/logout')).status).toBe(200);
  });
});

describe('verifying an address', () => {
  const verify = (browser: Visitor, token: string, password?: string) =>
    browser.call('POST', '/api/auth/verify-email', { token, ...(password !== undefined && { password }) });

  it('accepts the mail’s token once, from a signed-in browser, and every session is updated', async () => {
    const browser = site.visitor();
    const { id, email } = await register(browser);
    const second = site.visitor();
    await signIn(second, email);
    const token = await site.mailedToken('verify-email', id);
    expect((await verify(browser, token)).status).toBe(200);
    expect((await site.deps.handler.state(account, id)).state.verified).toBe(true);
    for (const session of [browser, second].map(cookieOf))
      expect((await site.deps.sessions.find(session ?? ''))?.principal.emailVerified).toBe(true);
    const again = await verify(browser, token);
    expect(again.status).toBe(400);
    expect(again.body.message).toBe('The verification link is invalid or has expired.');
    expect((await browser.call('POST', '/api/auth/resend-verification')).body.code).toBe('ALREADY_VERIFIED');
  });

  it('accepts the mail’s token on another device with the account’s password, which can be retried', async () => {
    const { id } = await register(site.visitor());
    const token = await site.mailedToken('verify-email', id);
    const phone = site.visitor();
    expect((await verify(phone, token)).body).toMatchObject({
      code: 'WRONG_PASSWORD',
      fields: { password: 'Please enter your password' },
    });
    expect((await verify(phone, token, 'correct hoarse')).body).toMatchObject({ code: 'WRONG_PASSWORD' });
    expect((await site.deps.handler.state(account, id)).state.verified).toBe(false);
    expect((await verify(phone, token, PASSWORD)).status).toBe(200);
    expect((await site.deps.handler.state(account, id)).state.verified).toBe(true);
  });

  it('gives nothing to a stranger who registered the address, and the account to its owner by a new password', async () => {
    const stranger = site.visitor();
    const { id, email } = await register(stranger);
    const token = await site.mailedToken('verify-email', id);
    // The owner opens the link, signed out or with another account, or a program that looks through mail does.
    const owner = site.visitor();
    expect((await verify(owner, token)).status).toBe(400);
    await register(owner);
    expect((await verify(owner, token)).status).toBe(400);
    expect((await site.deps.handler.state(account, id)).state.verified).toBe(false);
    await owner.call('POST', '/api/auth/forgot-password', { email });
    const reset = { token: await site.mailedToken('reset-password', id), password: 'Encore-2026!' };
    expect((await owner.call('POST', '/api/auth/reset-password', reset)).status).toBe(200);
    expect((await site.deps.handler.state(account, id)).state.verified).toBe(true);
    expect(await isSignedIn(stranger)).toBe(false);
    expect((await signIn(stranger, email)).body.code).toBe('BAD_CREDENTIALS');
    expect((await signIn(owner, email, 'Encore-2026!')).status).toBe(200);
  });

  it('refuses tokens of another kind, old ones and foreign ones', async () => {
    const browser = site.visitor();
    const { id, email } = await register(browser);
    await browser.call('POST', '/api/auth/forgot-password', { email });
    const reset = await site.mailedToken('reset-password', id);
    const verify = await site.mailedToken('verify-email', id);
    const tried = async (token: string) =>
      (await browser.call('POST', '/api/auth/verify-email', { token })).status;
    expect(await tried(reset)).toBe(400);
    expect(await tried('x'.repeat(43))).toBe(400);
    site.pass(DAY);
    expect(await tried(verify)).toBe(400);
    // The session is as good as before, and so is the link of another mail.
    expect((await browser.call('POST', '/api/auth/resend-verification')).status).toBe(200);
    const token = await site.mailedToken('verify-email', id);
    expect((await browser.call('POST', '/api/auth/verify-email', { token })).status).toBe(200);
  });

  it('sends another mail, but only a limited number', async () => {
    const browser = site.visitor();
    const { id } = await register(browser);
    const first = await site.mailedToken('verify-email', id);
    for (let count = 0; count < 5; count += 1) {
      expect((await browser.call('POST', '/api/auth/resend-verification')).status).toBe(200);
    }
    expect((await browser.call('POST', '/api/auth/resend-verification')).status).toBe(429);
    expect(await site.mailedToken('verify-email', id)).not.toBe(first);
  });
});

describe('a forgotten password', () => {
  const forgot = (email: string) => site.visitor().call('POST', '/api/auth/forgot-password', { email });

  it('is answered no sooner for an unknown account, so the time reveals nothing', async () => {
    const { email } = await register(site.visitor());
    const durationOf = async (address: string): Promise<number> => {
      const visitor = site.visitor();
      await visitor.get('/api/auth/csrf-token');
      const began = performance.now();
      await visitor.call('POST', '/api/auth/forgot-password', { email: address });
      return performance.now() - began;
    };
    const [known, unknown] = [await durationOf(email), await durationOf('nobody@example.com')];
    // Both take what the answer takes, not what there is to do, which is a few milliseconds.
    expect(Math.min(known, unknown)).toBeGreaterThan(290);
  });

  it('has the same answer whether the account exists or not', async () => {
    const { email } = await register(site.visitor());
    const [known, unknown] = [await forgot(email), await forgot('nobody@example.com')];
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect(known.body.message).toBe(
      'If an account with that email exists, a password reset link has been sent.',
    );
  });

  it('is replaced through the mail’s link, which signs out all sessions', async () => {
    const browser = site.visitor();
    const { email, id } = await register(browser);
    await forgot(email);
    const token = await site.mailedToken('reset-password', id);
    const other = site.visitor();
    expect((await other.call('POST', '/api/auth/verify-reset-token', { token })).body.valid).toBe(true);
    const weak = await other.call('POST', '/api/auth/reset-password', { token, password: 'aaaaaaa' });
    expect(weak.status).toBe(400);
    expect(weak.body).toMatchObject({ code: 'WEAK_PASSWORD', message: 'Password Requirements Not Met' });
    expect(weak.body.errors).toHaveLength(4);
    const reset = await other.call('POST', '/api/auth/reset-password', { token, password: 'Encore-2026!' });
    expect(reset.status).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await signIn(site.visitor(), email)).status).toBe(401);
    expect((await signIn(site.visitor(), email, 'Encore-2026!')).status).toBe(200);
    const again = await other.call('POST', '/api/auth/reset-password', { token, password: 'Encore-2027!' });
    expect(again.status).toBe(400);
  });

  it('ends all earlier links', async () => {
    const { email, id } = await register(site.visitor());
    const { mailTokens, database } = site.deps;
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
      statuses.push((await site.visitor().call('POST', '/api/auth/reset-password', body)).status);
    }
    expect(statuses.sort()).toEqual([200, 400]);
    expect((await signIn(site.visitor(), email, 'Encore-2026!')).status).toBe(200);
  });

  it('can be reset from a known device even after many requests by strangers', async () => {
    const owner = site.visitor();
    const { email, id } = await register(owner);
    await owner.call('POST', '/api/auth/verify-email', { token: await site.mailedToken('verify-email', id) });
    const asks = (browser: Visitor) => browser.call('POST', '/api/auth/forgot-password', { email });
    const stranger = site.visitor('198.51.100.30');
    for (let count = 0; count < 3; count += 1) expect((await asks(stranger)).status).toBe(200);
    expect((await asks(stranger)).status).toBe(429);
    expect((await asks(site.visitor('198.51.100.31'))).status).toBe(200);
    for (let count = 4; count < 10; count += 1) await site.deps.limits.take('reset-account', email);
    expect((await asks(site.visitor('198.51.100.32'))).status).toBe(429);
    const before = await site.mailedToken('reset-password', id);
    expect((await asks(owner)).status).toBe(200);
    expect(await site.mailedToken('reset-password', id)).not.toBe(before);
  });

  it('has one valid link at a time, for half an hour, at most three times an hour', async () => {
    const { email, id } = await register(site.visitor());
    const browser = site.visitor();
    const forgot = (address: string) => browser.call('POST', '/api/auth/forgot-password', { email: address });
    await forgot(email);
    const first = await site.mailedToken('reset-password', id);
    await forgot(email);
    const second = await site.mailedToken('reset-password', id);
    const check = async (token: string) =>
      (await site.visitor().call('POST', '/api/auth/verify-reset-token', { token })).status;
    expect(await check(first)).toBe(400);
    expect(await check(second)).toBe(200);
    site.pass(30 * MINUTE);
    expect(await check(second)).toBe(400);
    expect((await forgot(email)).status).toBe(200);
    expect((await forgot(email)).status).toBe(429);
  });
});

describe('a sign-in during a change of the account', () => {
  /** Signs in, while something else happens after the password was found right and before the session is there. */
  const signInWhile = async (browser: Visitor, email: string, meanwhile: () => Promise<unknown>) => {
    const { sessions } = site.deps;
    const { open } = sessions;
    vi.spyOn(sessions, 'open').mockImplementationOnce(async (facts) => {
      await meanwhile();
      return open(facts);
    });
    return signIn(browser, email);
  };
  const change = (id: string, command: AccountCommand) =>
    site.deps.handler.execute(account, id, command, {
      commandId: site.deps.ids.uuid(),
      actor: { kind: 'system' },
      at: site.deps.clock().toISOString(),
      correlationId: site.deps.ids.uuid(),
    });
  const sessionsOf = async (id: string) =>
    (await site.deps.database.pool.query('select role from app.session where account_id = $1', [id])).rows;

  it('does not outlive a password reset', async () => {
    const { email, id } = await register(site.visitor());
    await site.visitor().call('POST', '/api/auth/forgot-password', { email });
    const token = await site.mailedToken('reset-password', id);
    const late = site.visitor();
    const reply = await signInWhile(late, email, () =>
      site.visitor().call('POST', '/api/auth/reset-password', { token, password: 'Encore-2026!' }),
    );
    expect([reply.status, reply.body.code]).toEqual([401, 'BAD_CREDENTIALS']);
    expect(cookieOf(late)).toBeUndefined();
    expect(await sessionsOf(id)).toEqual([]);
  });

  it('does not outlive a deactivation', async () => {
    const { email, id } = await register(site.visitor());
    const reply = await signInWhile(site.visitor(), email, async () => {
      await change(id, { type: 'Deactivate', by: null });
      await site.deps.sessions.closeAll(id);
    });
    expect([reply.status, reply.body.code]).toEqual([403, 'ACCOUNT_INACTIVE']);
    expect(await sessionsOf(id)).toEqual([]);
  });

  it('gets the account’s new role', async () => {
    const { email, id } = await register(site.visitor());
    await change(id, { type: 'VerifyEmail' });
    await change(id, { type: 'ChangeRole', role: 'admin', by: null });
    await site.deps.sessions.closeAll(id);
    const reply = await signInWhile(site.visitor(), email, async () => {
      await change(id, { type: 'ChangeRole', role: 'user', by: null });
      await site.deps.sessions.update(id, { role: 'user' });
    });
    expect(reply.status).toBe(200);
    expect(await sessionsOf(id)).toEqual([{ role: 'user' }]);
  });
});

describe('password resets for many people', () => {
  it('are limited for each requesting address', async () => {
    const browser = site.visitor('2001:db8:0:9::1');
    const forgot = (from: Visitor, count: number) =>
      from.call('POST', '/api/auth/forgot-password', { email: `somebody${count}@example.com` });
    await browser.get('/api/auth/csrf-token');
    const answers = await Promise.all(Array.from({ length: 50 }, (_, count) => forgot(browser, count)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect((await forgot(site.visitor('2001:db8:0:9::2'), 50)).status).toBe(429);
    expect((await forgot(site.visitor(), 50)).status).toBe(200);
  });
});

describe('the profile', () => {
  it('is completed by a date of birth, and the session is updated', async () => {
    const browser = site.visitor();
    await register(browser);
    const reply = await browser.call('PATCH', '/api/profile/enhance', {
      dateOfBirth: '1990-05-04T00:00:00.000Z',
      preferences: { favoriteCategories: ['concerts', 'culture'] },
    });
    expect(reply.status).toBe(200);
    expect(reply.body.user).toMatchObject({
      dateOfBirth: '1990-05-04',
      preferences: { favoriteCategories: ['concerts', 'culture'] },
    });
    const found = await site.deps.sessions.find(cookieOf(browser) ?? '');
    expect(found?.principal.profileComplete).toBe(true);
  });

  it('accepts existing categories only, and a limited number of changes', async () => {
    const browser = site.visitor();
    await register(browser);
    const likes = (...favoriteCategories: string[]) =>
      browser.call('PATCH', '/api/profile/enhance', {
        dateOfBirth: '1990-05-04',
        preferences: { favoriteCategories },
      });
    const before = await site.deps.log.head();
    const made = Array.from({ length: 50 }, (_, count) => `${'long-'.repeat(18)}${count}`);
    const refused = await likes('concerts', ...made.slice(1));
    expect(refused.status).toBe(400);
    expect(refused.body.fields).toEqual({ 'preferences.favoriteCategories': 'Not a category' });
    expect(await site.deps.log.head()).toBe(before);
    for (let count = 1; count < 20; count += 1) expect((await likes('culture')).status).toBe(200);
    expect((await likes('culture')).status).toBe(429);
  });

  it('shows the same time of registration to everyone', async () => {
    const browser = site.visitor();
    const { reply, email } = await register(browser);
    const completed = await browser.call('PATCH', '/api/profile/enhance', { dateOfBirth: '1990-05-04' });
    const times = [reply, completed, await signIn(site.visitor(), email)].map(
      (answer) => answer.body.user.createdAt,
    );
    expect(new Set(times).size).toBe(1);
  });

  it('refuses a date of birth in the future', async () => {
    const browser = site.visitor();
    await register(browser);
    const reply = await browser.call('PATCH', '/api/profile/enhance', { dateOfBirth: '2099-01-01' });
    expect(reply.status).toBe(400);
    expect(reply.body.fields.dateOfBirth).toBe('Date of birth must be in the past');
    expect(reply.body.message).toBe('Date of birth must be in the past');
  });
});

describe('a changed role', () => {
  it('gives the session a new token with its next request, and the old token expires', async () => {
    const browser = site.visitor();
    const { id } = await register(browser);
    const before = cookieOf(browser) ?? '';
    await site.deps.sessions.update(id, { role: 'staff' });
    await browser.call('GET', '/api/auth/csrf-token');
    const after = cookieOf(browser) ?? '';
    expect(after).not.toBe(before);
    expect((await site.deps.sessions.find(after))?.principal.role).toBe('staff');
    site.pass(MINUTE);
    expect(await site.deps.sessions.find(before)).toBeUndefined();
    site.pass(2 * HOUR);
    expect(await site.deps.sessions.find(after)).toBeUndefined();
  });
});
