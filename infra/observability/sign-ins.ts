import { createHmac } from 'node:crypto';
import { addressKey } from '#domain/email-claim/email-claim.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { deriveKey } from '#infra/keys/cipher.ts';

export interface SignInTry {
  readonly way: 'password' | 'google' | 'code';
  /** `SECOND_FACTOR`: the password was right, the code is still to come. */
  readonly outcome: 'success' | ErrorCode;
  readonly email: string;
  readonly from: string;
}

export type TellSignIn = (log: { info(line: object, message: string): void }, signIn: SignInTry) => void;

/** Account and address are HMACs: they can be correlated, but not read or guessed. */
export const createSignInLog = (masterKey: Uint8Array): TellSignIn => {
  const key = deriveKey(masterKey, 'sign-in log');
  const hash = (text: string): string => createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
  return (log, { way, outcome, email, from }) =>
    log.info(
      { way, outcome, account: hash(`account ${addressKey(email)}`), from: hash(`from ${from}`) },
      'sign-in',
    );
};
