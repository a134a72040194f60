import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { authCalls } from '#domain/contracts/auth.ts';
import { USER } from '../api/auth.ts';
import { isUnauthorized } from '../api/client.ts';
import { ApiError } from '../api/failure.ts';
import { refetch } from '../api/refetch.ts';
import { complain } from '../ui/toast.tsx';
import { rememberWayBack } from './guard.tsx';

/** How long the message is shown before the page changes, in milliseconds. */
const REDIRECT_AFTER = 500;

/** A page asks for several things at once, and hears the same of each. */
let isLeaving = false;

/**
 * Whether a call of the admin panel, the scanner or the log failed because there is no session. If so, it tells the person and then goes
 * to the sign-in page (second document, section 6), from which they come back to where they are.
 */
export const loggedOut = (error: unknown): boolean => {
  if (!isUnauthorized(error)) return false;
  if (isLeaving) return true;
  isLeaving = true;
  rememberWayBack();
  complain('Unauthorized', 'You are logged out. Logging in again...');
  setTimeout(() => {
    isLeaving = false;
    location.assign(authCalls.loginPage.path);
  }, REDIRECT_AFTER);
  return true;
};

/**
 * Leads to the sign-in as soon as anything that the page shows is refused because there is no session. Where it is refused because the
 * person may not see it any more, it asks anew who they are, which the page then goes by.
 */
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
