import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { wordsOf } from '#infra/lib/cannot-start.ts';
import { MailServerAway, type Message, RecipientRefused, type Transport } from './mailer.ts';

const asMail = (from: string, message: Message, id: string): SendMailOptions => ({
  from,
  to: message.to,
  ...(message.replyTo && { replyTo: { ...message.replyTo } }),
  subject: message.subject,
  html: message.html,
  text: message.text,
  attachments: message.attachments?.map((attachment) => ({ ...attachment })),
  messageId: `<${createHash('sha256').update(id).digest('hex').slice(0, 32)}@reprise>`,
});

/** nodemailer's codes: unreachable, silent, or refusing the login. */
const AWAY = /^E(CONN\w*|SOCKET|DNS|TIMEDOUT|TLS|AUTH|PROTOCOL|PIPE)$/;
/** "Service not available, closing transmission channel" (RFC 5321). */
const CLOSING = 421;

const isAway = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && AWAY.test(String(error.code))) ||
    ('responseCode' in error && error.responseCode === CLOSING));

/** Of a missing or closed mailbox (RFC 3463). Others concern the sender, policy or quotas. */
const ENHANCED = /^5\d\d[ -]5\.\d+\.\d+/;
const NOBODY = /^5\d\d[ -]5\.(1\.([1236]|10)|2\.1)\b/;
/** Without an enhanced code only the wording tells the cause. Retry what the operator can fix. */
const NO_MAILBOX = /^55[013][ -].*(mailbox|user|recipient)/is;
const OURS = /relay|sender/i;

const isRecipientRefused = (error: unknown): boolean => {
  if (!(error instanceof Error && 'command' in error && error.command === 'RCPT TO')) return false;
  const response = 'response' in error ? String(error.response) : '';
  return ENHANCED.test(response) ? NOBODY.test(response) : NO_MAILBOX.test(response) && !OURS.test(response);
};

export const smtpTransport = (url: string, from: string, atOnce = 1): Transport => {
  const smtp = createTransport({
    url,
    pool: true,
    maxConnections: atOnce,
    connectionTimeout: 10_000,
    socketTimeout: 20_000,
  });
  return {
    async send(message, id) {
      try {
        await smtp.sendMail(asMail(from, message, id));
      } catch (error) {
        if (isAway(error)) throw new MailServerAway(wordsOf(error), { cause: error });
        if (isRecipientRefused(error)) throw new RecipientRefused(wordsOf(error), { cause: error });
        throw error;
      }
    },
    // Accepted mails can't be recalled.
    forget: async () => undefined,
    async close() {
      smtp.close();
    },
  };
};

/** `.eml` files appear atomically, readable only by the program's user, since links are secret. */
export const fileTransport = (
  folder: string,
  from: string,
  written?: (file: string, message: Message) => void,
): Transport => {
  const stream = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const fileOf = (id: string): string => join(folder, `${id.replace(/[^\w.-]+/g, '_').slice(0, 120)}.eml`);
  return {
    async send(message, id) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { message: bytes } = await stream.sendMail(asMail(from, message, id));
      const file = fileOf(id);
      await writeFile(`${file}.part`, bytes as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
      written?.(file, message);
    },
    async forget(ids) {
      for (const id of ids) await rm(fileOf(id), { force: true });
    },
    async close() {
      stream.close();
    },
  };
};
