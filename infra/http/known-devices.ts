/**
 * Cookie of devices that have signed in: strangers guessing a password can't lock out the owner. It has a
 * device name and, per account, an HMAC-SHA-256 of that name and the address; it grants nothing.
 */
import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { addressKey } from '#domain/email-claim/email-claim.ts';
import { isSameSecret } from '#infra/lib/same-secret.ts';

export interface KnownDevices {
  find(cookie: string | undefined, email: string): string | undefined;
  remember(cookie: string | undefined, email: string): string;
}

export const DEVICE_LIFE = 365 * 24 * 3_600;

const NAME = /^[\w-]{22}$/;
const PROOF_LENGTH = 22;
const MOST_ACCOUNTS = 5;

export const createKnownDevices = (key: KeyObject): KnownDevices => {
  const proofOf = (name: string, email: string): string =>
    createHmac('sha256', key)
      .update(`${name} ${addressKey(email)}`)
      .digest('base64url')
      .slice(0, PROOF_LENGTH);

  const read = (cookie = ''): { readonly name: string | undefined; readonly proofs: readonly string[] } => {
    const [name = '', ...proofs] = cookie.split('.', MOST_ACCOUNTS + 1);
    return NAME.test(name) ? { name, proofs } : { name: undefined, proofs: [] };
  };

  return {
    find(cookie, email) {
      const { name, proofs } = read(cookie);
      if (name === undefined) return undefined;
      const proof = proofOf(name, email);
      return proofs.some((one) => isSameSecret(one, proof)) ? name : undefined;
    },
    remember(cookie, email) {
      const { name = randomBytes(16).toString('base64url'), proofs } = read(cookie);
      const proof = proofOf(name, email);
      const others = proofs.filter((one) => one !== proof).slice(0, MOST_ACCOUNTS - 1);
      return [name, proof, ...others].join('.');
    },
  };
};
