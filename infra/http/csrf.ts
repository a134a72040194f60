/** The token's second half is an HMAC keyed with the session token. For visitors, header and cookie must match. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Config } from '#infra/config/config.ts';

export const CSRF_NAME = 'X-CSRF-Token';
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

export const mintCsrf = (sessionToken: string | null): string => {
  const nonce = randomBytes(16).toString('base64url');
  return `${nonce}.${proof(nonce, sessionToken)}`;
};

export const belongsTo = (token: string, sessionToken: string | null): boolean => {
  if (token.length > LONGEST || token[NONCE_CHARACTERS] !== '.') return false;
  return same(token.slice(NONCE_CHARACTERS + 1), proof(token.slice(0, NONCE_CHARACTERS), sessionToken));
};

export interface CsrfEvidence {
  readonly header: string | undefined;
  readonly cookie: string | undefined;
  readonly sessionToken: string | null;
}

export const isGenuine = ({ header, cookie, sessionToken }: CsrfEvidence): boolean => {
  if (!header || !belongsTo(header, sessionToken)) return false;
  return sessionToken !== null || (cookie !== undefined && same(header, cookie));
};

/** Outside production also this machine's names at the same port. The request's host is not trusted. */
export const ownOrigins = ({
  baseUrl,
  production,
}: Pick<Config, 'baseUrl' | 'production'>): readonly string[] => {
  const { origin, protocol, port } = new URL(baseUrl);
  if (production) return [origin];
  return [origin, ...['localhost', '127.0.0.1'].map((name) => `${protocol}//${name}${port && `:${port}`}`)];
};

export const isOwnOrigin = (
  headers: { readonly origin?: string | undefined; readonly 'sec-fetch-site'?: unknown },
  allowed: readonly string[],
): boolean => {
  if (headers.origin !== undefined) return allowed.includes(headers.origin);
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
};
