import { useNavigate } from 'react-router-dom';
import type { User } from '#domain/contracts/auth.ts';
import { SessionNotKept } from '../../api/sign-in.ts';
import { takeWayBack } from '../../kit/guard.tsx';
import { toast } from '../../ui/toast.tsx';
import { sayFailure } from '../../words/failure.ts';

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
