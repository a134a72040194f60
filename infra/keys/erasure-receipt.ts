import { createHash } from 'node:crypto';

/**
 * The name of the receipt for the erasure of an account, such as `E-4F0C2-91B7D-0A3E8-C55D1`. It follows from the account's id, so
 * that it can be told before the erasure, and is the same after a restore; the account's id does not follow from it.
 */
export const receiptOf = (accountId: string): string => {
  const digest = createHash('sha256').update(`erasure of ${accountId}`).digest('hex').toUpperCase();
  return `E-${[0, 5, 10, 15].map((at) => digest.slice(at, at + 5)).join('-')}`;
};

/** What the receipt counts, of the account that is the first parameter of a query, as long as it is there. */
export const COUNTS = `jsonb_build_object(
  'sessions', (select count(*) from app.session where account_id = $1::uuid),
  'mails', (select count(*) from app.outbox where account_id = $1::uuid::text and sent_at is not null),
  'bookings', (select count(*) from app.account_booking where account_id = $1::uuid::text))`;
