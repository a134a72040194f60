import * as z from 'zod/mini';
import { ROLES } from '#domain/account/events.ts';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { blankable, email, exact, LONGEST, oneLine, text } from './fields.ts';

const shortPassword = 'Password must be at least 6 characters';

/** `POST /api/auth/login` */
export const loginRequest = z.strictObject({
  email: email(),
  password: exact(LONGEST.password, 6, shortPassword),
});
export type LoginRequest = z.infer<typeof loginRequest>;

/** `POST /api/auth/register`. `lastName` may be blank or missing. */
export const registerRequest = z.strictObject({
  email: email(),
  password: exact(LONGEST.password, 6, shortPassword),
  firstName: text(LONGEST.name, 'First name is required').check(oneLine()),
  lastName: z.nullish(blankable(LONGEST.name).check(oneLine())),
});
export type RegisterRequest = z.infer<typeof registerRequest>;

/** Of a form in which a new password is typed twice. */
// @__NO_SIDE_EFFECTS__
export function samePasswords() {
  return z.refine<{ password: string; confirmPassword: string }>(
    (form) => form.password === form.confirmPassword,
    { error: "Passwords don't match", path: ['confirmPassword'] },
  );
}

/** The schema of the form "Create Account". `confirmPassword` is never sent. */
// @__NO_SIDE_EFFECTS__
export function registerForm() {
  return z.extend(registerRequest, { confirmPassword: z.string() }).check(samePasswords());
}

/** `POST /api/auth/forgot-password` */
export const forgotPasswordRequest = z.strictObject({
  email: email('Please enter your email address'),
});

const resetToken = () => exact(LONGEST.token, 1, 'This password reset link is invalid or has expired.');

/** `POST /api/auth/verify-email`: the token of the mailed link, and the account's password where the caller has no session of it. */
export const verifyEmailRequest = z.strictObject({
  token: exact(LONGEST.token, 1, 'The verification link is invalid or has expired.'),
  password: z.optional(exact(LONGEST.password, 0, 'Please enter your password')),
});
export type VerifyEmailRequest = z.infer<typeof verifyEmailRequest>;

/** `POST /api/auth/verify-reset-token`: the token of the mailed link. */
export const tokenRequest = z.strictObject({ token: resetToken() });

/** `POST /api/auth/reset-password`. The rules of the password are checked by `passwordProblems` (`domain/account/password.ts`). */
export const resetPasswordRequest = z.strictObject({
  token: resetToken(),
  password: exact(LONGEST.password, 0, 'Password must be at least 8 characters'),
});
export type ResetPasswordRequest = z.infer<typeof resetPasswordRequest>;

/** The schema of the form for a new password. */
// @__NO_SIDE_EFFECTS__
export function resetPasswordForm() {
  return z
    .object({
      password: exact(LONGEST.password, 8, 'Password must be at least 8 characters'),
      confirmPassword: z.string(),
    })
    .check(samePasswords());
}

/** A code of an authenticator app, or a recovery code. */
// @__NO_SIDE_EFFECTS__
export function code() {
  return text(40, 'Please enter the code');
}

/** `POST /api/auth/second-factor` */
export const codeRequest = z.strictObject({ code: code() });
export type CodeRequest = z.infer<typeof codeRequest>;

/** `returnTo` is the page to go to after signing in. */
const googleQuery = z.object({ returnTo: z.optional(z.string().check(z.maxLength(LONGEST.url))) });

/** The parameters with which the provider sends the browser back. Others are ignored. */
const googleCallbackQuery = z.object({
  code: z.optional(exact(LONGEST.token, 1, 'Required')),
  state: z.optional(exact(LONGEST.token, 1, 'Required')),
  error: z.optional(exact(LONGEST.token, 0, 'Required')),
});

/** The signed-in person's own account. */
export const user = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.nullable(z.string()),
  role: z.enum(ROLES),
  /** `YYYY-MM-DD`; null while the profile is incomplete. */
  dateOfBirth: z.nullable(z.string()),
  emailVerified: z.boolean(),
  profileImageUrl: z.nullable(z.string()),
  preferences: z.object({
    favoriteCategories: z.array(z.string()),
  }),
  /** How the person can sign in. */
  signInWith: z.array(z.enum(['password', 'google'])),
  createdAt: z.string(),
  /** True while a role above a customer's has no rights, because the account has no second factor. */
  needsSecondFactor: z.optional(z.boolean()),
});
export type User = z.infer<typeof user>;

const signedIn = z.object({ user });

const authenticate = { capability: 'authenticate' } as const;
const changing = { ...authenticate, limit: 'changes' } as const;

/** The calls of `/api/auth`, and the addresses that send browsers to a sign-in page. */
export const authCalls = {
  csrfToken: call('GET /api/auth/csrf-token', {
    answer: z.object({ csrfToken: z.string().check(z.minLength(16)) }),
    ...authenticate,
  }),
  /** The signed-in user; otherwise 401. */
  user: call('GET /api/auth/user', { answer: user, capability: 'use-account' }),
  login: call('POST /api/auth/login', { body: loginRequest, answer: signedIn, ...changing }),
  /** The second step of a sign-in that was refused with `SECOND_FACTOR`. */
  secondFactor: call('POST /api/auth/second-factor', {
    body: codeRequest,
    answer: signedIn,
    ...changing,
  }),
  register: call('POST /api/auth/register', {
    body: registerRequest,
    answer: z.extend(signedIn, { message: z.string(), requiresEmailVerification: z.boolean() }),
    status: [201],
    ...changing,
  }),
  logout: call('POST /api/auth/logout', { answer: said(), ...authenticate, limit: 'sign-out' }),
  /** Refused with `WRONG_PASSWORD` where neither the session nor the password is the account's. */
  verifyEmail: call('POST /api/auth/verify-email', { body: verifyEmailRequest, answer: said(), ...changing }),
  resendVerification: call('POST /api/auth/resend-verification', {
    answer: said(),
    capability: 'use-account',
    limit: 'changes',
  }),
  /** Gives the same answer whether there is such an account or not. */
  forgotPassword: call('POST /api/auth/forgot-password', {
    body: forgotPasswordRequest,
    answer: said(),
    ...changing,
  }),
  verifyResetToken: call('POST /api/auth/verify-reset-token', {
    body: tokenRequest,
    answer: z.extend(said(), { valid: z.literal(true) }),
    ...changing,
  }),
  resetPassword: call('POST /api/auth/reset-password', {
    body: resetPasswordRequest,
    answer: said(),
    ...changing,
  }),
  /** Sends the browser to the provider, or back to the sign-in page if Google is not configured. */
  google: call('GET /api/auth/google', { query: googleQuery, answer: 'redirect', ...authenticate }),
  googleCallback: call('GET /api/auth/google/callback', {
    query: googleCallbackQuery,
    answer: 'redirect',
    ...authenticate,
  }),
  /** Sends a browser whose session has ended to the sign-in page. The specification names this address. */
  loginPage: call('GET /api/login', { answer: 'redirect', session: 'ignored', ...authenticate }),
};
