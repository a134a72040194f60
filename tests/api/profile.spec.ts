import { beforeAll, describe, expect, it } from 'vitest';
import { type ErasureDeps, finishErasures } from '#command-api/accounts/erasure.ts';
import { account } from '#domain/account/account.ts';
import { emailClaim } from '#domain/email-claim/email-claim.ts';
import { erased } from '#domain/kernel/personal.ts';
import { newsletterKey } from '#domain/newsletter/events.ts';
import { newsletter } from '#domain/newsletter/newsletter.ts';
import { refund } from '#domain/refund/refund.ts';
import { type StandingApi, startCommandApi } from '#tests/kit/site.ts';

const PASSWORD = 'correct horse';
const MINUTE = 60_000;

const ended: string[] = [];
/** The times by which purchases were ended, or were not. */
const asked: string[] = [];
const swept: string[] = [];
let failing = false;

let site: StandingApi;
beforeAll(async () => {
  site = await startCommandApi({
    ending: {
      endPurchases: async (accountId, _acting, _by, at) => {
        asked.push(at);
        if (failing) throw new Error('the purchases can’t be ended now');
        ended.push(accountId);
      },
      sweeps: [async (accountId) => void swept.push(accountId)],
    },
  });
});

let people = 0;
const signedUp = async () => {
  const browser = site.visitor();
  const email = `bea${++people}@example.com`;
  const body = { email, password: PASSWORD, firstName: 'Bea' };
  const reply = await browser.call('POST', '/api/auth/register', body);
  return { browser, email, body, id: reply.body.user.id as string };
};

