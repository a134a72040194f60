/**
 * Remembers, in a cookie of the device, to which accounts somebody has signed in there. Strangers who guess an account's password then
 * don't lock out its owner. The cookie lets nobody in, and names no account: it has a name of the device, and for each account a proof
 * (HMAC-SHA-256) of that name and the account's address.
 */
import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { addressKey } from '#domain/email-claim/email-claim.ts';
import { isSameSecret } from '#infra/lib/same-secret.ts';

/** Reads and makes the cookies. All processes with one key know each other's. */
export interface KnownDevices {
  /** The device's name, if somebody has signed in there to the account of this address; otherwise undefined. */
  find(cookie: string | undefined, email: string): string | undefined;
  /** The device's cookie after a sign-in to the account of this address. */
  remember(cookie: string | undefined, email: string): string;
}

/** For how long a device is known, in seconds: a year after the last sign-in. */
export const DEVICE_LIFE = 365 * 24 * 3_600;

const NAME = /^[\w-]{22}$/;
const PROOF_LENGTH = 22;
/** How many accounts a device is known for, those signed in to last. */
const MOST_ACCOUNTS = 5;

/** @param key signs the proofs; another one makes all devices unknown */
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
