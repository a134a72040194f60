/** Signing in with Google's account, at an OpenID Connect issuer on this machine whose consent is given by the spec. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { eraseAccount } from '#command-api/accounts/erasure.ts';
import { account } from '#domain/account/account.ts';
import { codeOf, stepAt } from '#infra/identity/totp.ts';
import { atTheEnd } from '#tests/kit/endings.ts';
import { BASE_URL, type StandingApi, startCommandApi } from '#tests/kit/site.ts';
import type { Visitor } from '#tests/kit/visitor.ts';

/** Somebody who has an account with the issuer. */
interface IssuerPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  /** The domain of the organisation whose mail Google runs. */
  readonly hd?: string;
  readonly given_name?: string;
  readonly family_name?: string;
}

/** Starts the issuer with one client. It ends with the specs of the file. */
const startIssuer = async (client: { id: string; secret: string; redirectUri: string }) => {
  const people = new Map<string, IssuerPerson>();
  const server = createServer();
  atTheEnd(() => server.close());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [client.redirectUri] }],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', 'hd'],
      profile: ['given_name', 'family_name', 'name'],
    },
    // As Google does: what was asked for stands in the id token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ['a key for specs'] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
  });
  let person: IssuerPerson | undefined;
  const callback = provider.callback();
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/') || !person) return callback(request, response);
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
    if (prompt.name === 'consent') {
      const grant = grantId
        ? await provider.Grant.find(grantId)
        : new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) });
      grant?.addOIDCScope('openid email profile');
      return provider.interactionFinished(request, response, { consent: { grantId: await grant?.save() } });
    }
    return provider.interactionFinished(request, response, { login: { accountId: person.sub } });
  });

  return {
    url,
    /** Follows a sign-in's way through the issuer as that person, and answers with where it sends the browser back to. */
    async signIn(authorizationUrl: string, who: IssuerPerson): Promise<URL> {
      people.set(who.sub, who);
      person = who;
      const cookies = new Map<string, string>();
      let next = new URL(authorizationUrl);
      for (let step = 0; step < 10; step += 1) {
        if (next.href.startsWith(client.redirectUri)) return next;
        const reply = await fetch(next, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        });
        for (const line of reply.headers.getSetCookie()) {
          const [pair = ''] = line.split(';', 1);
          const at = pair.indexOf('=');
          cookies.set(pair.slice(0, at), pair.slice(at + 1));
        }
        const location = reply.headers.get('location');
        if (!location) throw new Error(`the issuer answered ${reply.status}: ${await reply.text()}`);
        next = new URL(location, next);
      }
      throw new Error('the issuer went round in circles');
    },
  };
};

const CALLBACK = `${BASE_URL}/api/auth/google/callback`;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let site: StandingApi;

beforeAll(async () => {
  issuer = await startIssuer({ id: 'reprise', secret: 'a secret for specs', redirectUri: CALLBACK });
  site = await startCommandApi({
    env: {
      GOOGLE_CLIENT_ID: 'reprise',
      GOOGLE_CLIENT_SECRET: 'a secret for specs',
      GOOGLE_ISSUER: issuer.url,
    },
  });
});

let people = 0;
const somebody = (over: Partial<IssuerPerson> = {}): IssuerPerson => {
  people += 1;
  return {
    sub: `sub-${people}`,
    email: `dee${people}@gmail.com`,
    email_verified: true,
    given_name: 'Dee',
    family_name: 'Okafor',
    ...over,
  };
};

const begin = async (browser: Visitor, query = '') =>
  (await browser.call('GET', `/api/auth/google${query}`)).headers.get('location') ?? '';

/** Goes to the issuer and back as that person. Answers with the last redirect. */
const signIn = async (browser: Visitor, person: IssuerPerson, query = '') => {
  const back = await issuer.signIn(await begin(browser, query), person);
  return browser.call('GET', `${back.pathname}${back.search}`);
};
const accountOf = async (browser: Visitor) => {
  const found = await site.deps.sessions.find(browser.cookies.get('reprise-session') ?? '');
  return found?.principal;
};
const registered = async (email: string) => {
  const browser = site.visitor();
  const body = { email, password: 'correct horse', firstName: 'Local' };
  const reply = await browser.call('POST', '/api/auth/register', body);
  return reply.body.user.id as string;
};
/** An account with a password, whose address is verified. */
const verified = async (email: string) => {
  const id = await registered(email);
  const token = await site.mailedToken('verify-email', id);
  await site.visitor().call('POST', '/api/auth/verify-email', { token, password: 'correct horse' });
  return id;
};
/** Turns the second factor of an account on. The answer makes a new code each time. */
const enrolled = async (accountId: string) => {
  const { secondFactors, clock } = site.deps;
  const secret = await secondFactors.begin(accountId);
  const code = () => {
    site.pass(30_000);
    return codeOf(secret, stepAt(clock()));
  };
  expect(await secondFactors.confirm(accountId, code())).toBe(true);
  await site.acting().do(account, accountId, { type: 'EnrolSecondFactor' });
  return code;
};

