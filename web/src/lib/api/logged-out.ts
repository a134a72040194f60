import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { authCalls } from '#domain/contracts/auth.ts';
import { ApiError } from '#web/lib/failure.ts';
import { toastError } from '#web/lib/toast.ts';
import { rememberWayBack } from '#web/lib/way-back.ts';
import { isUnauthorized } from './client.ts';
import { refetch } from './refetch.ts';
import { USER } from './session.ts';

/** Milliseconds. */
const REDIRECT_AFTER = 500;

/** Prevents repeated redirects: a page's parallel calls all fail alike. */
let isLeaving = false;

/** On a 401, shows a toast and redirects to the sign-in (second document, section 6). Returns whether it was one. */
export const loggedOut = (error: unknown): boolean => {
  if (!isUnauthorized(error)) return false;
  if (isLeaving) return true;
  isLeaving = true;
  rememberWayBack();
  toastError('Unauthorized', 'You are logged out. Logging in again...');
  setTimeout(() => {
    isLeaving = false;
    location.assign(authCalls.loginPage.path);
  }, REDIRECT_AFTER);
  return true;
};

/** Redirects to the sign-in on any query's 401. A 403 refetches the user, whose rights may have changed. */
export const useLoggedOut = (): void => {
  const client = useQueryClient();
  useEffect(
    () =>
      client.getQueryCache().subscribe((news) => {
        if (news.type !== 'updated' || news.action.type !== 'error') return;
        const { error } = news.action;
        if (!loggedOut(error) && error instanceof ApiError && error.status === 403) refetch(USER);
      }),
    [client],
  );
};
