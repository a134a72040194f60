import { Fragment, type ReactNode, useEffect } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import type { User } from '#domain/contracts/auth.ts';
import { useLoggedOut } from '#web/lib/api/logged-out.ts';
import { useSession } from '#web/lib/api/session.ts';
import { toastError } from '#web/lib/toast.ts';
import { forgetWayBack, rememberWayBack } from '#web/lib/way-back.ts';
import { Waiting } from '#web/ui/page.tsx';

/** Milliseconds. */
const REDIRECT_AFTER = 500;

export const RequireRole = ({
  may,
  denied,
  signIn = 'Please log in.',
  children,
}: {
  may: (role: User['role']) => boolean;
  denied: string;
  signIn?: string;
  children: ReactNode;
}) => {
  const { user, isLoading } = useSession();
  const navigate = useNavigate();
  useLoggedOut();
  const signedIn = !!user;
  const allowed = signedIn && may(user.role);
  const needsMore = allowed && user.needsSecondFactor;
  useEffect(() => {
    if (needsMore) return;
    if (allowed) return forgetWayBack();
    if (isLoading) return;
    if (signedIn) toastError('Access Denied', denied);
    else {
      rememberWayBack();
      toastError('Authentication Required', signIn);
    }
    const timer = setTimeout(() => navigate(signedIn ? '/' : '/auth', { replace: true }), REDIRECT_AFTER);
    return () => clearTimeout(timer);
  }, [isLoading, allowed, needsMore, signedIn, denied, signIn, navigate]);
  if (!allowed) return <Waiting>Checking access...</Waiting>;
  if (needsMore) {
    rememberWayBack();
    return <Navigate to="/profile/security" replace />;
  }
  return <Fragment key={user.id}>{children}</Fragment>;
};
