import { systemContext } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { AccessEvent } from '#domain/booking/events.ts';
import type { Mail } from '#infra/mail/mailer.ts';

export const recordMailSent = async (
  { handler, clock }: Pick<CommandDeps, 'handler' | 'clock'>,
  mail: Mail,
): Promise<void> => {
  const bookingId = Number(mail.data.bookingId);
  if (!Number.isInteger(bookingId) || bookingId < 1) return;
  const event: AccessEvent = {
    type: 'MailSent',
    data: { bookingId, userId: mail.accountId, kind: mail.kind },
  };
  await handler.append(`access-${bookingId}`, [event], systemContext(clock, 'mail'));
};
