import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { account } from '#domain/account/account.ts';
import { type Issuer, type IssuerPerson, startIssuer } from './issuer.ts';
import { BASE_URL, type Browser, type Rig, startRig } from './rig.ts';

const CALLBACK = `${BASE_URL}/api/auth/google/callback`;
let issuer: Issuer;
let rig: Rig;

beforeAll(async () => {
  issuer = await startIssuer({ id: 'reprise', secret: 'a secret for specs', redirectUri: CALLBACK });
  rig = await startRig({
    env: {
      GOOGLE_CLIENT_ID: 'reprise',
      GOOGLE_CLIENT_SECRET: 'a secret for specs',
      GOOGLE_ISSUER: issuer.url,
    },
  });
});
afterAll(async () => {
  await rig.close();
  await issuer.close();
});

let people = 0;
const somebody = (over: Partial<IssuerPerson> = {}): IssuerPerson => {
  people += 1;
  return {
    sub: `sub-${people}`,
    email: `dee${people}@example.com`,
    email_verified: true,
    given_name: 'Dee',
    family_name: 'Okafor',
    ...over,
  };
};

const begin = async (browser: Browser, query = '') =>
  (await browser.call('GET', `/api/auth/google${query}`)).headers.location ?? '';

/** Goes to the issuer and back as that person. Answers with the last redirect. */
const signIn = async (browser: Browser, person: IssuerPerson, query = '') => {
  const back = await issuer.signIn(await begin(browser, query), person);
  return browser.call('GET', `${back.pathname}${back.search}`);
};
const accountOf = async (browser: Browser) => {
  const found = await rig.deps.sessions.find(browser.cookies.get('reprise-session') ?? '');
  return found?.principal;
};
const registered = async (email: string) => {
  const browser = rig.browser();
  const body = { email, password: 'correct horse', firstName: 'Local' };
  const reply = await browser.call('POST', '/api/auth/register', body);
  return reply.json().user.id as string;
};

describe('signing in with Google', () => {
  it('registers somebody new, with the address verified', async () => {
    const browser = rig.browser();
    const person = somebody();
    const reply = await signIn(browser, person);
    expect(reply.statusCode).toBe(302);
    expect(reply.headers.location).toBe('/');
    const principal = await accountOf(browser);
    expect(principal).toMatchObject({ role: 'user', emailVerified: true, profileComplete: false });
    const { state } = await rig.deps.lane.state(account, principal?.accountId ?? '');
    expect(state).toMatchObject({
      email: person.email,
      firstName: 'Dee',
      lastName: 'Okafor',
      google: true,
      password: false,
    });
  });

  it('finds the same account again by its subject, though the address has changed', async () => {
    const [first, second] = [rig.browser(), rig.browser()];
    const person = somebody();
    await signIn(first, person);
    await signIn(second, { ...person, email: 'moved@example.com' });
    expect((await accountOf(second))?.accountId).toBe((await accountOf(first))?.accountId);
  });

  it('goes back to the page that sent the person, but to no other site', async () => {
    const person = somebody();
    const returnTo = async (page: string) =>
      (await signIn(rig.browser(), person, `?returnTo=${encodeURIComponent(page)}`)).headers.location;
    expect(await returnTo('/booking/12')).toBe('/booking/12');
    for (const page of ['//evil.example', 'https://evil.example', '/\\evil.example', '/api/auth/logout']) {
      expect(await returnTo(page)).toBe('/');
    }
  });

  it('joins a local account whose address is verified', async () => {
    const person = somebody();
    const id = await registered(person.email ?? '');
    const token = await rig.mailedToken('verify-email', id);
    await rig.browser().call('POST', '/api/auth/verify-email', { token });
    const browser = rig.browser();
    await signIn(browser, person);
    expect((await accountOf(browser))?.accountId).toBe(id);
    expect((await rig.deps.lane.state(account, id)).state).toMatchObject({ google: true, password: true });
  });

  it('never joins a local account whose address is not: somebody else may have made it', async () => {
    const person = somebody();
    await registered(person.email ?? '');
    const browser = rig.browser();
    const reply = await signIn(browser, person);
    expect(reply.headers.location).toBe('/auth?error=google-unverified-account');
    expect(await accountOf(browser)).toBeUndefined();
  });

  it('takes no address that Google itself has not verified', async () => {
    const browser = rig.browser();
    const reply = await signIn(browser, somebody({ email_verified: false }));
    expect(reply.headers.location).toBe('/auth?error=google-no-address');
  });

  it('refuses a deactivated account', async () => {
    const browser = rig.browser();
    const person = somebody();
    await signIn(browser, person);
    const id = (await accountOf(browser))?.accountId ?? '';
    await rig.deps.lane.execute(
      account,
      id,
      { type: 'Deactivate', by: null },
      { commandId: rig.deps.ids.uuid(), actor: { kind: 'system' }, at: '', correlationId: '' },
    );
    expect((await signIn(rig.browser(), person)).headers.location).toBe('/auth?error=account-inactive');
  });

  it('takes up a registration that was cut off after the identity was tied', async () => {
    const person = somebody();
    const id = rig.deps.ids.uuid();
    await rig.deps.credentials.link({ issuer: issuer.url, subject: person.sub }, id);
    const browser = rig.browser();
    await signIn(browser, person);
    expect((await accountOf(browser))?.accountId).toBe(id);
  });

  it('joins the account that holds the address by now, where a registration that was cut off is all that it is tied to', async () => {
    const person = somebody();
    await rig.deps.credentials.link({ issuer: issuer.url, subject: person.sub }, rig.deps.ids.uuid());
    const id = await registered(person.email ?? '');
    const token = await rig.mailedToken('verify-email', id);
    await rig.browser().call('POST', '/api/auth/verify-email', { token });
    const browser = rig.browser();
    await signIn(browser, person);
    expect((await accountOf(browser))?.accountId).toBe(id);
  });
});

describe('a way back that doesn’t fit', () => {
  const failed = '/auth?error=google-failed';

  it('is refused in another browser, with another state, and without a code', async () => {
    const [mine, other] = [rig.browser(), rig.browser()];
    const back = await issuer.signIn(await begin(mine), somebody());
    expect((await other.call('GET', `${back.pathname}${back.search}`)).headers.location).toBe(failed);
    const forged = new URL(back);
    forged.searchParams.set('state', 'x'.repeat(43));
    expect((await mine.call('GET', `${forged.pathname}${forged.search}`)).headers.location).toBe(failed);
    expect(await accountOf(mine)).toBeUndefined();
    const denied = rig.browser();
    await begin(denied);
    const reply = await denied.call('GET', '/api/auth/google/callback?error=access_denied&state=x');
    expect(reply.headers.location).toBe(failed);
  });

  it('works once', async () => {
    const browser = rig.browser();
    const back = await issuer.signIn(await begin(browser), somebody());
    expect((await browser.call('GET', `${back.pathname}${back.search}`)).headers.location).toBe('/');
    expect((await browser.call('GET', `${back.pathname}${back.search}`)).headers.location).toBe(failed);
  });
});

describe('without an issuer', () => {
  it('goes back to the sign-in page with the reason', async () => {
    const [unset, gone] = await Promise.all([
      startRig(),
      startRig({
        env: { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y', GOOGLE_ISSUER: 'http://127.0.0.1:9' },
      }),
    ]);
    expect(await begin(unset.browser())).toBe('/auth?error=google-not-configured');
    expect(await begin(gone.browser())).toBe('/auth?error=google-unavailable');
    await Promise.all([unset.close(), gone.close()]);
  });
});
