import { type ReactNode, useEffect, useRef } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { useSession } from '../api/auth.ts';
import { Waiting } from '../ui/page.tsx';
import { complain } from '../ui/toast.tsx';
import { rememberWayBack } from './way-back.ts';

/** A page for people who are signed in, and (unless told) whose profile is complete (specification, section 2). */
export const Protected = ({ children, incompleteToo }: { children: ReactNode; incompleteToo?: boolean }) => {
  const { isLoading, isAuthenticated, isProfileComplete } = useSession();
  const { pathname } = useLocation();
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (wasSignedIn.current && !isAuthenticated)
      complain('Authentication Required', 'You have been signed out. Please sign in again.');
    wasSignedIn.current = isAuthenticated;
  }, [isAuthenticated]);
  if (isLoading) return <Waiting>Checking authentication...</Waiting>;
  if (!isAuthenticated) {
    rememberWayBack(pathname);
    return <Navigate to="/auth" replace />;
  }
  if (!incompleteToo && !isProfileComplete) {
    rememberWayBack(pathname);
    return <Navigate to="/profile-complete" replace />;
  }
  return children;
};
