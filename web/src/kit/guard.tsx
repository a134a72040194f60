import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { Navigate } from 'react-router-dom';
import { useSession } from '../api/auth.ts';
import { forTab } from '../lib/storage.ts';
import { Waiting } from '../ui/page.tsx';
import { complain } from '../ui/toast.tsx';

/** The tab's key for the page from which a person was sent to sign in. */
const WAY_BACK = 'way-back';
/** The pages that people come back to: those in the middle of something, and what a mail's link leads to. */
const RETURNED_TO = /^\/(booking\/|events\/\d+\?waiting|profile\?proof=|(admin|scanner|audit)(\?|$))/;

/** Remembers the page that is left for the sign-in, if it is one that people come back to; otherwise forgets an older one. */
export const rememberWayBack = (): void => {
  const page = location.pathname + location.search;
  if (RETURNED_TO.test(page)) forTab.set(WAY_BACK, page);
  else forgetWayBack();
};

/** The page from which the person was sent to sign in; undefined if there is none. */
export const wayBack = (): string | undefined => forTab.get(WAY_BACK) ?? undefined;

/** Forgets that page, as when a person goes to sign in by themselves, or has come back to it. */
export const forgetWayBack = (): void => forTab.remove(WAY_BACK);

/** The address to go to after signing in: that page, once, otherwise the start page. */
export const takeWayBack = (): string => {
  const page = wayBack();
  forgetWayBack();
  return page && RETURNED_TO.test(page) ? page : '/';
};

/**
 * Shows a page only to people who are signed in and, unless `incompleteToo`, have a complete profile (specification, section 2). For
 * another person it begins anew.
 */
export const Protected = ({ children, incompleteToo }: { children: ReactNode; incompleteToo?: boolean }) => {
  const { user, isLoading, isAuthenticated, isProfileComplete } = useSession();
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (wasSignedIn.current && !isAuthenticated)
      complain('Authentication Required', 'You have been signed out. Please sign in again.');
    wasSignedIn.current = isAuthenticated;
  }, [isAuthenticated]);
  if (isLoading) return <Waiting>Checking authentication...</Waiting>;
  if (!isAuthenticated) {
    rememberWayBack();
    return <Navigate to="/auth" replace />;
  }
  if (!incompleteToo && !isProfileComplete) {
    rememberWayBack();
    return <Navigate to="/profile-complete" replace />;
  }
  return <Fragment key={user?.id}>{children}</Fragment>;
};
