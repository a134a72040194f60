/** Who uses the site, signed in by its API: for specs whose subject isn't the forms that do the same. */
import type { Page } from '@playwright/test';
import { verificationLink } from '#tests/kit/mails.ts';
import type { StartedSite } from '#tests/kit/started-site.ts';

export const DEMO_PASSWORD = 'Encore-2026!';

export type NewCustomer = Readonly<Record<'firstName' | 'lastName' | 'email' | 'password', string>>;

/** Makes a change as the client does, with the cookies of the page's browser. Resolves to the answer. */
export const change = async <Answer>(
  page: Page,
  method: string,
  path: string,
  data: object,
): Promise<Answer> => {
  const { request } = page.context();
  const { csrfToken } = await (await request.get('/api/auth/csrf-token')).json();
  const reply = await request.fetch(path, { method, data, headers: { 'x-csrf-token': csrfToken } });
  if (!reply.ok()) throw new Error(`${method} ${path} answered ${reply.status()} ${await reply.text()}`);
  return reply.json();
};

/** Signs somebody in. The pages of that browser know it when they load. */
export const enter = (page: Page, email: string, password = DEMO_PASSWORD): Promise<void> =>
  change(page, 'POST', '/api/auth/login', { email, password });

/** How far somebody has come. Only who is `verified` may buy. */
type Progress = 'registered' | 'complete' | 'verified';

export const newCustomer = async (
  page: Page,
  site: Pick<StartedSite, 'dataDir'>,
  person: NewCustomer,
  progress: Progress = 'verified',
): Promise<void> => {
  await change(page, 'POST', '/api/auth/register', person);
  if (progress === 'registered') return;
  await change(page, 'PATCH', '/api/profile/enhance', { dateOfBirth: '1994-05-17' });
  if (progress === 'complete') return;
  const token = new URL(await verificationLink(site, person.email)).searchParams.get('token');
  await change(page, 'POST', '/api/auth/verify-email', { token });
};
