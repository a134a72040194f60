import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** @param secrets each signs the message, so that either side can change its secret first */
export const signedHeaders = (
  messageId: string,
  body: string,
  at: Date,
  secrets: readonly string[],
): Readonly<Record<string, string>> => {
  const timestamp = `${Math.floor(at.getTime() / 1_000)}`;
  const signature = (secret: string): string =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${messageId}.${timestamp}.${body}`)
      .digest('base64');
  return {
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret)}`).join(' '),
  };
};
