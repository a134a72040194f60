import { createHmac, type KeyObject } from 'node:crypto';
import { addressKey } from '#domain/email-claim/email-claim.ts';

export type EmailId = (address: string) => string;

/** HMAC-SHA-256. Its key survives changes of the master key, so an address always finds its stream. */
export const createEmailId =
  (key: KeyObject): EmailId =>
  (address) =>
    createHmac('sha256', key).update(addressKey(address)).digest('hex');
