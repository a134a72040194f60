import * as z from 'zod/mini';
import { ROLES } from '#domain/account/events.ts';
import type { Said } from './envelope.ts';
import { blankable, email, exact, LONGEST, noBody, text } from './fields.ts';

/** `/api/auth/*`. */

const shortPassword = 'Password must be at least 6 characters';

/** `POST /api/auth/login` */
export const loginRequest = z.strictObject({
  email: email(),
  password: exact(LONGEST.password, 6, shortPassword),
});
export type LoginRequest = z.infer<typeof loginRequest>;

/** `POST /api/auth/register`; `lastName` may be blank or missing. */
export const registerRequest = z.strictObject({
  email: email(),
  password: exact(LONGEST.password, 6, shortPassword),
  firstName: text(LONGEST.name, 'First name is required'),
  lastName: z.nullish(blankable(LONGEST.name)),
});
export type RegisterRequest = z.infer<typeof registerRequest>;

/** What the "Create Account" form checks; `confirmPassword` is never sent. */
// @__NO_SIDE_EFFECTS__
export function registerForm() {
  return z.extend(registerRequest, { confirmPassword: z.string() }).check(
    z.refine((form) => form.password === form.confirmPassword, {
      error: "Passwords don't match",
      path: ['confirmPassword'],
    }),
  );
}

/** `POST /api/auth/forgot-password`. It answers alike whether there is such an account or not. */
export const forgotPasswordRequest = z.strictObject({
  email: email('Please enter your email address'),
});
export type ForgotPasswordRequest = z.infer<typeof forgotPasswordRequest>;

/** `POST /api/auth/verify-email` and `POST /api/auth/verify-reset-token`: a token out of a mail. */
export const tokenRequest = z.strictObject({
  token: exact(LONGEST.token, 1, 'The verification link is invalid or has expired.'),
});
export type TokenRequest = z.infer<typeof tokenRequest>;

/** `POST /api/auth/reset-password`. The composition is checked by `passwordProblems` (`domain/account/password.ts`), which gives the list of `errors`. */
export const resetPasswordRequest = z.strictObject({
  token: exact(LONGEST.token, 1, 'This password reset link is invalid or has expired.'),
  password: exact(LONGEST.password, 0, 'Password must be at least 8 characters'),
});
export type ResetPasswordRequest = z.infer<typeof resetPasswordRequest>;

/** What the reset form checks before it sends. */
// @__NO_SIDE_EFFECTS__
export function resetPasswordForm() {
  return z
    .object({
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

/** `POST /api/auth/logout`, `POST /api/auth/resend-verification` */
export const emptyRequest = noBody();

/** The way back of `GET /api/auth/google`. Whatever else the provider adds is ignored. */
export const googleCallbackQuery = z.object({
  code: z.optional(exact(LONGEST.token, 1, 'Required')),
  state: z.optional(exact(LONGEST.token, 1, 'Required')),
  error: z.optional(exact(LONGEST.token, 0, 'Required')),
});

/** `GET /api/auth/csrf-token` */
export interface CsrfToken {
  csrfToken: string;
}

/** `GET /api/auth/user`: the bare user; 401 when signed out. */
export const user = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.nullable(z.string()),
  role: z.enum(ROLES),
  /** `YYYY-MM-DD`; present means that the profile is complete. */
  dateOfBirth: z.nullable(z.string()),
  emailVerified: z.boolean(),
  profileImageUrl: z.nullable(z.string()),
  preferences: z.object({
    favoriteCategories: z.array(z.string()),
  }),
  /** `password`, `google`, or both. */
  signInWith: z.array(z.enum(['password', 'google'])),
  createdAt: z.string(),
});
export type User = z.infer<typeof user>;

/** The answer to sign-in. */
export interface SignedIn {
  user: User;
}
/** The answer to registration. */
export interface Registered extends SignedIn, Said {
  requiresEmailVerification: boolean;
}
/** `POST /api/auth/verify-reset-token` */
export interface ResetTokenValid extends Said {
  valid: true;
}
