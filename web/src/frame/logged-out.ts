import { authCalls } from '#domain/contracts/auth.ts';
import { isUnauthorized } from '../api/client.ts';
import { complain } from '../ui/toast.tsx';
import { rememberWayBack } from './guard.tsx';

/** How long the message is shown before the page changes, in milliseconds. */
const REDIRECT_AFTER = 500;

/**
 * Whether a call of the admin panel or the scanner failed because there is no session. If so, it tells the person and then goes to
 * the sign-in page (second document, section 6), from which they come back to where they are.
 */
export const loggedOut = (error: unknown): boolean => {
  if (!isUnauthorized(error)) return false;
  rememberWayBack();
  complain('Unauthorized', 'You are logged out. Logging in again...');
  setTimeout(() => location.assign(authCalls.loginPage.path), REDIRECT_AFTER);
  return true;
};
