import { queryOptions, useQuery } from '@tanstack/react-query';
import { authCalls, type User } from '#domain/contracts/auth.ts';
import { SIGNED_IN_HINT } from '#domain/contracts/envelope.ts';
import { forVisits, openChannel, readCookies } from '#web/lib/storage.ts';
import { call, isUnauthorized } from './client.ts';
import { forgetCsrfToken } from './csrf.ts';
import { keyOf } from './key-of.ts';
import { sawPosition, seenPosition } from './position.ts';
import { queryClient } from './query-client.ts';

export const USER = keyOf(authCalls.user);
/** Local-storage key; holds the signed-in user's id. */
const AUTH_STATE = 'auth-state';

/** Lets the layout draw the right page before the server answers. */
export const rememberedSignedIn = (): boolean => !!forVisits.get(AUTH_STATE);
const remember = (user: User | null): void => {
  if (user) forVisits.set(AUTH_STATE, user.id);
  else forVisits.remove(AUTH_STATE);
};
export const forgetSignedIn = (): void => remember(null);

/** First parts of non-private query keys. */
const SHARED = ['auth', 'site-config', 'categories', 'cities', 'events'];

const forgetPrivate = (): void =>
  queryClient.removeQueries({
    predicate: ({ queryKey }) => !queryKey.slice(0, 2).some((part) => SHARED.includes(`${part}`)),
  });

const tell = openChannel('session', (position) => {
  sawPosition(position);
  forgetCsrfToken();
  queryClient.invalidateQueries({ queryKey: USER });
});

/** Announces a changed session or rights, and the log position to read up to. */
export const tellOtherTabs = (): void => tell(seenPosition());

export interface Session {
  readonly user: User | null;
  readonly isLoading: boolean;
  readonly isUnknown: boolean;
  readonly askAgain: () => void;
  readonly isAuthenticated: boolean;
  readonly isProfileComplete: boolean;
  readonly isEmailVerified: boolean;
}

/** Milliseconds. */
const ASK_AGAIN_AFTER = 5_000;

/**
 * Doesn't update the cached session.
 * @throws ApiError, NoAnswer
 */
export const whoIsThere = async (signal?: AbortSignal): Promise<User | null> => {
  if (!readCookies().includes(`${SIGNED_IN_HINT}=`)) return null;
  try {
    return await call(authCalls.user, { signal });
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    return null;
  }
};

/**
 * Cached for five minutes; null when signed out. Always refetched on focus while the email is unverified, as
 * it may be verified elsewhere.
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

/** Cancel the request in flight: its older answer must not overwrite this one. */
const know = (user: User | null): void => {
  queryClient.cancelQueries({ queryKey: USER });
  remember(user);
  forgetPrivate();
  queryClient.setQueryData(USER, user);
};

export const sessionEnded = (): void => {
  forgetCsrfToken();
  know(null);
};

/** Call on a restore from the back/forward cache. Keeps the same user's input; hides another user's page at once and reloads. */
export const cameBack = (): void => {
  const user = queryClient.getQueryData<User | null>(USER);
  if (user && forVisits.get(AUTH_STATE) !== user.id) {
    document.body.hidden = true;
    location.reload();
    return;
  }
  forgetCsrfToken();
  queryClient.invalidateQueries({ queryKey: USER });
};

export const asSignedIn = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer;
  } catch (error) {
    if (isUnauthorized(error)) sessionEnded();
    throw error;
  }
};

/** @throws ApiError, NoAnswer */
export const whoIsSignedIn = (): Promise<User | null> =>
  queryClient.fetchQuery({ ...userQuery, staleTime: 0 });

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

export const signedIn = (user: User): void => {
  forgetCsrfToken();
  know(user);
  tellOtherTabs();
};

export const sessionChanged = (): void => {
  forgetCsrfToken();
  tellOtherTabs();
};

export const askWhoIsSignedIn = (): Promise<void> => queryClient.invalidateQueries({ queryKey: USER });

export const userChanged = (): Promise<void> => {
  tellOtherTabs();
  return askWhoIsSignedIn();
};

/** Updates the cache first, so that the user can proceed before the server answers. */
export const secondStepIsOn = (): Promise<void> => {
  queryClient.setQueryData<User | null>(USER, (user) => user && { ...user, needsSecondFactor: false });
  return userChanged();
};
