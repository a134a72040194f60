import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { Navigate } from 'react-router-dom';
import { useSession } from '#web/lib/api/session.ts';
import { toastError } from '#web/lib/toast.ts';
import { rememberWayBack } from '#web/lib/way-back.ts';
import { Waiting } from '#web/ui/page.tsx';

/** Requires a session and, unless `incompleteToo`, a complete profile (specification, section 2). Remounts for another user. */
export const Protected = ({ children, incompleteToo }: { children: ReactNode; incompleteToo?: boolean }) => {
  const { user, isLoading, isAuthenticated, isProfileComplete } = useSession();
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (wasSignedIn.current && !isAuthenticated)
      toastError('Authentication Required', 'You have been signed out. Please sign in again.');
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
