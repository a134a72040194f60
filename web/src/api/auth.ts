import { queryOptions, useQuery } from '@tanstack/react-query';
import { authCalls, type User } from '#domain/contracts/auth.ts';
import { SIGNED_IN_HINT } from '#domain/contracts/envelope.ts';
import { forVisits, openChannel, readCookies } from '../lib/storage.ts';
import { call, isUnauthorized } from './client.ts';
import { forgetCsrfToken } from './csrf.ts';
import { sawPosition, seenPosition } from './position.ts';
import { queryClient } from './queries.ts';

/** The key of who is signed in. */
export const USER = ['user'];
/** The id of who is signed in. */
const AUTH_STATE = 'auth-state';

/** What the last visit knew: lets the frame draw the right page before the server has answered. */
export const rememberedSignedIn = (): boolean => !!forVisits.get(AUTH_STATE);
const remember = (user: User | null): void => {
  if (user) forVisits.set(AUTH_STATE, user.id);
  else forVisits.remove(AUTH_STATE);
};
/** Removes the stored auth state: after an account was deleted. */
export const forgetSignedIn = (): void => remember(null);

/** What is the same for everybody, by the first parts of its keys, and who is signed in. */
const SHARED = ['user', 'site-config', 'categories', 'cities', 'events', 'event'];

/** Forgets what only one person may see. */
const forgetPrivate = (): void =>
  queryClient.removeQueries({
    predicate: ({ queryKey }) => !queryKey.slice(0, 2).some((part) => SHARED.includes(`${part}`)),
  });

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

/** Asks who is signed in, without telling the pages. @throws ApiError, NoAnswer */
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

/** Takes who is signed in as it is known now. An answer that is still on its way is from before, and must not come after it. */
const know = (user: User | null): void => {
  queryClient.cancelQueries({ queryKey: USER });
  remember(user);
  forgetPrivate();
  queryClient.setQueryData(USER, user);
};

/** The server says that nobody is signed in any more: pages that need somebody now lead to sign-in. */
export const sessionEnded = (): void => {
  forgetCsrfToken();
  know(null);
};

/**
 * To be called where the browser shows a page again that it had put aside, which knows nothing of what happened meanwhile. What the same
 * person had typed stays; of somebody else's page nothing is shown, not even until the server has answered.
 */
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
export const signedIn = (user: User): void => {
  forgetCsrfToken();
  know(user);
  tellOtherTabs();
};

/** The same person's session has a new token, here and in the other tabs. */
export const sessionChanged = (): void => {
  forgetCsrfToken();
  tellOtherTabs();
};

/** Asks anew who is signed in, as where something was refused without a reason. */
export const askWhoIsSignedIn = (): Promise<void> => queryClient.invalidateQueries({ queryKey: USER });

/** What there is to know of the user has changed: asked anew here and in the other tabs. */
export const userChanged = (): Promise<void> => {
  tellOtherTabs();
  return askWhoIsSignedIn();
};

/** The user's second step is on. Whoever had to set it up first may go on at once, however late the server says who they are. */
export const secondStepIsOn = (): Promise<void> => {
  queryClient.setQueryData<User | null>(USER, (user) => user && { ...user, needsSecondFactor: false });
  return userChanged();
};
