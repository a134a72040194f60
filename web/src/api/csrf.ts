import { authCalls } from '#domain/contracts/auth.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { readCookies } from '../lib/storage.ts';

/** The token of every change (specification, section 7): the cached one, else the cookie's, else a fetched one. */
let cached: string | undefined;

/** The cookie's names: over https it is bound to the host. */
const NAMES = [`__Host-${headers.csrf}=`, `${headers.csrf}=`];

const fromCookie = (): string | undefined => {
  const cookies = readCookies().split('; ');
  for (const name of NAMES) {
    const pair = cookies.find((entry) => entry.startsWith(name));
    if (pair) return decodeURIComponent(pair.slice(name.length));
  }
  return undefined;
};

/** Forgets the cached token: after a 403, and where the session changed. */
export const forgetCsrfToken = (): void => {
  cached = undefined;
};

/** Undefined when none can be had; the failure is logged and the call goes without. */
export const csrfToken = async (fresh: boolean, signal: AbortSignal): Promise<string | undefined> => {
  if (!fresh) cached ??= fromCookie();
  if (cached) return cached;
  try {
    const response = await fetch(authCalls.csrfToken.path, { credentials: 'include', signal });
    if (!response.ok) throw new Error(`${response.status}: ${response.statusText}`);
    const answer: { readonly csrfToken?: unknown } = await response.json();
    if (typeof answer.csrfToken === 'string') cached = answer.csrfToken;
  } catch (error) {
    console.error('The CSRF token could not be fetched.', error);
  }
  return cached;
};
