import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Message, Transport } from './mailer.ts';

const asMail = (from: string, message: Message, id: string): SendMailOptions => ({
  from,
  to: message.to,
  subject: message.subject,
  html: message.html,
  text: message.text,
  attachments: message.attachments?.map((attachment) => ({ ...attachment })),
  messageId: `<${createHash('sha256').update(id).digest('hex').slice(0, 32)}@reprise>`,
});

/** Sends by SMTP. `url` as nodemailer takes it, e.g. `smtps://user:pass@host`. */
export const smtpTransport = (url: string, from: string): Transport => {
  const smtp = createTransport({ url, connectionTimeout: 10_000, socketTimeout: 20_000 });
  return {
    async send(message, id) {
      await smtp.sendMail(asMail(from, message, id));
    },
    async close() {
      smtp.close();
    },
  };
};

/** Writes each mail as an `.eml` file, for a machine without a mail server. A file appears whole or not at all. */
export const fileTransport = (
  folder: string,
  from: string,
  written?: (file: string, message: Message) => void,
): Transport => {
  const stream = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(message, id) {
      await mkdir(folder, { recursive: true });
      const { message: bytes } = await stream.sendMail(asMail(from, message, id));
      const file = join(folder, `${id.replace(/[^\w.-]+/g, '_').slice(0, 120)}.eml`);
      await writeFile(`${file}.part`, bytes as Buffer);
      await rename(`${file}.part`, file);
      written?.(file, message);
    },
    async close() {
      stream.close();
    },
  };
};
