import { headers } from '#domain/contracts/envelope.ts';

/** The token of every change (specification, section 7): the cached one, else the cookie's, else a fetched one. */
let cached: string | undefined;

const fromCookie = (): string | undefined => {
  const pair = document.cookie.split('; ').find((entry) => entry.startsWith(`${headers.csrf}=`));
  return pair ? decodeURIComponent(pair.slice(headers.csrf.length + 1)) : undefined;
};

/** Forgets the cached token: after a 403, and where the session changed. */
export const forgetCsrfToken = (): void => {
  cached = undefined;
};

/** Undefined when none can be had; the failure is logged and the call goes without. */
export const csrfToken = async (fresh = false): Promise<string | undefined> => {
  if (!fresh) cached ??= fromCookie();
  if (cached) return cached;
  try {
    const response = await fetch('/api/auth/csrf-token', { credentials: 'include' });
    if (!response.ok) throw new Error(`${response.status}: ${response.statusText}`);
    const answer: unknown = await response.json();
    if (answer && typeof answer === 'object' && 'csrfToken' in answer && typeof answer.csrfToken === 'string')
      cached = answer.csrfToken;
  } catch (error) {
    console.error('The CSRF token could not be fetched.', error);
  }
  return cached;
};
