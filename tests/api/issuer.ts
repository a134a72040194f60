/** An OpenID Connect issuer on this machine, in place of Google's, whose consent is given by the spec. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { atTheEnd } from '#tests/kit/endings.ts';

/** Somebody who has an account with the issuer. */
export interface IssuerPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  /** The domain of the organisation whose mail Google runs. */
  readonly hd?: string;
  readonly given_name?: string;
  readonly family_name?: string;
}

export interface Issuer {
  readonly url: string;
  /** Follows a sign-in's way through the issuer as that person, and answers with where it sends the browser back to. */
  signIn(authorizationUrl: string, person: IssuerPerson): Promise<URL>;
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/** Starts the issuer with one client. It ends with the specs of the file. */
export const startIssuer = async (client: {
  id: string;
  secret: string;
  redirectUri: string;
}): Promise<Issuer> => {
  const people = new Map<string, IssuerPerson>();
  const server = createServer();
  atTheEnd(() => server.close());
  const url = `http://127.0.0.1:${await listen(server)}`;
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
    async signIn(authorizationUrl, who) {
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