const stateOf = async (id: string) => (await site.deps.handler.state(account, id)).state;
const keyOf = async (id: string) => (await site.deps.keys.fetch([{ subject: id, version: 1 }]))[0];
const rowsAbout = async (id: string) => {
  const { rows } = await site.deps.database.pool.query<{ n: number }>(
    `select (select count(*) from app.session where account_id = $1)
          + (select count(*) from app.credential where account_id = $1)
          + (select count(*) from app.mail_token where account_id = $1) as n`,
    [id],
  );
  return Number(rows[0]?.n);
};
describe('deleting the profile', () => {
  it('makes the person unreadable, signs them out and releases the address', async () => {
    const { browser, email, body, id } = await signedUp();
    const reply = await browser.call('DELETE', '/api/profile', { password: PASSWORD });
    expect(reply.status).toBe(200);
    expect(browser.cookies.has('reprise-session')).toBe(false);
    expect(await stateOf(id)).toMatchObject({ erased: true, email: erased, firstName: erased });
    expect(await keyOf(id)).toBe('gone');
    expect(await rowsAbout(id)).toBe(0);
    expect(ended).toContain(id);
    expect(swept).toContain(id);
    expect((await site.deps.handler.state(emailClaim, site.deps.emailId(email))).state).toBeNull();
    const signIn = await site.visitor().call('POST', '/api/auth/login', { email, password: PASSWORD });
    expect(signIn.body.code).toBe('NO_ACCOUNT');
    expect((await site.visitor().call('POST', '/api/auth/register', body)).status).toBe(201);
  });

  it('unsubscribes the address and makes all its subscriptions unreadable', async () => {
    const { browser, email } = await signedUp();
    const { handler, emailId, keys } = site.deps;
    for (const call of ['subscribe', 'unsubscribe', 'subscribe'])
      await site.visitor().call('POST', `/api/newsletter/${call}`, { email });
    const before = (await handler.state(newsletter, emailId(email))).state;
    expect(before.keys).toHaveLength(2);
    await browser.call('DELETE', '/api/profile', { password: PASSWORD });
    const refs = before.keys.map((key) => ({ subject: newsletterKey(key), version: 1 }));
    expect(await keys.fetch(refs)).toEqual(['gone', 'gone']);
    expect((await handler.state(newsletter, emailId(email))).state).toMatchObject({
      subscribed: false,
      keys: [],
    });
  });

  it('makes messages to support unreadable that the user wrote while signed in', async () => {
    const { browser, email, id } = await signedUp();
    const { codec, log } = site.deps;
    const body = { name: 'Bea', email, message: 'Where is my seat?' };
    expect((await browser.call('POST', '/api/contact-support', body)).status).toBe(200);
    const messages = async () => {
      const kept = [];
      for await (const batch of log.readAll('', { filter: { streamPrefixes: ['support-'] } }))
        kept.push(...batch.events);
      return (await codec.decode(kept)).map(({ event }) => event.data);
    };
    expect(await messages()).toMatchObject([{ accountId: id, email, message: 'Where is my seat?' }]);
    await browser.call('DELETE', '/api/profile', { password: PASSWORD });
    expect(await messages()).toMatchObject([{ name: erased, email: erased, message: erased }]);
  });

  it('leaves nothing of a refund’s reasons in memory', async () => {
    const { browser, id } = await signedUp();
    const { handler, ids } = site.deps;
    const bookingId = await ids.next('booking');
    const asked = { bookingId, userId: id, listingId: 1, intentId: 'pi_1', amount: 1_000, paid: 1_000 };
    const why = { reason: 'Bea broke her leg', processingType: 'manual', cancellation: 1 } as const;
    await site.acting().do(refund, bookingId, { type: 'RequestRefund', ...asked, ...why });
    await site.acting().do(refund, bookingId, { type: 'Deny', reason: 'Bea had a leg to spare' });
    await browser.call('DELETE', '/api/profile', { password: PASSWORD });
    expect((await handler.state(refund, bookingId)).state).toMatchObject({
      reason: erased,
      decision: erased,
    });
  });

  it('ends purchases before the key is destroyed, because their reasons are personal', async () => {
    const { browser, id } = await signedUp();
    failing = true;
    const reply = await browser.call('DELETE', '/api/profile', { password: PASSWORD });
    expect(reply.status).toBe(500);
    failing = false;
    expect((await stateOf(id)).erased).toBe(false);
    expect(await keyOf(id)).not.toBe('gone');
  });

  it('is finished later if it was interrupted', async () => {
    const { browser, email, id } = await signedUp();
    const { deps } = site;
    const cut: ErasureDeps = {
      ...deps,
      mailTokens: {
        ...deps.mailTokens,
        remove: async () => {
          throw new Error('the process was killed here');
        },
      },
    };
    failing = true;
    const at = deps.clock().toISOString();
    asked.length = 0;
    await browser.call('DELETE', '/api/profile', { password: PASSWORD });
    failing = false;
    site.pass(2 * MINUTE);
    const errors: unknown[] = [];
    await finishErasures(cut, (error) => errors.push(error));
    expect(errors).not.toHaveLength(0);
    expect((await stateOf(id)).erased).toBe(true);
    expect(await rowsAbout(id)).toBeGreaterThan(0);
    await finishErasures(deps, (error) => errors.push(error));
    expect(await rowsAbout(id)).toBe(0);
    expect((await deps.handler.state(emailClaim, deps.emailId(email))).state).toBeNull();
    // What is paid back goes by the time of the request, whenever it is carried out.
    expect(new Set(asked)).toEqual(new Set([at]));
    expect(await finishErasures(deps, (error) => errors.push(error))).toBe(0);
  });

  it('leaves the address to its new owner if it finishes later', async () => {
    const { browser, email, body, id } = await signedUp();
    const { deps } = site;
    let endings = 0;
    const cut: ErasureDeps = {
      ...deps,
      ending: {
        ...deps.ending,
        endPurchases: async () => {
          // What was opened while the account was being deleted can't be ended now.
          if (++endings === 2) throw new Error('the payment provider is away');
        },
      },
    };
    failing = true;
    await browser.call('DELETE', '/api/profile', { password: PASSWORD });
    failing = false;
    site.pass(2 * MINUTE);
    await finishErasures(cut, () => undefined);
    expect((await stateOf(id)).erased).toBe(true);
    const again = await site.visitor().call('POST', '/api/auth/register', body);
    expect(again.status).toBe(201);
    await site.visitor().call('POST', '/api/newsletter/subscribe', { email });
    expect(await finishErasures(deps, () => undefined)).toBe(1);
    const { handler, emailId } = deps;
    expect((await handler.state(newsletter, emailId(email))).state).toMatchObject({ subscribed: true });
    expect((await handler.state(emailClaim, emailId(email))).state?.accountId).toBe(again.body.user.id);
  });

  it('asks for the password again', async () => {
    const { browser, id } = await signedUp();
    for (const body of [undefined, {}, { password: '' }, { password: 'not this one' }]) {
      const refused = await browser.call('DELETE', '/api/profile', body);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({
        code: 'WRONG_PASSWORD',
        fields: { password: expect.any(String) },
      });
    }
    expect((await stateOf(id)).erased).toBe(false);
    expect((await browser.call('DELETE', '/api/profile', { password: PASSWORD })).status).toBe(200);
  });

  it('limits password guesses to five', async () => {
    const { browser } = await signedUp();
    for (let count = 0; count < 5; count += 1)
      await browser.call('DELETE', '/api/profile', { password: `guess ${count}` });
    expect((await browser.call('DELETE', '/api/profile', { password: PASSWORD })).status).toBe(429);
  });

  it('requires a recent sign-in from a user without a password', async () => {
    const { browser, id } = await site.member();
    site.pass(11 * MINUTE);
    const refused = await browser.call('DELETE', '/api/profile');
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe('SIGN_IN_AGAIN');
    expect((await stateOf(id)).erased).toBe(false);
    const again = await site.signedIn({
      accountId: id,
      role: 'user',
      emailVerified: true,
      profileComplete: true,
    });
    expect((await again.call('DELETE', '/api/profile')).status).toBe(200);
  });

  it('is refused to superusers and allowed to staff', async () => {
    const superuser = await site.member('superuser');
    const refused = await superuser.browser.call('DELETE', '/api/profile');
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe('NOT_YOURSELF');
    const staff = await site.member('staff');
    expect((await staff.browser.call('DELETE', '/api/profile')).status).toBe(200);
  });
});

