/**
 * Sign-in with Google: OpenID Connect's code flow with state, nonce and PKCE. What the flow has to remember
 * travels in a cookie of the browser that began it, so that any process may finish it.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { z } from 'zod';
import type { Config } from '#infra/config.ts';

/** Who the provider says it is. `subject` is for good; the address may change. */
export interface GooglePerson {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  readonly picture: string | undefined;
}

/** A sign-in that has begun: where to send the browser, and what it has to bring back. */
export interface GoogleStart {
  readonly url: string;
  /** For a cookie that no script can read. */
  readonly flow: string;
}

/** Thrown when the way back doesn't fit the way out: another browser, an old page, a refused consent. */
export class GoogleFlowFailed extends Error {
  override readonly name = 'GoogleFlowFailed';
}

/** The two halves of a sign-in, before and after the provider. */
export interface GoogleSignIn {
  /** @param returnTo a path of this site, where the person wants to go afterwards */
  begin(returnTo: string | undefined): Promise<GoogleStart>;
  /** @throws GoogleFlowFailed */
  finish(url: URL, flow: string | undefined): Promise<{ person: GooglePerson; returnTo: string | undefined }>;
}

/** Where the provider sends the browser back to. */
export const GOOGLE_CALLBACK = '/api/auth/google/callback';
/** How long a flow may take, in seconds: the cookie's life. */
export const GOOGLE_FLOW_LIFE = 600;
const TIMEOUT_SECONDS = 10;

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string().optional(),
});

const readFlow = (flow: string | undefined): z.infer<typeof flowSchema> => {
  try {
    return flowSchema.parse(JSON.parse(Buffer.from(flow ?? '', 'base64url').toString('utf8')));
  } catch (cause) {
    throw new GoogleFlowFailed('the browser did not bring its flow back', { cause });
  }
};

const text = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : undefined;

/** Sign-in with Google, or with any other issuer that speaks OpenID Connect (the specs use one). */
export const createGoogleSignIn = (google: NonNullable<Config['google']>, baseUrl: string): GoogleSignIn => {
  let discovered: Promise<Configuration> | undefined;

  /** Asked once; a failure is asked again the next time. */
  const configuration = (): Promise<Configuration> => {
    const issuer = new URL(google.issuer);
    discovered ??= discovery(issuer, google.clientId, google.clientSecret, undefined, {
      timeout: TIMEOUT_SECONDS,
      // The configuration allows plain http on this machine only.
      execute: issuer.protocol === 'http:' ? [allowInsecureRequests] : [],
    }).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  };

  return {
    async begin(returnTo) {
      const config = await configuration();
      const flow = {
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
        returnTo,
      };
      const url = buildAuthorizationUrl(config, {
        redirect_uri: `${baseUrl}${GOOGLE_CALLBACK}`,
        scope: 'openid email profile',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, flow: Buffer.from(JSON.stringify(flow)).toString('base64url') };
    },
    async finish(url, cookie) {
      const flow = readFlow(cookie);
      const config = await configuration();
      const tokens = await authorizationCodeGrant(config, url, {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
        idTokenExpected: true,
      }).catch((cause: unknown) => {
        throw new GoogleFlowFailed('the provider or its answer was refused', { cause });
      });
      const claims = tokens.claims();
      if (!claims) throw new GoogleFlowFailed('no id token came back');
      return {
        returnTo: flow.returnTo,
        person: {
          issuer: claims.iss,
          subject: claims.sub,
          email: text(claims.email),
          emailVerified: claims.email_verified === true,
          firstName: text(claims.given_name) ?? text(claims.name),
          lastName: text(claims.family_name),
          picture: text(claims.picture),
        },
      };
    },
  };
};
