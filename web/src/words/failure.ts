import { failureOf, messageOf } from '../api/failure.ts';

const NOT_SENT = 'There is no connection, so nothing was sent. Please try again once you are back online.';
const UNKNOWN = 'No answer came, so it may have been done or not. Please look before you try again.';

/**
 * Says why a change failed, and what that means.
 * @param unknown what to say where nobody knows whether it was made
 * @param refused what to say where the server said no, but not why
 */
export const sayFailure = (error: unknown, unknown = UNKNOWN, refused = 'Please try again.'): string => {
  const failure = failureOf(error);
  if (failure === 'not-sent') return NOT_SENT;
  return failure === 'unknown' ? unknown : messageOf(error, refused);
};
