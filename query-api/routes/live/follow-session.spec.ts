import { expect, it, vi } from 'vitest';
import type { Role } from '#domain/account/events.ts';
import type { SignedIn } from '#infra/http/principal.ts';
import { followSession } from './follow-session.ts';

const somebody = (role: Role, secondFactor = true): SignedIn => ({
  kind: 'user',
  accountId: 'ann',
  role,
  sessionId: 's',
  emailVerified: true,
  profileComplete: true,
  secondFactor,
  signedInAt: new Date(0),
});

/** Follows a session that the gate has seen as one, and that is another by the time it is followed. */
const followed = async (seen: SignedIn, now: SignedIn | undefined): Promise<number> => {
  const end = vi.fn();
  const sessions = { find: async () => now && { principal: now, rotate: false } };
  const endings = { follow: () => () => undefined };
  const context = { sessions, endings, config: { secondFactorRequired: true } };
  followSession(context as never, { principal: seen, sessionToken: 'token' }, end);
  await new Promise(setImmediate);
  return end.mock.calls.length;
};

it('a live stream continues while the session has the rights of its request', async () => {
  expect(await followed(somebody('staff'), somebody('staff'))).toBe(0);
  // Rights that wait for a second factor.
  const withheld = { ...somebody('user', false), withheldRole: 'staff' } as const;
  expect(await followed(withheld, somebody('staff', false))).toBe(0);
});

it('a live stream ends if the session ended before it was followed', async () => {
  expect(await followed(somebody('staff'), undefined)).toBe(1);
});

it('a live stream ends if the session lost rights before it was followed', async () => {
  expect(await followed(somebody('staff'), somebody('user'))).toBe(1);
  expect(await followed(somebody('staff'), somebody('staff', false))).toBe(1);
});
