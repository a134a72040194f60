import { failureOf, messageOf } from '#web/lib/failure.ts';

const NOT_SENT = 'There is no connection, so nothing was sent. Please try again once you are back online.';
const UNKNOWN = 'No answer came, so it may have been done or not. Please look before you try again.';

/**
 * @param unknown text if the outcome is unknown
 * @param refused text if the server gave no reason
 */
export const sayFailure = (error: unknown, unknown = UNKNOWN, refused = 'Please try again.'): string => {
  const failure = failureOf(error);
  if (failure === 'not-sent') return NOT_SENT;
  return failure === 'unknown' ? unknown : messageOf(error, refused);
};
