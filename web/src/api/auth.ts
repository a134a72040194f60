import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LoginRequest, RegisterRequest, ResetPasswordRequest, User } from '#domain/contracts/auth.ts';
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

/** Who is signed in, with what follows from it. */
export interface Session {
  readonly user: User | null;
  /** The server has not answered yet. */
  readonly isLoading: boolean;
  readonly isAuthenticated: boolean;
  readonly isProfileComplete: boolean;
  readonly isEmailVerified: boolean;
}

/** `GET /api/auth/user`, cached five minutes. Null when signed out, which is not an error. */
export const useSession = (): Session => {
  const { data, isPending } = useQuery({
    queryKey: USER,
    queryFn: async ({ signal }) => {
      if (!document.cookie.includes(`${SIGNED_IN_HINT}=`)) {
        remember(null);
        return null;
      }
      try {
        const user = await call('GET /api/auth/user', { signal });
        remember(user);
        return user;
      } catch (error) {
        if (!isUnauthorized(error)) throw error;
        remember(null);
        return null;
      }
    },
    staleTime: 300_000,
  });
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
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] === 'bookings' });
  queryClient.setQueryData(USER, user);
};

export const useLogin = () =>
  useMutation({
    mutationFn: (body: LoginRequest) => call('POST /api/auth/login', { body }),
    onSuccess: ({ user }) => signedIn(user),
  });

export const useRegister = () =>
  useMutation({
    mutationFn: (body: RegisterRequest) => call('POST /api/auth/register', { body }),
    onSuccess: ({ user }) => signedIn(user),
  });

/** Signs out, and loads the site anew whether the server could say so or not. */
export const logOut = async (): Promise<void> => {
  try {
    await call('POST /api/auth/logout');
  } finally {
    remember(null);
    location.assign('/');
  }
};

export const useForgotPassword = () =>
  useMutation({ mutationFn: (email: string) => call('POST /api/auth/forgot-password', { body: { email } }) });

export const useResendVerification = () =>
  useMutation({ mutationFn: () => call('POST /api/auth/resend-verification') });

/** Spends the token of a verification mail. */
export const useVerifyEmail = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => call('POST /api/auth/verify-email', { body: { token } }),
    onSuccess: () => client.invalidateQueries({ queryKey: USER }),
  });
};

/** Whether a reset link still works; it is not spent by asking. */
export const useResetToken = (token: string) =>
  useQuery({
    queryKey: ['reset-token', token],
    queryFn: () => call('POST /api/auth/verify-reset-token', { body: { token } }),
    enabled: token !== '',
  });

export const useResetPassword = () =>
  useMutation({
    mutationFn: (body: ResetPasswordRequest) => call('POST /api/auth/reset-password', { body }),
    onSuccess: () => forgetCsrfToken(),
  });
