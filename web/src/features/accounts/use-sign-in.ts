import { authCalls, type User } from '#domain/contracts/auth.ts';
import { hasCode } from '#web/lib/api/client.ts';
import { sessionEnded, signedIn, tellOtherTabs, userChanged, whoIsThere } from '#web/lib/api/session.ts';
import { useAnswer } from '#web/lib/api/use-answer.ts';
import { useChange } from '#web/lib/api/use-change.ts';

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
  useChange(authCalls.login, {
    until: async (send) => kept(await send()),
    after: ({ user }) => signedIn(user),
  });

export const useSecondStep = () =>
  useChange(authCalls.secondFactor, {
    until: async (send) => kept(await send()),
    after: ({ user }) => signedIn(user),
  });

export const useRegister = () => useChange(authCalls.register, { after: ({ user }) => signedIn(user) });

export const useForgotPassword = () => useChange(authCalls.forgotPassword, {});

export const useResendVerification = () =>
  useChange(authCalls.resendVerification, {
    until: (send) =>
      send().catch((error: unknown) => {
        if (hasCode(error, 'ALREADY_VERIFIED')) userChanged();
        throw error;
      }),
  });

export const useVerifyEmail = () => useChange(authCalls.verifyEmail, { after: userChanged });

/** Checking does not consume it. */
export const useResetToken = (token: string) =>
  useAnswer(authCalls.verifyResetToken, { body: { token } }, { refetchOnMount: true, enabled: token !== '' });

export const useResetPassword = () =>
  useChange(authCalls.resetPassword, {
    // A reset ends every session of the account, including this tab's.
    after: () => {
      sessionEnded();
      tellOtherTabs();
    },
  });
