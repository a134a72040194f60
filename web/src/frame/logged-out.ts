import { isUnauthorized } from '../api/client.ts';
import { complain } from '../ui/toast.tsx';

const REDIRECT_AFTER = 500;

/**
 * Whether a call of the admin panel or the scanner failed for want of a session. If so it says that, and leads to sign-in
 * (second document, section 6).
 */
export const loggedOut = (error: unknown): boolean => {
  if (!isUnauthorized(error)) return false;
  complain('Unauthorized', 'You are logged out. Logging in again...');
  setTimeout(() => location.assign('/api/login'), REDIRECT_AFTER);
  return true;
};