describe('signing in with Google', () => {
  it('registers a new user with a verified address', async () => {
    const browser = site.visitor();
    const person = somebody();
    const reply = await signIn(browser, person);
    expect(reply.status).toBe(302);
    expect(reply.headers.get('location')).toBe('/');
    const principal = await accountOf(browser);
    expect(principal).toMatchObject({ role: 'user', emailVerified: true, profileComplete: false });
    const { state } = await site.deps.handler.state(account, principal?.accountId ?? '');
    expect(state).toMatchObject({
      email: person.email,
      firstName: 'Dee',
      lastName: 'Okafor',
      google: true,
      password: false,
    });
  });

  it.each([
    ['several lines', 'Dee\r\nYour ticket:\u2028free', 'Dee Your ticket: free'],
    ['characters that turn the direction of what follows', '\u202EDee\u2069', 'Dee'],
    ['characters that can’t be stored', 'D\0ee\uD800', 'D ee\uFFFD'],
    ['a hundred letters and more', 'Dee '.repeat(30), 'Dee '.repeat(25).trim()],
    ['nothing that can be seen', '\u200B\u0007', undefined],
  ])('turns a name of %s into one line, like a typed one', async (_, name, cleaned) => {
    const browser = site.visitor();
    const person = somebody({ given_name: name, family_name: name });
    expect((await signIn(browser, person)).headers.get('location')).toBe('/');
    const { accountId = '' } = (await accountOf(browser)) ?? {};
    const { firstName, lastName } = (await site.deps.handler.state(account, accountId)).state;
    const fallback = person.email?.split('@')[0];
    expect([firstName, lastName]).toEqual([cleaned ?? fallback, cleaned ?? null]);
  });

  it('asks an account with a second factor for its code', async () => {
    const [first, second] = [site.visitor(), site.visitor()];
    const person = somebody();
    await signIn(first, person);
    const { accountId = '' } = (await accountOf(first)) ?? {};
    const code = await enrolled(accountId);
    const reply = await signIn(second, person);
    expect(reply.headers.get('location')).toBe('/auth?step=code');
    expect(await accountOf(second)).toBeUndefined();
    expect((await second.call('POST', '/api/auth/second-factor', { code: code() })).status).toBe(200);
    expect(await accountOf(second)).toMatchObject({ accountId, secondFactor: true });
  });

  it('finds the same account again by its subject if the address has changed', async () => {
    const [first, second] = [site.visitor(), site.visitor()];
    const person = somebody();
    await signIn(first, person);
    await signIn(second, { ...person, email: 'moved@example.com' });
    expect((await accountOf(second))?.accountId).toBe((await accountOf(first))?.accountId);
  });

  it('returns to the page that sent the user, and to no other site', async () => {
    const person = somebody();
    const returnTo = async (page: string) =>
      (await signIn(site.visitor(), person, `?returnTo=${encodeURIComponent(page)}`)).headers.get('location');
    expect(await returnTo('/booking/12')).toBe('/booking/12');
    for (const page of ['//evil.example', 'https://evil.example', '/\\evil.example', '/api/auth/logout']) {
      expect(await returnTo(page)).toBe('/');
    }
  });

  it('joins a local account with a verified address', async () => {
    const person = somebody();
    const id = await verified(person.email ?? '');
    const browser = site.visitor();
    await signIn(browser, person);
    expect((await accountOf(browser))?.accountId).toBe(id);
    expect((await site.deps.handler.state(account, id)).state).toMatchObject({
      google: true,
      password: false,
    });
  });

  it('joins an account at an address of an organisation whose mail Google runs', async () => {
    const person = somebody({ email: 'dee@venue.example', hd: 'venue.example' });
    const id = await verified('dee@venue.example');
    const browser = site.visitor();
    await signIn(browser, person);
    expect((await accountOf(browser))?.accountId).toBe(id);
  });

  it('never joins an account at another provider’s address, which may have a new owner', async () => {
    const person = somebody({ email: 'dee@example.com' });
    const id = await verified('dee@example.com');
    const browser = site.visitor();
    const reply = await signIn(browser, person);
    expect(reply.headers.get('location')).toBe('/auth?error=google-existing-account');
    expect(await accountOf(browser)).toBeUndefined();
    expect((await site.deps.handler.state(account, id)).state).toMatchObject({
      google: false,
      password: true,
    });
    const body = { email: 'dee@example.com', password: 'correct horse' };
    expect((await site.visitor().call('POST', '/api/auth/login', body)).status).toBe(200);
  });

  it('joins an account with a second factor only after its code', async () => {
    const person = somebody();
    const owner = site.visitor();
    const id = await verified(person.email ?? '');
    await owner.call('POST', '/api/auth/login', { email: person.email, password: 'correct horse' });
    const code = await enrolled(id);
    const state = async () => (await site.deps.handler.state(account, id)).state;
    const browser = site.visitor();
    expect((await signIn(browser, person)).headers.get('location')).toBe('/auth?step=code');
    expect(await state()).toMatchObject({ google: false, password: true });
    expect((await accountOf(owner))?.accountId).toBe(id);
    expect((await browser.call('POST', '/api/auth/second-factor', { code: '000000' })).status).toBe(400);
    expect(await state()).toMatchObject({ google: false, password: true });
    expect((await browser.call('POST', '/api/auth/second-factor', { code: code() })).status).toBe(200);
    expect(await accountOf(browser)).toMatchObject({ accountId: id, secondFactor: true });
    expect(await state()).toMatchObject({ google: true, password: false });
    expect(await accountOf(owner)).toBeUndefined();
    // From now on the identity is known.
    const again = site.visitor();
    await signIn(again, person);
    expect((await again.call('POST', '/api/auth/second-factor', { code: code() })).status).toBe(200);
    expect((await accountOf(again))?.accountId).toBe(id);
  });

  it('is not linked to an account that is erased meanwhile, and can then register a new user', async () => {
    const person = somebody();
    const id = await verified(person.email ?? '');
    const { credentials } = site.deps;
    const link = credentials.link.bind(credentials);
    vi.spyOn(credentials, 'link').mockImplementationOnce(async (...to) => {
      await eraseAccount(site.deps, id, id, site.acting());
      return link(...to);
    });
    expect((await signIn(site.visitor(), person)).headers.get('location')).toBe('/auth?error=google-failed');
    const browser = site.visitor();
    expect((await signIn(browser, person)).headers.get('location')).toBe('/');
    const { accountId } = (await accountOf(browser)) ?? {};
    expect(accountId).not.toBe(id);
  });

  it('changes nothing for an account that is deactivated before its code', async () => {
    const person = somebody();
    const id = await verified(person.email ?? '');
    const code = await enrolled(id);
    const browser = site.visitor();
    expect((await signIn(browser, person)).headers.get('location')).toBe('/auth?step=code');
    await site.acting().do(account, id, { type: 'Deactivate', by: null });
    const refused = await browser.call('POST', '/api/auth/second-factor', { code: code() });
    expect(refused.body.code).toBe('ACCOUNT_INACTIVE');
    expect((await site.deps.handler.state(account, id)).state).toMatchObject({
      google: false,
      password: true,
    });
  });

  it('changes nothing for a deactivated account', async () => {
    const person = somebody();
    const id = await verified(person.email ?? '');
    await site.acting().do(account, id, { type: 'Deactivate', by: null });
    const reply = await signIn(site.visitor(), person);
    expect(reply.headers.get('location')).toBe('/auth?error=account-inactive');
    expect((await site.deps.handler.state(account, id)).state).toMatchObject({
      google: false,
      password: true,
    });
  });

  it('leaves neither password nor session to the account’s unverified maker, also after an interruption', async () => {
    const person = somebody();
    const email = person.email ?? '';
    const maker = site.visitor();
    const body = { email, password: 'correct horse', firstName: 'Local' };
    const { user } = (await maker.call('POST', '/api/auth/register', body)).body;
    await maker.call('POST', '/api/auth/verify-email', {
      token: await site.mailedToken('verify-email', user.id),
    });
    const { credentials } = site.deps;
    vi.spyOn(credentials, 'removePassword').mockRejectedValueOnce(new Error('the process was killed here'));
    expect((await signIn(site.visitor(), person)).status).toBe(500);
    const owner = site.visitor();
    await signIn(owner, person);
    expect((await accountOf(owner))?.accountId).toBe(user.id);
    expect(await accountOf(maker)).toBeUndefined();
    const { status, body: refused } = await site.visitor().call('POST', '/api/auth/login', {
      email,
      password: 'correct horse',
    });
    expect([status, refused.code]).toEqual([401, 'BAD_CREDENTIALS']);
  });

  it('never joins a local account with an unverified address, which somebody else may have made', async () => {
    const person = somebody();
    await registered(person.email ?? '');
    const browser = site.visitor();
    const reply = await signIn(browser, person);
    expect(reply.headers.get('location')).toBe('/auth?error=google-unverified-account');
    expect(await accountOf(browser)).toBeUndefined();
  });

  it('refuses an address that Google has not verified', async () => {
    const browser = site.visitor();
    const reply = await signIn(browser, somebody({ email_verified: false }));
    expect(reply.headers.get('location')).toBe('/auth?error=google-no-address');
  });

  it('refuses a deactivated account', async () => {
    const browser = site.visitor();
    const person = somebody();
    await signIn(browser, person);
    const id = (await accountOf(browser))?.accountId ?? '';
    await site.deps.handler.execute(
      account,
      id,
      { type: 'Deactivate', by: null },
      { commandId: site.deps.ids.uuid(), actor: { kind: 'system' }, at: '', correlationId: '' },
    );
    expect((await signIn(site.visitor(), person)).headers.get('location')).toBe(
      '/auth?error=account-inactive',
    );
  });

  it('continues a registration that was interrupted after the identity was linked', async () => {
    const person = somebody();
    const id = site.deps.ids.uuid();
    await site.deps.credentials.link({ issuer: issuer.url, subject: person.sub }, id);
    const browser = site.visitor();
    await signIn(browser, person);
    expect((await accountOf(browser))?.accountId).toBe(id);
  });

  it('joins the account that now has the address if the identity is linked only to an interrupted registration', async () => {
    const person = somebody();
    await site.deps.credentials.link({ issuer: issuer.url, subject: person.sub }, site.deps.ids.uuid());
    const id = await verified(person.email ?? '');
    const browser = site.visitor();
    await signIn(browser, person);
    expect((await accountOf(browser))?.accountId).toBe(id);
  });
});

