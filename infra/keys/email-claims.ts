import { createHmac, type KeyObject } from 'node:crypto';
import { addressKey } from '#domain/email-claim/email-claim.ts';

export type EmailId = (address: string) => string;

/**
 * HMAC-SHA-256 of the normalised address. Its key survives master key changes, so an address finds its
 * stream even after erasures.
 */
export const createEmailId =
  (key: KeyObject): EmailId =>
  (address) =>
    createHmac('sha256', key).update(addressKey(address)).digest('hex');
