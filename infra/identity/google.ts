/** OpenID Connect with state, nonce and PKCE. A browser cookie has the flow's secrets, so that any process can finish it. */
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
import { authCalls } from '#domain/contracts/auth.ts';
import { inOneLine, LONGEST, oneLine, text } from '#domain/contracts/fields.ts';
import type { Config } from '#infra/config/config.ts';

/** `subject` never changes; the email address may. */
export interface GooglePerson {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  /** Other addresses may belong to another person by now (Google's OpenID Connect guide, on `email_verified` and `hd`). */
  readonly ownsMailbox: boolean;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  readonly picture: string | undefined;
}

export interface GoogleStart {
  readonly url: string;
  readonly flow: string;
}

export class GoogleFlowFailed extends Error {
  override readonly name = 'GoogleFlowFailed';
}

export interface GoogleSignIn {
  begin(returnTo: string | undefined): Promise<GoogleStart>;
  finish(url: URL, flow: string | undefined): Promise<{ person: GooglePerson; returnTo: string | undefined }>;
}

/** Seconds. */
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

const said = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : undefined;

const typedName = text(LONGEST.name).check(oneLine());
/** There is no form in which the person could correct it. */
const nameOf = (claim: unknown): string | undefined =>
  typedName.safeParse(inOneLine(said(claim)?.slice(0, LONGEST.name) ?? '')).data;

const GOOGLES_MAIL = /@(gmail|googlemail)\.com$/i;

export const createGoogleSignIn = (google: NonNullable<Config['google']>, baseUrl: string): GoogleSignIn => {
  let discovered: Promise<Configuration> | undefined;

  const configuration = (): Promise<Configuration> => {
    const issuer = new URL(google.issuer);
    discovered ??= discovery(issuer, google.clientId, google.clientSecret, undefined, {
      timeout: TIMEOUT_SECONDS,
      // `readConfig` allows plain http only on this machine.
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
        redirect_uri: `${baseUrl}${authCalls.googleCallback.path}`,
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
      const email = said(claims.email);
      const emailVerified = claims.email_verified === true;
      return {
        returnTo: flow.returnTo,
        person: {
          issuer: claims.iss,
          subject: claims.sub,
          email,
          emailVerified,
          ownsMailbox: emailVerified && (GOOGLES_MAIL.test(email ?? '') || said(claims.hd) !== undefined),
          firstName: nameOf(claims.given_name) ?? nameOf(claims.name),
          lastName: nameOf(claims.family_name),
          picture: said(claims.picture),
        },
      };
    },
  };
};