describe('Google’s callback', () => {
  const failed = '/auth?error=google-failed';

  it('is refused in another browser, with another state and without a code', async () => {
    const [mine, other] = [site.visitor(), site.visitor()];
    const back = await issuer.signIn(await begin(mine), somebody());
    expect((await other.call('GET', `${back.pathname}${back.search}`)).headers.get('location')).toBe(failed);
    const forged = new URL(back);
    forged.searchParams.set('state', 'x'.repeat(43));
    expect((await mine.call('GET', `${forged.pathname}${forged.search}`)).headers.get('location')).toBe(
      failed,
    );
    expect(await accountOf(mine)).toBeUndefined();
    const denied = site.visitor();
    await begin(denied);
    const reply = await denied.call('GET', '/api/auth/google/callback?error=access_denied&state=x');
    expect(reply.headers.get('location')).toBe(failed);
  });

  it('works once', async () => {
    const browser = site.visitor();
    const back = await issuer.signIn(await begin(browser), somebody());
    expect((await browser.call('GET', `${back.pathname}${back.search}`)).headers.get('location')).toBe('/');
    expect((await browser.call('GET', `${back.pathname}${back.search}`)).headers.get('location')).toBe(
      failed,
    );
  });
});

describe('without Google configured', () => {
  it('the sign-in page shows the reason', async () => {
    const [unset, gone] = await Promise.all([
      startCommandApi(),
      startCommandApi({
        env: { GOOGLE_CLIENT_ID: 'x', GOOGLE_CLIENT_SECRET: 'y', GOOGLE_ISSUER: 'http://127.0.0.1:9' },
      }),
    ]);
    expect(await begin(unset.visitor())).toBe('/auth?error=google-not-configured');
    expect(await begin(gone.visitor())).toBe('/auth?error=google-unavailable');
  });
});