describe('the right to buy', () => {
  it('requires a complete profile and a verified address, reported in this order', async () => {
    const { browser, id } = await signedUp();
    const buy = async () =>
      (await browser.call('POST', '/api/create-payment-intent', { eventId: 1, quantity: 1, amount: 1 })).body;
    expect((await site.visitor().call('POST', '/api/create-payment-intent')).body.code).toBe('NOT_SIGNED_IN');
    expect((await buy()).code).toBe('PROFILE_INCOMPLETE');
    await browser.call('PATCH', '/api/profile/enhance', { dateOfBirth: '1990-05-04' });
    expect(await buy()).toMatchObject({
      code: 'EMAIL_UNVERIFIED',
      message: 'Email verification required',
      requiresEmailVerification: true,
    });
    const token = await site.mailedToken('verify-email', id);
    await browser.call('POST', '/api/auth/verify-email', { token });
    expect((await buy()).code).toBe('LISTING_NOT_FOUND');
  });

  it('is checked in the log if the session is out of date', async () => {
    const { browser, id } = await signedUp();
    await browser.call('PATCH', '/api/profile/enhance', { dateOfBirth: '1990-05-04' });
    const token = await site.mailedToken('verify-email', id);
    await browser.call('POST', '/api/auth/verify-email', { token });
    await site.deps.sessions.update(id, { emailVerified: false, profileComplete: false });
    const reply = await browser.call('POST', '/api/create-payment-intent', {
      eventId: 1,
      quantity: 1,
      amount: 1,
    });
    expect(reply.body.code).toBe('LISTING_NOT_FOUND');
  });
});
