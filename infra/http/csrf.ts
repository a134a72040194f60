/**
 * Protects against cross-site request forgery: every call that changes something carries a token in `X-CSRF-Token`, which
 * the client knows from a cookie of that name (readable by scripts) or from `GET /api/auth/csrf-token`. A token is
 * bound to the session: its second half is an HMAC keyed with the session's own token, which only the server and
 * the HttpOnly cookie hold. A visitor has no session; there header and cookie have to be the same.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '#infra/config/config.ts';

/** The header's and the cookie's name. */
export const CSRF_NAME = 'X-CSRF-Token';
/** The header's name in lower case, as Node gives it. */
export const CSRF_HEADER = 'x-csrf-token';

const NONCE_CHARACTERS = 22;
const LONGEST = 100;
const VISITOR_KEY = 'visitor';

const proof = (nonce: string, sessionToken: string | null): string =>
  createHmac('sha256', sessionToken ?? VISITOR_KEY)
    .update(nonce)
    .digest('base64url');

const same = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** A new token for a session, or for a visitor (`null`). */
export const mintCsrf = (sessionToken: string | null): string => {
  const nonce = randomBytes(16).toString('base64url');
  return `${nonce}.${proof(nonce, sessionToken)}`;
};

/** Whether a token belongs to that session (or to a visitor). */
export const belongsTo = (token: string, sessionToken: string | null): boolean => {
  if (token.length > LONGEST || token[NONCE_CHARACTERS] !== '.') return false;
  return same(token.slice(NONCE_CHARACTERS + 1), proof(token.slice(0, NONCE_CHARACTERS), sessionToken));
};

/** What a request brings for the check. */
export interface CsrfEvidence {
  readonly header: string | undefined;
  readonly cookie: string | undefined;
  readonly sessionToken: string | null;
}

/** Whether the token that came with a change is the caller's own. */
export const isGenuine = ({ header, cookie, sessionToken }: CsrfEvidence): boolean => {
  if (!header || !belongsTo(header, sessionToken)) return false;
  return sessionToken !== null || (cookie !== undefined && same(header, cookie));
};

/**
 * The origins of our own pages: that of `baseUrl`, and outside production also the names of this machine, at the same port.
 * The host that a request names does not count, since anybody can point a name of theirs at this machine.
 */
export const ownOrigins = ({
  baseUrl,
  production,
}: Pick<Config, 'baseUrl' | 'production'>): readonly string[] => {
  const { origin, protocol, port } = new URL(baseUrl);
  if (production) return [origin];
  return [origin, ...['localhost', '127.0.0.1'].map((name) => `${protocol}//${name}${port && `:${port}`}`)];
};

/**
 * Whether a change comes from this site's own pages. Browsers always send the origin of a change; of a caller that sends none,
 * which is no browser, only the token is checked.
 * @param allowed our own origins
 */
export const isOwnOrigin = (
  headers: { readonly origin?: string | undefined; readonly 'sec-fetch-site'?: unknown },
  allowed: readonly string[],
): boolean => {
  if (headers.origin !== undefined) return allowed.includes(headers.origin);
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
};
