import { beforeAll, describe, expect, it, vi } from 'vitest';
import { registerAccount } from '#command-api/accounts/registration.ts';
import { account } from '#domain/account/account.ts';
import type { Role } from '#domain/account/events.ts';
import { authCalls } from '#domain/contracts/auth.ts';
import { securityCalls } from '#domain/contracts/security.ts';
import { readConfig } from '#infra/config/config.ts';
import { codeOf, stepAt } from '#infra/identity/totp.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { eventually } from '#tests/kit/eventually.ts';
import { type StandingApi, startCommandApi } from '#tests/kit/site.ts';
import type { Visitor } from '#tests/kit/visitor.ts';

const PASSWORD = 'Encore-2026!';
const STEP = 30_000;
const MINUTE = 60_000;

let site: StandingApi;
let strict: StandingApi;
beforeAll(async () => {
  site = await startCommandApi();
  strict = await startCommandApi({ env: { SECOND_FACTOR: 'required' } });
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** The bytes that an app makes of the key that people type. */
const decode = (base32: string): Buffer => {
  const bits = [...base32].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** Somebody's phone, whose clock may be off. */
class App {
  readonly #api: StandingApi;
  readonly #secret: Buffer;
  constructor(api: StandingApi, secret: string) {
    this.#api = api;
    this.#secret = decode(secret);
  }
  code(late = 0): string {
    return codeOf(this.#secret, stepAt(new Date(this.#api.deps.clock().getTime() - late)));
  }
}

let people = 0;
const person = async (api: StandingApi, role: Role = 'user', verified = true) => {
  const email = `sam${++people}@example.com`;
  const facts = { email, firstName: 'Sam', lastName: null, profileImageUrl: null, role } as const;
  const { accountId: id } = await registerAccount(
    api.deps,
    { ...facts, verified, via: 'password', password: PASSWORD },
    api.acting(),
  );
  return { id, email };
};
const signIn = async (api: StandingApi, email: string, password = PASSWORD) => {
  const browser = api.visitor();
  return { browser, reply: await browser.send(authCalls.login, { body: { email, password } }) };
};
const giveCode = (browser: Visitor, code: string) => browser.send(authCalls.secondFactor, { body: { code } });
const isSignedIn = async (browser: Visitor) =>
  (await browser.send(authCalls.resendVerification)).status !== 401;

/** Somebody who is signed in, and has set up their second factor. */
const enrolled = async (api: StandingApi, role: Role = 'user', verified = true) => {
  const { id, email } = await person(api, role, verified);
  const { browser } = await signIn(api, email);
  const { secret, uri, qr } = await browser.ask(securityCalls.beginSecondFactor, {
    body: { password: PASSWORD },
  });
  const app = new App(api, secret);
  const { recoveryCodes } = await browser.ask(securityCalls.confirmSecondFactor, {
    body: { code: app.code() },
  });
  api.pass(STEP);
  return { id, email, browser, app, recoveryCodes, secret, uri, qr };
};
const eventsOf = async (api: StandingApi, id: string) => {
  const types: string[] = [];
  for await (const event of api.deps.log.readStream(`account-${id}`)) types.push(event.type);
  return types;
};

describe('setting up a second factor', () => {
  it('shows a key for the app as text, address and QR code, and ten recovery codes', async () => {
    const { secret, uri, qr, recoveryCodes, id, email } = await enrolled(site);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toContain(`secret=${secret}`);
    expect(decodeURIComponent(uri)).toContain(`Reprise:${email}`);
    expect(Buffer.from(qr.split(',')[1] ?? '', 'base64').toString()).toContain('<svg');
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    expect(await eventsOf(site, id)).toContain('SecondFactorEnrolled');
  });

  it('changes nothing until a correct code was entered', async () => {
    const { email } = await person(site);
    const { browser } = await signIn(site, email);
    await browser.ask(securityCalls.beginSecondFactor, { body: { password: PASSWORD } });
    const wrong = await browser.send(securityCalls.confirmSecondFactor, { body: { code: '000000' } });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toMatchObject({ code: 'WRONG_CODE', fields: { code: expect.any(String) } });
    expect((await signIn(site, email)).reply.status).toBe(200);
  });

  it('requires the password, and starts again if it was not finished', async () => {
    const { email } = await person(site);
    const { browser } = await signIn(site, email);
    for (const body of [{}, { password: 'not this one' }]) {
      const refused = await browser.send(securityCalls.beginSecondFactor, { body });
      expect(refused.body).toMatchObject({
        code: 'WRONG_PASSWORD',
        fields: { password: expect.any(String) },
      });
    }
    const begin = () => browser.ask(securityCalls.beginSecondFactor, { body: { password: PASSWORD } });
    const [first, second] = [await begin(), await begin()];
    const confirm = (secret: string) =>
      browser.send(securityCalls.confirmSecondFactor, { body: { code: new App(site, secret).code() } });
    expect((await confirm(first.secret)).body.code).toBe('WRONG_CODE');
    expect((await confirm(second.secret)).status).toBe(200);
    expect((await confirm(second.secret)).body.code).toBe('SECOND_FACTOR_ON');
    expect(
      (await browser.send(securityCalls.beginSecondFactor, { body: { password: PASSWORD } })).body.code,
    ).toBe('SECOND_FACTOR_ON');
  });

  it('ends all other sessions and gives this one a new token', async () => {
    const { id, email } = await person(site);
    const [{ browser }, { browser: other }] = [await signIn(site, email), await signIn(site, email)];
    const { secret } = await browser.ask(securityCalls.beginSecondFactor, { body: { password: PASSWORD } });
    const before = browser.cookies.get('reprise-session');
    await browser.ask(securityCalls.confirmSecondFactor, { body: { code: new App(site, secret).code() } });
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    expect(browser.cookies.get('reprise-session')).not.toBe(before);
    expect((await site.deps.handler.state(account, id)).state.secondFactor).toBe(true);
  });

  it('stores the key sealed with the person’s own, and recovery codes as hashes', async () => {
    const { id, secret, recoveryCodes } = await enrolled(site);
    const { pool } = site.deps.database;
    const { rows } = await pool.query<{ all: string }>(
      `select (select f::text from app.second_factor f where account_id = $1)
           || (select string_agg(c::text, '') from app.recovery_code c where account_id = $1) as all`,
      [id],
    );
    const kept = rows[0]?.all ?? '';
    expect(kept).toContain(id);
    expect(kept).not.toContain(decode(secret).toString('hex'));
    for (const code of recoveryCodes)
      for (const form of [code, code.replaceAll('-', '')])
        expect(kept).not.toContain(Buffer.from(form).toString('hex'));
    await site.deps.keys.destroy(id);
    expect(await site.deps.secondFactors.take(id, new App(site, secret).code())).toBe(false);
  });
});

describe('signing in with a second factor', () => {
  it('requires the password, then a code, and has no session before it', async () => {
    const { email, app } = await enrolled(site);
    const { browser, reply } = await signIn(site, email);
    expect(reply.status).toBe(401);
    expect(reply.body.code).toBe('SECOND_FACTOR');
    expect(await isSignedIn(browser)).toBe(false);
    const second = await giveCode(browser, app.code());
    expect(second.status).toBe(200);
    expect(second.body.user).toMatchObject({ email });
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('reveals the second factor only after the password', async () => {
    const { email } = await enrolled(site);
    expect((await signIn(site, email, 'not this one')).reply.body.code).toBe('BAD_CREDENTIALS');
    const without = await giveCode(site.visitor(), '123456');
    expect(without.body.code).toBe('SECOND_STEP_EXPIRED');
  });

  it('accepts a code once, also from two browsers at the same moment', async () => {
    const { email, app } = await enrolled(site);
    const browsers = [(await signIn(site, email)).browser, (await signIn(site, email)).browser];
    const code = app.code();
    const replies = await Promise.all(browsers.map((browser) => giveCode(browser, code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    const { browser } = await signIn(site, email);
    expect((await giveCode(browser, code)).body.code).toBe('WRONG_CODE');
    site.pass(STEP);
    expect((await giveCode(browser, app.code())).status).toBe(200);
  });

  it('accepts a phone whose clock is half a minute off, and not one a minute and a half off', async () => {
    const { email, app } = await enrolled(site);
    site.pass(5 * MINUTE);
    const { browser } = await signIn(site, email);
    expect((await giveCode(browser, app.code(3 * STEP))).body.code).toBe('WRONG_CODE');
    expect((await giveCode(browser, app.code(-3 * STEP))).body.code).toBe('WRONG_CODE');
    expect((await giveCode(browser, app.code(STEP))).status).toBe(200);
    const { browser: again } = await signIn(site, email);
    expect((await giveCode(again, app.code(-STEP))).status).toBe(200);
  });

  it('accepts twenty wrong app codes a day, and mails the owner after five, because their password is known', async () => {
    const { id, email, app, recoveryCodes } = await enrolled(site);
    const mails = async () => {
      const { rows } = await site.deps.database.pool.query(
        `select count(*)::int as count from app.outbox where account_id = $1 and kind = 'wrong-codes'`,
        [id],
      );
      return rows[0]?.count;
    };
    const { browser } = await signIn(site, email);
    const wrong = async () => (await giveCode(browser, '000000')).status;
    for (let count = 1; count <= 20; count += 1) {
      if (count % 4 === 1) {
        site.pass(15 * 60_000 + 1);
        await browser.send(authCalls.login, { body: { email, password: PASSWORD } });
      }
      expect(await wrong()).toBe(400);
      expect(await mails()).toBe(count < 5 ? 0 : 1);
    }
    site.pass(15 * 60_000 + 1);
    await browser.send(authCalls.login, { body: { email, password: PASSWORD } });
    const refused = await giveCode(browser, app.code());
    expect(refused.status).toBe(429);
    expect(refused.body.message).toContain('recovery code');
    expect((await giveCode(browser, recoveryCodes[0] ?? '')).status).toBe(200);
    // Whoever knew the old password can't try any more.
    const password = 'Encore-2027!';
    await browser.ask(securityCalls.changePassword, { body: { currentPassword: PASSWORD, password } });
    const again = await signIn(site, email, password);
    site.pass(STEP);
    expect((await giveCode(again.browser, app.code())).status).toBe(200);
    expect(await mails()).toBe(1);
  });

  it('accepts five wrong codes, whoever sends them, then none for a quarter of an hour', async () => {
    const { email, app, recoveryCodes } = await enrolled(site);
    const browsers = [(await signIn(site, email)).browser, (await signIn(site, email)).browser];
    const wrong = await Promise.all(
      Array.from({ length: 8 }, (_, index) => giveCode(browsers[index % 2] ?? site.visitor(), '000000')),
    );
    expect(wrong.filter(({ status }) => status === 400)).toHaveLength(5);
    expect(wrong.filter(({ status }) => status === 429)).toHaveLength(3);
    const [browser = site.visitor()] = browsers;
    expect((await giveCode(browser, app.code())).status).toBe(429);
    expect((await giveCode(browser, recoveryCodes[0] ?? '')).status).toBe(429);
    site.pass(16 * MINUTE);
    const later = (await signIn(site, email)).browser;
    expect((await giveCode(later, app.code())).status).toBe(200);
  });

  it('accepts each recovery code once, however it is typed', async () => {
    const { email, recoveryCodes } = await enrolled(site);
    const [first = '', second = ''] = recoveryCodes;
    const { browser } = await signIn(site, email);
    expect((await giveCode(browser, ` ${first.toLowerCase().replaceAll('-', ' ')} `)).status).toBe(200);
    const { browser: again } = await signIn(site, email);
    expect((await giveCode(again, first)).body.code).toBe('WRONG_CODE');
    expect((await giveCode(again, second)).status).toBe(200);
  });

  it('starts again after ten minutes, or after a change of the password', async () => {
    const { email, app, browser: own } = await enrolled(site);
    const { browser } = await signIn(site, email);
    site.pass(11 * MINUTE);
    expect((await giveCode(browser, app.code())).body.code).toBe('SECOND_STEP_EXPIRED');
    const { browser: thief } = await signIn(site, email);
    const body = { currentPassword: PASSWORD, password: 'Encore-2027!' };
    await own.ask(securityCalls.changePassword, { body });
    expect((await giveCode(thief, app.code())).body.code).toBe('SECOND_STEP_EXPIRED');
    expect(await isSignedIn(own)).toBe(true);
  });

  it('refuses a first step that was changed or is another site’s', async () => {
    const { email, app } = await enrolled(site);
    const { browser } = await signIn(site, email);
    const step = browser.cookies.get('reprise-second-step') ?? '';
    for (const forged of [
      '',
      'x',
      `${step.slice(0, -4)}AAAA`,
      strict.deps.secondSteps.begin({ accountId: 'a', passwordChanges: 0 }),
    ]) {
      browser.cookies.set('reprise-second-step', forged);
      expect((await giveCode(browser, app.code())).body.code).toBe('SECOND_STEP_EXPIRED');
    }
    browser.cookies.set('reprise-second-step', step);
    expect((await giveCode(browser, app.code())).status).toBe(200);
  });

  it('is required for a sign-in that began before the second factor was set up', async () => {
    const { email } = await person(site);
    const { browser } = await signIn(site, email);
    const { secret } = await browser.ask(securityCalls.beginSecondFactor, { body: { password: PASSWORD } });
    const { sessions } = site.deps;
    const open = sessions.open.bind(sessions);
    vi.spyOn(sessions, 'open').mockImplementationOnce(async (facts, device) => {
      await browser.ask(securityCalls.confirmSecondFactor, { body: { code: new App(site, secret).code() } });
      return open(facts, device);
    });
    const late = await signIn(site, email);
    expect(late.reply.status).toBe(401);
    expect(await isSignedIn(late.browser)).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe('removing a second factor', () => {
  it('requires password and code', async () => {
    const { id, browser, app, email } = await enrolled(site);
    const remove = (body: { password?: string; code: string }) =>
      browser.send(securityCalls.removeSecondFactor, { body });
    expect((await remove({ code: app.code() })).body.code).toBe('WRONG_PASSWORD');
    expect((await remove({ password: PASSWORD, code: '000000' })).body.code).toBe('WRONG_CODE');
    expect((await remove({ password: PASSWORD, code: app.code() })).status).toBe(200);
    expect((await remove({ password: PASSWORD, code: app.code() })).body.code).toBe('SECOND_FACTOR_OFF');
    expect((await signIn(site, email)).reply.status).toBe(200);
    expect(await eventsOf(site, id)).toContain('SecondFactorRemoved');
    // and can be set up again
    const { secret } = await browser.ask(securityCalls.beginSecondFactor, { body: { password: PASSWORD } });
    const { recoveryCodes } = await browser.ask(securityCalls.confirmSecondFactor, {
      body: { code: new App(site, secret).code() },
    });
    expect(recoveryCodes).toHaveLength(10);
  });

  it('leaves no recovery codes that were renewed meanwhile', async () => {
    const { id, browser, app, recoveryCodes } = await enrolled(site);
    const { secondFactors, database } = site.deps;
    const renew = secondFactors.renewRecoveryCodes.bind(secondFactors);
    vi.spyOn(secondFactors, 'renewRecoveryCodes').mockImplementationOnce(async (accountId) => {
      const [code = ''] = recoveryCodes;
      await browser.ask(securityCalls.removeSecondFactor, { body: { password: PASSWORD, code } });
      return renew(accountId);
    });
    const body = { password: PASSWORD, code: app.code() };
    const refused = await browser.send(securityCalls.renewRecoveryCodes, { body });
    expect(refused.body.code).toBe('SECOND_FACTOR_OFF');
    const { rows } = await database.pool.query('select from app.recovery_code where account_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it('is not affected by two renewals at once, which leave ten recovery codes', async () => {
    const { id } = await enrolled(site);
    const { pool } = site.deps.database;
    const { renewing } = await inTransaction(pool, async (client) => {
      await client.query('select from app.recovery_code where account_id = $1 for update', [id]);
      const renewing = Promise.all([1, 2].map(() => site.deps.secondFactors.renewRecoveryCodes(id)));
      await eventually(async () => {
        const { rows } = await pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(2);
      });
      return { renewing };
    });
    const [first = [], second = []] = await renewing;
    const taken: boolean[] = [];
    for (const code of [...first, ...second]) taken.push(await site.deps.secondFactors.take(id, code));
    expect(taken.filter(Boolean)).toHaveLength(10);
    expect(taken.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => taken[0]));
  });

  it('is separate from renewing the recovery codes, which replaces them', async () => {
    const { browser, app, email, recoveryCodes } = await enrolled(site);
    const body = { password: PASSWORD, code: app.code() };
    const { recoveryCodes: renewed } = await browser.ask(securityCalls.renewRecoveryCodes, { body });
    expect(renewed.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    const { browser: other } = await signIn(site, email);
    expect((await giveCode(other, recoveryCodes[0] ?? '')).body.code).toBe('WRONG_CODE');
    expect((await giveCode(other, renewed[0] ?? '')).status).toBe(200);
  });

  it('is done by a superuser for a user who lost it, never for themselves, and is recorded in the log', async () => {
    const { id, email, browser } = await enrolled(site, 'staff');
    const superuser = await site.member('superuser');
    const reset = (by: Visitor, account: string) =>
      by.send(securityCalls.resetSecondFactor, { params: { id: account } });
    expect((await reset((await site.member('admin')).browser, id)).status).toBe(403);
    expect((await reset(superuser.browser, superuser.id)).body.code).toBe('NOT_YOURSELF');
    expect((await reset(superuser.browser, '00000000-0000-4000-8000-000000000000')).status).toBe(404);
    expect((await reset(superuser.browser, id)).status).toBe(200);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await signIn(site, email)).reply.status).toBe(200);
    expect(await eventsOf(site, id)).toContain('SecondFactorReset');
    const { pool } = site.deps.database;
    const { rows } = await pool.query('select 1 from app.second_factor where account_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it('happens at a password reset if the address was never verified, because a stranger may have registered it', async () => {
    const reset = async ({ id, email }: { id: string; email: string }) => {
      await site.visitor().post('/api/auth/forgot-password', { email });
      const token = await site.mailedToken('reset-password', id);
      await site.visitor().post('/api/auth/reset-password', { token, password: 'Encore-2027!' });
      return (await signIn(site, email, 'Encore-2027!')).reply;
    };
    expect((await reset(await enrolled(site))).body.code).toBe('SECOND_FACTOR');
    const squatted = await enrolled(site, 'user', false);
    expect((await reset(squatted)).status).toBe(200);
    expect(await eventsOf(site, squatted.id)).toContain('SecondFactorRemoved');
  });

  it('happens when the account is deleted', async () => {
    const { id, browser } = await enrolled(site);
    expect((await browser.call('DELETE', '/api/profile', { password: PASSWORD })).status).toBe(200);
    const { pool } = site.deps.database;
    for (const table of ['second_factor', 'recovery_code'])
      expect((await pool.query(`select 1 from app.${table} where account_id = $1`, [id])).rows).toEqual([]);
  });
});

describe('where a second factor is required', () => {
  const scan = (browser: Visitor) => browser.post('/api/tickets/scan', { token: 'x' });

  it('staff have a customer’s rights until they set one up', async () => {
    const { email } = await person(strict, 'staff');
    const { browser, reply } = await signIn(strict, email);
    expect(reply.status).toBe(200);
    expect(reply.body.user).toMatchObject({ role: 'staff', needsSecondFactor: true });
    const refused = await scan(browser);
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe('SECOND_FACTOR_MISSING');
    expect((await browser.post('/api/admin/cities', {})).body.code).toBe('FORBIDDEN');
    const { secret } = await browser.ask(securityCalls.beginSecondFactor, { body: { password: PASSWORD } });
    const app = new App(strict, secret);
    await browser.ask(securityCalls.confirmSecondFactor, { body: { code: app.code() } });
    expect((await scan(browser)).status).not.toBe(403);
    strict.pass(STEP);
    const again = await signIn(strict, email);
    const entered = await giveCode(again.browser, app.code());
    expect(entered.body.user.needsSecondFactor).toBeUndefined();
    expect((await scan(again.browser)).status).not.toBe(403);
  });

  it('superusers have no special rights without one, and lose them with it', async () => {
    const { browser, app } = await enrolled(strict, 'superuser');
    expect((await browser.post('/api/admin/cities', {})).status).toBe(400);
    await browser.ask(securityCalls.removeSecondFactor, { body: { password: PASSWORD, code: app.code() } });
    expect((await browser.post('/api/admin/cities', {})).body.code).toBe('SECOND_FACTOR_MISSING');
  });

  it('customers need none, and get a new role’s rights only with one', async () => {
    const { id, email } = await person(strict);
    const { browser, reply } = await signIn(strict, email);
    expect(reply.body.user.needsSecondFactor).toBeUndefined();
    await strict.acting().do(account, id, { type: 'ChangeRole', role: 'staff', by: null });
    await strict.deps.sessions.update(id, { role: 'staff' });
    expect((await scan(browser)).body.code).toBe('SECOND_FACTOR_MISSING');
  });

  it('is in production, unless configured otherwise', async () => {
    const key = (letter: string) => Buffer.alloc(32, letter).toString('base64');
    const production = {
      NODE_ENV: 'production',
      BASE_URL: 'https://tickets.example.com',
      PAYMENTS: 'sandbox',
      MASTER_KEY: key('a'),
      TICKET_SIGNING_KEY: key('b'),
      CHECKPOINT_SIGNING_KEY: key('c'),
    };
    expect(readConfig(production).secondFactorRequired).toBe(true);
    expect(readConfig({ ...production, SECOND_FACTOR: 'optional' }).secondFactorRequired).toBe(false);
    expect(readConfig({}).secondFactorRequired).toBe(false);
    expect(() => readConfig({ SECOND_FACTOR: 'on' })).toThrow('SECOND_FACTOR must be required or optional');
  });
});
