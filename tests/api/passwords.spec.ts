import { beforeAll, describe, expect, it, vi } from 'vitest';
import { COMMON_PASSWORD } from '#domain/account/password.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { profileCalls } from '#domain/contracts/profile.ts';
import { securityCalls } from '#domain/contracts/security.ts';
import { type StandingApi, startCommandApi } from '#tests/kit/site.ts';
import type { Visitor } from '#tests/kit/visitor.ts';

let site: StandingApi;
beforeAll(async () => {
  site = await startCommandApi();
});

let people = 0;
const register = async (password = 'correct horse', email = `pat${++people}@example.com`) => {
  const browser = site.visitor();
  const person = { email, password, firstName: 'Pat', lastName: 'Ashby' };
  const reply = await browser.send(authCalls.register, { body: person });
  return { browser, email, reply, id: reply.body.user?.id as string };
};

describe('a common password', () => {
  it.each(['123456', 'letmein', 'LetMeIn'])('cannot be registered: %s', async (password) => {
    const { reply, email } = await register(password);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      code: 'WEAK_PASSWORD',
      message: COMMON_PASSWORD,
      errors: [COMMON_PASSWORD],
      fields: { password: COMMON_PASSWORD },
    });
    expect((await register('correct horse', email)).reply.status).toBe(201);
  });

  it('cannot be set at a reset, and the link stays valid', async () => {
    const { browser, id } = await register();
    const token = await site.deps.mailTokens.issue('reset', id);
    const set = (password: string) => browser.send(authCalls.resetPassword, { body: { token, password } });
    const refused = await set('P@ssw0rd');
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'WEAK_PASSWORD', errors: [COMMON_PASSWORD] });
    const several = await set('letmein');
    expect(several.body.message).toBe('Password Requirements Not Met');
    expect(several.body.errors).toContain(COMMON_PASSWORD);
    expect((await set('Encore-2027!')).status).toBe(200);
  });
});

describe('a password reset', () => {
  it('leaves no password if the account is erased meanwhile', async () => {
    const { browser, id } = await register();
    const { credentials, mailTokens, database } = site.deps;
    const token = await mailTokens.issue('reset', id);
    const set = credentials.setPassword.bind(credentials);
    vi.spyOn(credentials, 'setPassword').mockImplementationOnce(async (...to) => {
      await browser.ask(profileCalls.delete, { body: { password: 'correct horse' } });
      return set(...to);
    });
    const reset = { body: { token, password: 'Encore-2027!' } };
    const reply = await site.visitor().send(authCalls.resetPassword, reset);
    expect(reply.body.code).toBe('ERASED');
    const { rows } = await database.pool.query('select from app.credential where account_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

const FIRST = 'correct horse';
const SECOND = 'Encore-2027!';
const signIn = async (email: string, password: string) => {
  const browser = site.visitor();
  return { browser, reply: await browser.send(authCalls.login, { body: { email, password } }) };
};
const change = (browser: Visitor, currentPassword: string, password: string) =>
  browser.send(securityCalls.changePassword, { body: { currentPassword, password } });
const isSignedIn = async (browser: Visitor) =>
  (await browser.send(authCalls.resendVerification)).status !== 401;

describe('changing the password', () => {
  it('requires the current one, keeps this session with a new token, and ends all others', async () => {
    const { browser, email } = await register(FIRST);
    const { browser: other } = await signIn(email, FIRST);
    const token = browser.cookies.get('reprise-session');
    const changed = await change(browser, FIRST, SECOND);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('x-log-position')).toBeTruthy();
    expect(browser.cookies.get('reprise-session')).not.toBe(token);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    expect((await signIn(email, FIRST)).reply.status).toBe(401);
    expect((await signIn(email, SECOND)).reply.status).toBe(200);
  });

  it('succeeds for one of two at the same moment and ends the other’s session', async () => {
    const { browser, email } = await register(FIRST);
    const { browser: other } = await signIn(email, FIRST);
    const passwords = ['Encore-2027!', 'Encore-2028!'] as const;
    const answers = await Promise.all([
      change(browser, FIRST, passwords[0]),
      change(other, FIRST, passwords[1]),
    ]);
    const won = answers.map(({ status }) => status === 200);
    expect(won.filter(Boolean)).toHaveLength(1);
    const works = [];
    for (const password of passwords) works.push((await signIn(email, password)).reply.status === 200);
    expect(works).toEqual(won);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual(won);
  });

  it('ends mailed reset links', async () => {
    const { browser, id } = await register(FIRST);
    const token = await site.deps.mailTokens.issue('reset', id);
    await change(browser, FIRST, SECOND);
    const reset = await browser.send(authCalls.resetPassword, { body: { token, password: 'Encore-2028!' } });
    expect(reset.body.code).toBe('TOKEN_INVALID');
  });

  it.each([
    [
      'a wrong current one',
      'not this one',
      SECOND,
      'WRONG_PASSWORD',
      { currentPassword: 'That is not your password' },
    ],
    ['a weak one', FIRST, 'short', 'WEAK_PASSWORD', { password: 'Password must be at least 8 characters' }],
    ['a common one', FIRST, 'P@ssw0rd', 'WEAK_PASSWORD', { password: COMMON_PASSWORD }],
    [
      'a missing current one',
      '',
      SECOND,
      'BAD_INPUT',
      { currentPassword: 'Please enter your current password' },
    ],
  ])('refuses %s at its field and changes nothing', async (_, current, next, code, fields) => {
    const { browser, email } = await register(FIRST);
    const refused = await change(browser, current, next);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code, fields });
    expect(await isSignedIn(browser)).toBe(true);
    expect((await signIn(email, FIRST)).reply.status).toBe(200);
  });

  it('limits guesses in an open browser without blocking the owner’s sign-in', async () => {
    const { browser, email } = await register(FIRST);
    for (let count = 0; count < 5; count += 1) await change(browser, `guess ${count}`, SECOND);
    expect((await change(browser, FIRST, SECOND)).status).toBe(429);
    expect((await signIn(email, FIRST)).reply.status).toBe(200);
  });

  it('happens once for two clicks', async () => {
    const { browser, email } = await register(FIRST);
    const replies = await Promise.all([change(browser, FIRST, SECOND), change(browser, FIRST, SECOND)]);
    expect(replies.map(({ status }) => status)).toContain(200);
    expect((await signIn(email, SECOND)).reply.status).toBe(200);
  });

  it('explains how a user who signs in with Google only gets one', async () => {
    const { browser } = await site.member();
    const refused = await change(browser, FIRST, SECOND);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'NO_PASSWORD', message: expect.stringContaining('Google') });
  });
});
