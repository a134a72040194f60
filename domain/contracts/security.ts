import * as z from 'zod/mini';
import { code, codeRequest, samePasswords } from './auth.ts';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { exact, LONGEST } from './fields.ts';

export const changePasswordRequest = z.strictObject({
  currentPassword: exact(LONGEST.password, 1, 'Please enter your current password'),
  password: exact(LONGEST.password, 0, 'Password must be at least 8 characters'),
});

// @__NO_SIDE_EFFECTS__
export function changePasswordForm() {
  return z
    .object({
      currentPassword: exact(LONGEST.password, 1, 'Please enter your current password'),
      password: exact(LONGEST.password, 8, 'Password must be at least 8 characters'),
      confirmPassword: z.string(),
    })
    .check(samePasswords());
}

export const listedSession = z.object({
  id: z.string(),
  device: z.string(),
  firstSeenAt: z.string(),
  /** Exact to a minute. */
  lastSeenAt: z.string(),
  current: z.boolean(),
});
export type ListedSession = z.infer<typeof listedSession>;

const ownerRequest = z.strictObject({
  password: z.optional(exact(LONGEST.password, 0, 'Please enter your password')),
});
export const ownerAndCodeRequest = z.extend(ownerRequest, { code: code() });

const secondFactor = z.object({
  enrolled: z.boolean(),
  recoveryCodes: z.int(),
  required: z.boolean(),
});

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

const own = { capability: 'use-account' } as const;
const changing = { ...own, limit: 'changes' } as const;

export const securityCalls = {
  /** Ends all other sessions; this one gets a new token. */
  changePassword: call('POST /api/profile/password', {
    body: changePasswordRequest,
    answer: said(),
    ...changing,
  }),
  sessions: call('GET /api/profile/sessions', { answer: z.array(listedSession), ...own }),
  endSession: call('DELETE /api/profile/sessions/{id}', {
    params: z.object({ id: z.uuid('No such session') }),
    answer: said(),
    ...changing,
  }),
  endOtherSessions: call('DELETE /api/profile/sessions', { answer: said(), ...changing }),
  secondFactor: call('GET /api/profile/second-factor', { answer: secondFactor, ...own }),
  beginSecondFactor: call('POST /api/profile/second-factor', {
    body: ownerRequest,
    answer: z.object({
      secret: z.string(),
      uri: z.string(),
      qr: z.string(),
    }),
    ...changing,
  }),
  confirmSecondFactor: call('POST /api/profile/second-factor/confirm', {
    body: codeRequest,
    answer: recoveryCodes,
    ...changing,
  }),
  removeSecondFactor: call('POST /api/profile/second-factor/remove', {
    body: ownerAndCodeRequest,
    answer: said(),
    ...changing,
  }),
  renewRecoveryCodes: call('POST /api/profile/second-factor/recovery-codes', {
    body: ownerAndCodeRequest,
    answer: recoveryCodes,
    ...changing,
  }),
  /** For a person who lost theirs; signs them out. */
  resetSecondFactor: call('DELETE /api/admin/users/{id}/second-factor', {
    params: z.object({ id: z.uuid('No such user') }),
    answer: said(),
    capability: 'administer',
    limit: 'administration',
  }),
};
