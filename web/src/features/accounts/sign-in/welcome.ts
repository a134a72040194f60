import { useNavigate } from 'react-router-dom';
import type { User } from '#domain/contracts/auth.ts';
import { SessionNotKept } from '#web/features/accounts/use-sign-in.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { toast } from '#web/lib/toast.ts';
import { takeWayBack } from '#web/lib/way-back.ts';

const NOT_KEPT =
  'Your password is right, but this browser did not keep you signed in: its cookies are blocked, or were dropped on the way. Allow cookies for this site, or try another connection.';

export const whyNot = (error: unknown): string => {
  if (error instanceof SessionNotKept) return NOT_KEPT;
  return sayFailure(error, 'The site did not answer. Please try again.', 'Invalid email or password');
};

export const useWelcome = () => {
  const navigate = useNavigate();
  return (user: User): void => {
    toast({ title: 'Welcome back!', description: `Logged in successfully as ${user.firstName}` });
    navigate(user.needsSecondFactor ? '/profile/security' : takeWayBack(), { replace: true });
  };
};
