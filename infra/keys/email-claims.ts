import { createHmac, type KeyObject } from 'node:crypto';
import { addressKey } from '#domain/email-claim/email-claim.ts';

/** Turns an address into the id of its claim (`email-{id}`) or of its newsletter stream. */
export type EmailId = (address: string) => string;

/**
 * An HMAC-SHA-256 of the address in its one form, as 64 hexadecimal digits. Its key outlives every master key
 * (`MasterSecrets`), so that an address leads to its stream after erasures too, while the log holds no address.
 */
export const createEmailId =
  (key: KeyObject): EmailId =>
  (address) =>
    createHmac('sha256', key).update(addressKey(address)).digest('hex');
