/** Signing in and out, and what leads there: for the pages that do it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import {
  authCalls,
  type CodeRequest,
  type LoginRequest,
  type RegisterRequest,
  type ResetPasswordRequest,
  type User,
  type VerifyEmailRequest,
} from '#domain/contracts/auth.ts';
import { forTab, TYPED_FORM } from '../lib/storage.ts';
import { forgetSignedIn, sessionEnded, signedIn, tellOtherTabs, userChanged, whoIsThere } from './auth.ts';
import { call, hasCode } from './client.ts';
import { failureOf } from './failure.ts';

/** The server has signed somebody in, but the session's cookie was dropped: by the browser, or by a proxy on the way. */
export class SessionNotKept extends Error {
  override readonly name = 'SessionNotKept';
}

/** The answer of a sign-in whose session the browser has kept. @throws SessionNotKept */
const kept = async <Answer extends { readonly user: User }>(answer: Answer): Promise<Answer> => {
  // Where the server can't be asked now, its next answer will tell.
  const there = await whoIsThere().catch(() => answer.user);
  if (there?.id !== answer.user.id) throw new SessionNotKept();
  return answer;
};

/** Signs in with address and password. */
export const useLogin = () =>
  useMutation({
    mutationFn: async (body: LoginRequest) => kept(await call(authCalls.login, { body })),
    onSuccess: ({ user }) => signedIn(user),
  });

/** Gives the code that a sign-in was refused for. */
export const useSecondStep = () =>
  useMutation({
    mutationFn: async (body: CodeRequest) => kept(await call(authCalls.secondFactor, { body })),
    onSuccess: ({ user }) => signedIn(user),
  });

/** Makes an account, and signs in to it. */
export const useRegister = () =>
  useMutation({
    mutationFn: (body: RegisterRequest) => call(authCalls.register, { body }),
    onSuccess: ({ user }) => signedIn(user),
  });

/** Signs out, and loads the site anew. Where that fails, resolves to whether the person is signed in still, as far as can be known. */
export const logOut = async (): Promise<'out' | 'still in' | 'unknown'> => {
  try {
    await call(authCalls.logout);
  } catch (error) {
    if (failureOf(error) === 'not-sent') return 'still in';
    const there = await whoIsThere().catch(() => undefined);
    if (there !== null) return there ? 'still in' : 'unknown';
  }
  forgetSignedIn();
  forTab.remove(TYPED_FORM);
  tellOtherTabs();
  location.assign('/');
  return 'out';
};

/** Asks for a mailed link that sets a new password. */
export const useForgotPassword = () =>
  useMutation({ mutationFn: (email: string) => call(authCalls.forgotPassword, { body: { email } }) });

/** Asks for the verification mail again. */
export const useResendVerification = () =>
  useMutation({
    mutationFn: () => call(authCalls.resendVerification),
    onError: (error) => {
      // On another device, perhaps.
      if (hasCode(error, 'ALREADY_VERIFIED')) userChanged();
    },
  });

/** Spends the token of a verification mail, with the account's password where this browser is not signed in to it. */
export const useVerifyEmail = () =>
  useMutation({
    mutationFn: (body: VerifyEmailRequest) => call(authCalls.verifyEmail, { body }),
    onSuccess: userChanged,
  });

/** Whether a reset link still works; it is not spent by asking. */
export const useResetToken = (token: string) =>
  useQuery({
    queryKey: ['reset-token', token],
    queryFn: () => call(authCalls.verifyResetToken, { body: { token } }),
    enabled: token !== '',
  });

/** Sets a new password by the token of a mailed link. */
export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: ResetPasswordRequest) => call(authCalls.resetPassword, { body }),
    // Every session of the account has ended, this tab's too if it had one.
    onSuccess: () => {
      sessionEnded();
      tellOtherTabs();
    },
  });
