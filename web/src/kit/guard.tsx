import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { Navigate } from 'react-router-dom';
import { useSession } from '../api/auth.ts';
import { forTab } from '../lib/storage.ts';
import { Waiting } from '../ui/page.tsx';
import { complain } from '../ui/toast.tsx';

const WAY_BACK = 'way-back';
/** Pages worth returning to: unfinished tasks and targets of links in mails. */
const RETURNED_TO = /^\/(booking\/|events\/\d+\?waiting|profile\?proof=|(admin|scanner|audit)(\?|$))/;

export const rememberWayBack = (): void => {
  const page = location.pathname + location.search;
  if (RETURNED_TO.test(page)) forTab.set(WAY_BACK, page);
  else forgetWayBack();
};

export const wayBack = (): string | undefined => forTab.get(WAY_BACK) ?? undefined;

export const forgetWayBack = (): void => forTab.remove(WAY_BACK);

export const takeWayBack = (): string => {
  const page = wayBack();
  forgetWayBack();
  return page && RETURNED_TO.test(page) ? page : '/';
};

/** Requires a session and, unless `incompleteToo`, a complete profile (specification, section 2). Remounts for another user. */
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
