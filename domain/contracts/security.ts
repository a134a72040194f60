import * as z from 'zod/mini';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { exact, LONGEST } from './fields.ts';

/** `POST /api/profile/password`. The rules of the new one are checked as at a reset. */
export const changePasswordRequest = z.strictObject({
  currentPassword: exact(LONGEST.password, 1, 'Please enter your current password'),
  password: exact(LONGEST.password, 0, 'Password must be at least 8 characters'),
});
export type ChangePasswordRequest = z.infer<typeof changePasswordRequest>;

/** The schema of the form that changes the password. */
// @__NO_SIDE_EFFECTS__
export function changePasswordForm() {
  return z
    .object({
      currentPassword: exact(LONGEST.password, 1, 'Please enter your current password'),
      password: exact(LONGEST.password, 8, 'Password must be at least 8 characters'),
      confirmPassword: z.string(),
    })
    .check(
      z.refine((form) => form.password === form.confirmPassword, {
        error: "Passwords don't match",
        path: ['confirmPassword'],
      }),
    );
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

const own = { capability: 'use-account' } as const;

/** The calls with which people look after the safety of their own account. */
export const securityCalls = {
  /** Ends all other sessions. This one goes on, with a new token. */
  changePassword: call('POST /api/profile/password', {
    body: changePasswordRequest,
    answer: said(),
    ...own,
  }),
  /** Where the person is signed in, the latest first. */
  sessions: call('GET /api/profile/sessions', { answer: z.array(listedSession), ...own }),
  endSession: call('DELETE /api/profile/sessions/{id}', {
    params: z.object({ id: z.uuid('No such session') }),
    answer: said(),
    ...own,
  }),
  /** Ends all sessions but the one that asks. */
  endOtherSessions: call('DELETE /api/profile/sessions', { answer: said(), ...own }),
};
