import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import {
  authCalls,
  type LoginRequest,
  type RegisterRequest,
  type ResetPasswordRequest,
  type User,
} from '#domain/contracts/auth.ts';
import { SIGNED_IN_HINT } from '#domain/contracts/envelope.ts';
import { call, isUnauthorized } from './client.ts';
import { forgetCsrfToken } from './csrf.ts';
import { queryClient } from './queries.ts';

const USER = ['user'];
const AUTH_STATE = 'auth-state';

/** What the last visit knew: lets the frame draw the right page before the server has answered. */
export const rememberedSignedIn = (): boolean => localStorage.getItem(AUTH_STATE) === 'authenticated';
const remember = (user: User | null): void => {
  if (user) localStorage.setItem(AUTH_STATE, 'authenticated');
  else localStorage.removeItem(AUTH_STATE);
};
/** Removes the stored auth state: after an account was deleted. */
export const forgetSignedIn = (): void => remember(null);

/** What only one person may see. */
const forgetPrivate = (): void => queryClient.removeQueries({ queryKey: ['bookings'] });

/** The same person's other tabs: each tells the others when somebody signs in or out, or may do more than before. */
const otherTabs = new BroadcastChannel('session');
export const tellOtherTabs = (): void => otherTabs.postMessage('changed');
otherTabs.onmessage = () => {
  forgetCsrfToken();
  queryClient.invalidateQueries({ queryKey: USER });
};

/** Who is signed in, with what follows from it. */
export interface Session {
  readonly user: User | null;
  /** The server has not answered yet. */
  readonly isLoading: boolean;
  readonly isAuthenticated: boolean;
  readonly isProfileComplete: boolean;
  readonly isEmailVerified: boolean;
}

const whoIsThere = async (signal: AbortSignal): Promise<User | null> => {
  if (!document.cookie.includes(`${SIGNED_IN_HINT}=`)) return null;
  try {
    return await call(authCalls.user, { signal });
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    return null;
  }
};

/**
 * `GET /api/auth/user`, cached five minutes. Null when signed out, which is not an error. Whoever comes back to the tab to
 * go on after verifying their address elsewhere need not wait for that.
 */
const userQuery = queryOptions({
  queryKey: USER,
  queryFn: async ({ signal }) => {
    const before = queryClient.getQueryData<User | null>(USER);
    const user = await whoIsThere(signal);
    remember(user);
    if (before && before.id !== user?.id) forgetPrivate();
    return user;
  },
  staleTime: 300_000,
  refetchOnWindowFocus: ({ state }) => (state.data && !state.data.emailVerified ? 'always' : true),
});

/** The server says that nobody is signed in any more: pages that need somebody now lead to sign-in. */
export const sessionEnded = (): void => {
  forgetCsrfToken();
  remember(null);
  forgetPrivate();
  queryClient.setQueryData(USER, null);
};

/** Waits for an answer that only somebody signed in gets, and tells the pages where nobody is any more. */
export const asSignedIn = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer;
  } catch (error) {
    if (isUnauthorized(error)) sessionEnded();
    throw error;
  }
};

/** Asks anew whether anybody is signed in; the pages hear of it too. True where the server can't be asked. */
export const isStillSignedIn = async (): Promise<boolean> => {
  try {
    return (await queryClient.fetchQuery({ ...userQuery, staleTime: 0 })) !== null;
  } catch {
    return true;
  }
};

/** Who is signed in, and what follows from it. */
export const useSession = (): Session => {
  const { data, isPending } = useQuery(userQuery);
  const user = data ?? null;
  return {
    user,
    isLoading: isPending,
    isAuthenticated: user !== null,
    isProfileComplete: !!user?.dateOfBirth,
    isEmailVerified: !!user?.emailVerified,
  };
};

/** Takes a new session: other people's data goes, the token is fetched anew. */
const signedIn = (user: User): void => {
  forgetCsrfToken();
  remember(user);
  forgetPrivate();
  queryClient.setQueryData(USER, user);
  tellOtherTabs();
};

/** The same person's session has a new token, here and in the other tabs. */
export const sessionChanged = (): void => {
  forgetCsrfToken();
  tellOtherTabs();
};

export const useLogin = () =>
  useMutation({
    mutationFn: (body: LoginRequest) => call(authCalls.login, { body }),
    onSuccess: ({ user }) => signedIn(user),
  });

export const useRegister = () =>
  useMutation({
    mutationFn: (body: RegisterRequest) => call(authCalls.register, { body }),
    onSuccess: ({ user }) => signedIn(user),
  });

/** Signs out, and loads the site anew. Throws where the server didn't hear of it: the person is signed in still. */
export const logOut = async (): Promise<void> => {
  await call(authCalls.logout);
  remember(null);
  tellOtherTabs();
  location.assign('/');
};

export const useForgotPassword = () =>
  useMutation({ mutationFn: (email: string) => call(authCalls.forgotPassword, { body: { email } }) });

export const useResendVerification = () =>
  useMutation({ mutationFn: () => call(authCalls.resendVerification) });

/** What there is to know of the user has changed: asked anew here and in the other tabs. */
export const userChanged = (): Promise<void> => {
  tellOtherTabs();
  return queryClient.invalidateQueries({ queryKey: USER });
};

/** Spends the token of a verification mail. */
export const useVerifyEmail = () =>
  useMutation({
    mutationFn: (token: string) => call(authCalls.verifyEmail, { body: { token } }),
    onSuccess: userChanged,
  });

/** Whether a reset link still works; it is not spent by asking. */
export const useResetToken = (token: string) =>
  useQuery({
    queryKey: ['reset-token', token],
    queryFn: () => call(authCalls.verifyResetToken, { body: { token } }),
    enabled: token !== '',
  });

export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: ResetPasswordRequest) => call(authCalls.resetPassword, { body }),
    // Every session of the account has ended, this tab's too if it had one.
    onSuccess: () => {
      sessionEnded();
      tellOtherTabs();
    },
  });
