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
import { call, hasCode } from '#web/lib/api/client.ts';
import {
  forgetSignedIn,
  sessionEnded,
  signedIn,
  tellOtherTabs,
  userChanged,
  whoIsThere,
} from '#web/lib/api/session.ts';
import { failureOf } from '#web/lib/failure.ts';
import { forTab, TYPED_FORM } from '#web/lib/storage.ts';

/** The browser or a proxy dropped the session cookie. */
export class SessionNotKept extends Error {
  override readonly name = 'SessionNotKept';
}

/** @throws SessionNotKept */
const kept = async <Answer extends { readonly user: User }>(answer: Answer): Promise<Answer> => {
  // If this request fails, assume success; the next answer will tell.
  const there = await whoIsThere().catch(() => answer.user);
  if (there?.id !== answer.user.id) throw new SessionNotKept();
  return answer;
};

export const useLogin = () =>
  useMutation({
    mutationFn: async (body: LoginRequest) => kept(await call(authCalls.login, { body })),
    onSuccess: ({ user }) => signedIn(user),
  });

export const useSecondStep = () =>
  useMutation({
    mutationFn: async (body: CodeRequest) => kept(await call(authCalls.secondFactor, { body })),
    onSuccess: ({ user }) => signedIn(user),
  });

export const useRegister = () =>
  useMutation({
    mutationFn: (body: RegisterRequest) => call(authCalls.register, { body }),
    onSuccess: ({ user }) => signedIn(user),
  });

/** On failure, resolves to whether the user is still signed in, if known. */
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

export const useForgotPassword = () =>
  useMutation({ mutationFn: (email: string) => call(authCalls.forgotPassword, { body: { email } }) });

export const useResendVerification = () =>
  useMutation({
    mutationFn: () => call(authCalls.resendVerification),
    onError: (error) => {
      if (hasCode(error, 'ALREADY_VERIFIED')) userChanged();
    },
  });

export const useVerifyEmail = () =>
  useMutation({
    mutationFn: (body: VerifyEmailRequest) => call(authCalls.verifyEmail, { body }),
    onSuccess: userChanged,
  });

/** Checking does not consume it. */
export const useResetToken = (token: string) =>
  useQuery({
    queryKey: ['reset-token', token],
    queryFn: () => call(authCalls.verifyResetToken, { body: { token } }),
    enabled: token !== '',
  });

export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: ResetPasswordRequest) => call(authCalls.resetPassword, { body }),
    // A reset ends every session of the account, including this tab's.
    onSuccess: () => {
      sessionEnded();
      tellOtherTabs();
    },
  });
