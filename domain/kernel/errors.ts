/**
 * An entry of the catalogue of errors. Every refusal, of a decider or of a server, is one of them: a stable code, an HTTP status, and the
 * text for people (the specification's, if it has one).
 */
export interface ErrorEntry {
  readonly status: number;
  readonly message: string;
}

const entry = (status: number, message: string): ErrorEntry => ({ status, message });

/** All errors by code. A text may be changed, a code may not. */
export const errors = {
  // requests
  BAD_INPUT: entry(400, 'Some of what was sent is not valid.'),
  BAD_JSON: entry(400, 'The request body is not valid JSON.'),
  TOKEN_INVALID: entry(400, 'The verification link is invalid or has expired.'),
  NOT_SIGNED_IN: entry(401, 'Please sign in to continue.'),
  BAD_CREDENTIALS: entry(401, 'Invalid email or password'),
  NO_ACCOUNT: entry(401, 'No account found with this email address.'),
  CSRF: entry(403, 'Your session changed. Please try again.'),
  FORBIDDEN: entry(403, 'You don’t have permission to do that.'),
  EMAIL_UNVERIFIED: entry(403, 'Email verification required'),
  PROFILE_INCOMPLETE: entry(403, 'Please complete your profile first.'),
  ACCOUNT_INACTIVE: entry(403, 'This account has been deactivated. Please contact support.'),
  NOT_FOUND: entry(404, 'Not found.'),
  METHOD_NOT_ALLOWED: entry(405, 'That method is not allowed here.'),
  CONFLICT: entry(409, 'Somebody else changed this at the same moment. Please look again.'),
  CHANGED_MEANWHILE: entry(409, 'Somebody changed this while you were editing it.'),
  ERASED: entry(410, 'This account has been deleted.'),
  TOO_SLOW: entry(408, 'The request took too long to arrive.'),
  TOO_LARGE: entry(413, 'That is too large.'),
  UNSUPPORTED_TYPE: entry(415, 'That content type is not supported.'),
  UPGRADE_REQUIRED: entry(426, 'This address speaks WebSocket.'),
  UNUSABLE_FILE: entry(422, 'This file can’t be used.'),
  UNREADABLE_EVENT: entry(422, 'This event can’t be read: its bytes in the log are not what was written.'),
  NOT_PROVEN_YET: entry(409, 'This is not in a signed checkpoint of the log yet. It takes a few seconds.'),
  KEY_REUSED: entry(422, 'This idempotency key was used for a different request.'),
  TOO_MANY: entry(429, 'Too many attempts. Please wait a little and try again.'),
  HEADERS_TOO_LARGE: entry(431, 'The address or the headers are too large.'),
  INTERNAL: entry(500, 'Something went wrong on our side. Nothing was charged twice; please try again.'),
  BUSY: entry(503, 'We are very busy right now. Please try again in a moment.'),
  UNAVAILABLE: entry(503, 'A service we depend on is not answering. Please try again in a moment.'),

  // accounts
  EMAIL_TAKEN: entry(409, 'An account with this email already exists.'),
  LAST_SUPERUSER: entry(409, 'The last active superuser has to stay.'),
  ADDRESS_UNVERIFIED: entry(
    409,
    'This person’s email address isn’t verified yet. They can have another role once they have opened the link in the mail that they got from us.',
  ),
  NOT_YOURSELF: entry(409, 'You can’t do that to your own account.'),
  ACCOUNT_DELETED: entry(409, 'This account has been deleted. Restore it first.'),
  WEAK_PASSWORD: entry(400, 'Password Requirements Not Met'),
  WRONG_PASSWORD: entry(400, 'That is not your password.'),
  SIGN_IN_AGAIN: entry(403, 'To confirm that it is you, please sign in again first.'),
  NO_PASSWORD: entry(
    409,
    'You sign in with Google, so this account has no password. “Forgot password?” on the sign-in page sets one.',
  ),
  SECOND_FACTOR: entry(401, 'Please enter the code of your authenticator app.'),
  SECOND_STEP_EXPIRED: entry(401, 'That took too long. Please sign in again.'),
  SECOND_FACTOR_MISSING: entry(403, 'Please set up your second step first, on the page “Security”.'),
  SECOND_FACTOR_ON: entry(409, 'Your second step is set up already.'),
  SECOND_FACTOR_OFF: entry(409, 'Your second step is not set up.'),
  WRONG_CODE: entry(400, 'That code is wrong, or was used before.'),
  ALREADY_VERIFIED: entry(409, 'This email address is already verified.'),

  // the catalogue
  LISTING_NOT_FOUND: entry(404, 'Event Not Found'),
  LISTING_ARCHIVED: entry(409, 'This event has been removed.'),
  IN_USE: entry(409, 'This is still in use.'),
  NAME_TAKEN: entry(409, 'That name is already in use.'),
  CODE_TAKEN: entry(409, 'That promotion code is already in use.'),

  // buying
  HOOK_STOPPED: entry(409, 'This webhook is stopped. Start it first.'),
  NEWSLETTER_DISABLED: entry(409, 'The newsletter is switched off at the moment.'),
  BOOKING_DISABLED: entry(409, 'Booking is switched off at the moment.'),
  SALES_CLOSED: entry(409, 'Sales for this event have closed.'),
  SOLD_OUT: entry(409, 'There are not enough tickets left for this event.'),
  TICKETS_LEFT: entry(409, 'There are tickets for this event. You can book now.'),
  WAITING_LIST_FULL: entry(409, 'So many people wait for this event that the list is full.'),
  TOO_MANY_HOLDS: entry(
    429,
    'You hold tickets for several other events. Buy them, or wait until they are released.',
  ),
  HELD_TOO_OFTEN: entry(
    429,
    'You have held these tickets several times without buying them. Please wait a little.',
  ),
  TOO_YOUNG: entry(403, 'You will be too young for this event on its day.'),
  CAPACITY_TOO_SMALL: entry(409, 'The capacity can’t be smaller than the tickets already sold and held.'),
  CHECKOUT_OPEN: entry(409, 'Another checkout for this event has to end first. Please try again.'),
  PRICE_CHANGED: entry(409, 'The price has changed. Please check the new total.'),
  AMOUNT_TOO_SMALL: entry(400, 'The total is below the smallest amount that a card can be charged (£0.30).'),
  PROMO_INVALID: entry(400, 'This promo code is not valid.'),
  PROMO_USED_UP: entry(409, 'This promo code has been used up.'),
  CHECKOUT_NOT_FOUND: entry(404, 'There is no checkout to complete. Please start again.'),
  CHECKOUT_EXPIRED: entry(409, 'Your held tickets were released. Please start again.'),
  ALREADY_PAID: entry(409, 'You have already paid for these tickets.'),
  JUST_BOUGHT: entry(409, 'You have just bought tickets for this event.'),
  PAYMENT_INCOMPLETE: entry(409, 'The payment has not been completed.'),
  PAYMENT_MISMATCH: entry(409, 'The payment does not match this booking.'),
  HOLD_ENDED: entry(409, 'These tickets are no longer held.'),

  // bookings and refunds
  BOOKING_NOT_FOUND: entry(404, 'Booking not found.'),
  BOOKING_NOT_CANCELLABLE: entry(409, 'This booking can’t be cancelled any more.'),
  STATUS_FIXED: entry(409, 'By hand only confirmed and cancelled change, until the event is over.'),
  EVENT_STARTED: entry(409, 'This event has already started.'),
  ALREADY_SCANNED: entry(409, 'This booking’s ticket has already been scanned.'),
  REFUND_SMALLER: entry(409, 'By now you would get less back. Please look at the amount again.'),
  REFUND_NOT_FOUND: entry(404, 'Refund not found.'),
  REFUND_IN_PROGRESS: entry(409, 'This refund is already with the provider.'),
  REFUND_SETTLED: entry(409, 'This refund has been paid and can’t be changed.'),
  REFUND_WITHDRAWN: entry(409, 'This booking stands, so there is nothing to pay back.'),
  REFUND_DISPUTED: entry(
    409,
    'The customer’s bank has this money, or holds it: the payment is disputed, so it can’t be paid back as well.',
  ),
  REFUND_TOO_LARGE: entry(409, 'A refund can’t be larger than what was paid.'),

  // scans
  TICKET_FORGED: entry(400, 'This is not one of our tickets.'),
  TICKET_EXPIRED: entry(409, 'This ticket has expired.'),
  TICKET_WRONG_EVENT: entry(409, 'This ticket is for a different event.'),
  TICKET_CANCELLED: entry(409, 'This booking was cancelled.'),
  TICKET_REFUNDED: entry(409, 'This booking was refunded.'),
  TICKET_DISPUTED: entry(
    409,
    'The payment for this ticket is disputed with the customer’s bank. It admits nobody until that is settled.',
  ),
  TICKET_REISSUED: entry(409, 'This ticket was reissued. Please use the newest one.'),
  TICKET_USED: entry(409, 'This ticket has already been used.'),
  SCAN_UNDONE: entry(409, 'This scan has been undone already.'),
  NOT_YOUR_SCAN: entry(403, 'Only whoever scanned this ticket, or an admin, may undo it.'),
} as const satisfies Record<string, ErrorEntry>;

/** The code of an error. Clients and callers compare codes, never texts. */
export type ErrorCode = keyof typeof errors;
