import * as z from 'zod/mini';
import { ROLES } from '#domain/account/events.ts';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { blankable, email, exact, LONGEST, oneLine, text } from './fields.ts';

const shortPassword = 'Password must be at least 6 characters';

export const loginRequest = z.strictObject({
  email: email(),
  password: exact(LONGEST.password, 6, shortPassword),
});

export const registerRequest = z.strictObject({
  email: email(),
  password: exact(LONGEST.password, 6, shortPassword),
  firstName: text(LONGEST.name, 'First name is required').check(oneLine()),
  lastName: z.nullish(blankable(LONGEST.name).check(oneLine())),
});

// @__NO_SIDE_EFFECTS__
export function samePasswords() {
  return z.refine<{ password: string; confirmPassword: string }>(
    (form) => form.password === form.confirmPassword,
    { error: "Passwords don't match", path: ['confirmPassword'] },
  );
}

// @__NO_SIDE_EFFECTS__
export function registerForm() {
  return z.extend(registerRequest, { confirmPassword: z.string() }).check(samePasswords());
}

export const forgotPasswordRequest = z.strictObject({
  email: email('Please enter your email address'),
});

const resetToken = () => exact(LONGEST.token, 1, 'This password reset link is invalid or has expired.');

/** The password is required unless the session is the account's own. */
export const verifyEmailRequest = z.strictObject({
  token: exact(LONGEST.token, 1, 'The verification link is invalid or has expired.'),
  password: z.optional(exact(LONGEST.password, 0, 'Please enter your password')),
});

export const tokenRequest = z.strictObject({ token: resetToken() });

export const resetPasswordRequest = z.strictObject({
  token: resetToken(),
  password: exact(LONGEST.password, 0, 'Password must be at least 8 characters'),
});

// @__NO_SIDE_EFFECTS__
export function resetPasswordForm() {
  return z
    .object({
      password: exact(LONGEST.password, 8, 'Password must be at least 8 characters'),
      confirmPassword: z.string(),
    })
    .check(samePasswords());
}

// @__NO_SIDE_EFFECTS__
export function code() {
  return text(40, 'Please enter the code');
}

export const codeRequest = z.strictObject({ code: code() });

const googleQuery = z.object({ returnTo: z.optional(z.string().check(z.maxLength(LONGEST.url))) });

const googleCallbackQuery = z.object({
  code: z.optional(exact(LONGEST.token, 1, 'Required')),
  state: z.optional(exact(LONGEST.token, 1, 'Required')),
  error: z.optional(exact(LONGEST.token, 0, 'Required')),
});

export const user = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.nullable(z.string()),
  role: z.enum(ROLES),
  /** `YYYY-MM-DD`. */
  dateOfBirth: z.nullable(z.string()),
  emailVerified: z.boolean(),
  profileImageUrl: z.nullable(z.string()),
  preferences: z.object({
    favoriteCategories: z.array(z.string()),
  }),
  signInWith: z.array(z.enum(['password', 'google'])),
  createdAt: z.string(),
  /** A staff role lacks its rights without a second factor. */
  needsSecondFactor: z.optional(z.boolean()),
});
export type User = z.infer<typeof user>;

const signedIn = z.object({ user });

const authenticate = { capability: 'authenticate' } as const;
const changing = { ...authenticate, limit: 'changes' } as const;

export const authCalls = {
  csrfToken: call('GET /api/auth/csrf-token', {
    answer: z.object({ csrfToken: z.string().check(z.minLength(16)) }),
    ...authenticate,
  }),
  user: call('GET /api/auth/user', { answer: user, capability: 'use-account' }),
  login: call('POST /api/auth/login', { body: loginRequest, answer: signedIn, ...changing }),
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
  /** `WRONG_PASSWORD` if neither session nor password is the account's. */
  verifyEmail: call('POST /api/auth/verify-email', { body: verifyEmailRequest, answer: said(), ...changing }),
  resendVerification: call('POST /api/auth/resend-verification', {
    answer: said(),
    capability: 'use-account',
    limit: 'changes',
  }),
  /** Does not reveal whether the account exists. */
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
  google: call('GET /api/auth/google', { query: googleQuery, answer: 'redirect', ...authenticate }),
  googleCallback: call('GET /api/auth/google/callback', {
    query: googleCallbackQuery,
    answer: 'redirect',
    ...authenticate,
  }),
  /** Named by the specification. */
  loginPage: call('GET /api/login', { answer: 'redirect', session: 'ignored', ...authenticate }),
};
