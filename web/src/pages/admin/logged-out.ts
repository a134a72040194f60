import { isUnauthorized, messageOf } from '../../api/client.ts';
import { complain } from '../../ui/toast.tsx';

const REDIRECT_AFTER = 500;

/** Says that an action failed; one that failed for want of a session leads to sign-in (second document, section 6). */
export const actionFailed = (error: unknown, title: string): void => {
  if (!isUnauthorized(error)) {
    complain(title, messageOf(error, 'Please try again.'));
    return;
  }
  complain('Unauthorized', 'You are logged out. Logging in again...');
  setTimeout(() => location.assign('/api/login'), REDIRECT_AFTER);
};
