import { createHash } from 'node:crypto';

export const receiptOf = (accountId: string): string => {
  const digest = createHash('sha256').update(`erasure of ${accountId}`).digest('hex').toUpperCase();
  return `E-${[0, 5, 10, 15].map((at) => digest.slice(at, at + 5)).join('-')}`;
};

export const COUNTS = `jsonb_build_object(
  'sessions', (select count(*) from app.session where account_id = $1::uuid),
  'mails', (select count(*) from app.outbox where account_id = $1::uuid::text and sent_at is not null),
  'bookings', (select count(*) from app.account_booking where account_id = $1::uuid::text))`;
