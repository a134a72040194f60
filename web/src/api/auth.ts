import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import {
  authCalls,
  type CodeRequest,
  type LoginRequest,
  type RegisterRequest,
  type ResetPasswordRequest,
  type User,
  type VerifyEmailRequest,
} from '#domain/contracts/auth.ts';
import { SIGNED_IN_HINT } from '#domain/contracts/envelope.ts';
import { forTab, forVisits, openChannel, readCookies, TYPED_FORM } from '../storage.ts';
import { call, hasCode, isUnauthorized } from './client.ts';
import { forgetCsrfToken } from './csrf.ts';
import { failureOf } from './failure.ts';
import { sawPosition, seenPosition } from './position.ts';
import { queryClient } from './queries.ts';

const USER = ['user'];
const AUTH_STATE = 'auth-state';

/** What the last visit knew: lets the frame draw the right page before the server has answered. */
export const rememberedSignedIn = (): boolean => forVisits.get(AUTH_STATE) === 'authenticated';
const remember = (user: User | null): void => {
  if (user) forVisits.set(AUTH_STATE, 'authenticated');
  else forVisits.remove(AUTH_STATE);
};
/** Removes the stored auth state: after an account was deleted. */
export const forgetSignedIn = (): void => remember(null);

/** What only one person may see. */
const forgetPrivate = (): void => queryClient.removeQueries({ queryKey: ['bookings'] });

const tell = openChannel('session', (position) => {
  sawPosition(position);
  forgetCsrfToken();
  queryClient.invalidateQueries({ queryKey: USER });
});

/**
 * Tells the same person's other tabs that somebody has signed in or out, or may do more than before; and up to where in the log they have
 * to read to see it.
 */
export const tellOtherTabs = (): void => tell(seenPosition());

/** Who is signed in, with what follows from it. */
export interface Session {
  readonly user: User | null;
  /** The server has not answered yet, perhaps because it can't be reached. */
  readonly isLoading: boolean;
  /** The server can't be reached, so nobody knows who is signed in. It is asked again every few seconds. */
  readonly isUnknown: boolean;
  readonly askAgain: () => void;
  readonly isAuthenticated: boolean;
  readonly isProfileComplete: boolean;
  readonly isEmailVerified: boolean;
}

/** How long to wait before the server is asked again who is signed in, if it did not answer. Milliseconds. */
const ASK_AGAIN_AFTER = 5_000;

const whoIsThere = async (signal?: AbortSignal): Promise<User | null> => {
  if (!readCookies().includes(`${SIGNED_IN_HINT}=`)) return null;
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
  refetchOnReconnect: true,
  refetchInterval: ({ state }) => (state.data === undefined && state.error ? ASK_AGAIN_AFTER : false),
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

/** Asks anew who is signed in; the pages hear of it too. @throws ApiError, NoAnswer where the server can't be asked */
export const whoIsSignedIn = (): Promise<User | null> =>
  queryClient.fetchQuery({ ...userQuery, staleTime: 0 });

/** Who is signed in, and what follows from it. */
export const useSession = (): Session => {
  const { data, isError, refetch } = useQuery(userQuery);
  const user = data ?? null;
  return {
    user,
    isLoading: data === undefined,
    isUnknown: data === undefined && isError,
    askAgain: refetch,
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
  remember(null);
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
      // On another device, perhaps.
      if (hasCode(error, 'ALREADY_VERIFIED')) userChanged();
    },
  });

/** What there is to know of the user has changed: asked anew here and in the other tabs. */
export const userChanged = (): Promise<void> => {
  tellOtherTabs();
  return queryClient.invalidateQueries({ queryKey: USER });
};

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

export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: ResetPasswordRequest) => call(authCalls.resetPassword, { body }),
    // Every session of the account has ended, this tab's too if it had one.
    onSuccess: () => {
      sessionEnded();
      tellOtherTabs();
    },
  });
