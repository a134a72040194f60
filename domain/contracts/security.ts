import * as z from 'zod/mini';
import { code, codeRequest, samePasswords } from './auth.ts';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { exact, LONGEST } from './fields.ts';

/** `POST /api/profile/password`. The rules of the new one are checked as at a reset. */
export const changePasswordRequest = z.strictObject({
  currentPassword: exact(LONGEST.password, 1, 'Please enter your current password'),
  password: exact(LONGEST.password, 0, 'Password must be at least 8 characters'),
});

/** The schema of the form that changes the password. */
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

/** A place where the person is signed in. */
export const listedSession = z.object({
  id: z.string(),
  /** "Firefox on Windows" */
  device: z.string(),
  firstSeenAt: z.string(),
  /** Exact to a minute. */
  lastSeenAt: z.string(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});
export type ListedSession = z.infer<typeof listedSession>;

/** What shows that it is the owner who asks. The password is needed on an account that has one. */
const ownerRequest = z.strictObject({
  password: z.optional(exact(LONGEST.password, 0, 'Please enter your password')),
});
/** The same, and a code of the second factor. */
export const ownerAndCodeRequest = z.extend(ownerRequest, { code: code() });

/** Where the person's second factor stands. */
const secondFactor = z.object({
  enrolled: z.boolean(),
  /** How many recovery codes are left. */
  recoveryCodes: z.int(),
  /** Whether the person's role has its rights only with it. */
  required: z.boolean(),
});

/** Ten codes, each of which works once instead of one of the app. They are shown this once. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

const own = { capability: 'use-account' } as const;
const changing = { ...own, limit: 'changes' } as const;

/** The calls with which people look after the safety of their own account. */
export const securityCalls = {
  /** Ends all other sessions. This one goes on, with a new token. */
  changePassword: call('POST /api/profile/password', {
    body: changePasswordRequest,
    answer: said(),
    ...changing,
  }),
  /** Where the person is signed in, the latest first. */
  sessions: call('GET /api/profile/sessions', { answer: z.array(listedSession), ...own }),
  endSession: call('DELETE /api/profile/sessions/{id}', {
    params: z.object({ id: z.uuid('No such session') }),
    answer: said(),
    ...changing,
  }),
  /** Ends all sessions but the one that asks. */
  endOtherSessions: call('DELETE /api/profile/sessions', { answer: said(), ...changing }),
  secondFactor: call('GET /api/profile/second-factor', { answer: secondFactor, ...own }),
  /** Makes a secret for an authenticator app. It counts once `confirmSecondFactor` has seen a code. */
  beginSecondFactor: call('POST /api/profile/second-factor', {
    body: ownerRequest,
    answer: z.object({
      /** For typing, in base32. */
      secret: z.string(),
      /** `otpauth://…`, which opens the app on the same device. */
      uri: z.string(),
      /** The same as a QR code: an SVG, as a data URL. */
      qr: z.string(),
    }),
    ...changing,
  }),
  /** Turns the second factor on, and ends all other sessions. */
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
  /** New recovery codes; older ones stop working. */
  renewRecoveryCodes: call('POST /api/profile/second-factor/recovery-codes', {
    body: ownerAndCodeRequest,
    answer: recoveryCodes,
    ...changing,
  }),
  /** Turns somebody else's second factor off, who lost it, and signs them out. */
  resetSecondFactor: call('DELETE /api/admin/users/{id}/second-factor', {
    params: z.object({ id: z.uuid('No such user') }),
    answer: said(),
    capability: 'administer',
    limit: 'administration',
  }),
};
