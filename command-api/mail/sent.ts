import type { CommandDeps } from '#command-api/deps.ts';
import type { AccessEvent } from '#domain/booking/events.ts';
import type { Mail } from '#infra/mail/mailer.ts';

/** Records that a mail about a booking went out, for its trail. Mails about accounts leave no trace in the log. */
export const recordMailSent = async (
  { lane, ids, clock }: Pick<CommandDeps, 'lane' | 'ids' | 'clock'>,
  mail: Mail,
): Promise<void> => {
  const bookingId = Number(mail.data.bookingId);
  if (!Number.isInteger(bookingId) || bookingId < 1) return;
  const event: AccessEvent = {
    type: 'MailSent',
    data: { bookingId, userId: mail.accountId, kind: mail.kind },
  };
  await lane.append(`access-${bookingId}`, [event], {
    commandId: ids.uuid(),
    actor: { kind: 'system', id: 'mail' },
    at: clock().toISOString(),
    correlationId: ids.uuid(),
  });
};
