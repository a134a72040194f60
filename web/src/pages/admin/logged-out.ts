import { messageOf } from '../../api/client.ts';
import { loggedOut } from '../../frame/logged-out.ts';
import { complain } from '../../ui/toast.tsx';

/** Says that an action failed; one that failed for want of a session leads to sign-in. */
export const actionFailed = (error: unknown, title: string): void => {
  if (!loggedOut(error)) complain(title, messageOf(error, 'Please try again.'));
};
