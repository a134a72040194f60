import type { CommandDeps } from '#command-api/deps/deps.ts';
import { systemContext } from '#command-api/lane/lane.ts';
import type { AccessEvent } from '#domain/booking/events.ts';
import type { Mail } from '#infra/mail/mailer.ts';

export const recordMailSent = async (
  { lane, clock }: Pick<CommandDeps, 'lane' | 'clock'>,
  mail: Mail,
): Promise<void> => {
  const bookingId = Number(mail.data.bookingId);
  if (!Number.isInteger(bookingId) || bookingId < 1) return;
  const event: AccessEvent = {
    type: 'MailSent',
    data: { bookingId, userId: mail.accountId, kind: mail.kind },
  };
  await lane.append(`access-${bookingId}`, [event], systemContext(clock, 'mail'));
};
