import { authCalls } from '#domain/contracts/auth.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { readCookies } from '#web/lib/storage.ts';

/** CSRF token (specification, section 7): cached, else from the cookie, else fetched. */
let cached: string | undefined;

/** The `__Host-` cookie is used over https. */
const NAMES = [`__Host-${headers.csrf}=`, `${headers.csrf}=`];

const fromCookie = (): string | undefined => {
  const cookies = readCookies().split('; ');
  for (const name of NAMES) {
    const pair = cookies.find((entry) => entry.startsWith(name));
    if (pair) return decodeURIComponent(pair.slice(name.length));
  }
  return undefined;
};

export const forgetCsrfToken = (): void => {
  cached = undefined;
};

/** Undefined if unavailable; the call is then sent without a token. */
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
