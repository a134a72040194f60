import { createHmac, type KeyObject } from 'node:crypto';
import { newsletterCalls } from '#domain/contracts/newsletter.ts';
import { deriveKey } from '#infra/keys/cipher.ts';
import { isSameSecret } from '#infra/lib/same-secret.ts';

/** They never expire, since mails are kept for years. */
export interface UnsubscribeLinks {
  linkOf(subscription: string): string;
  /** `undefined` if this site did not sign it. */
  subscriptionOf(token: string): string | undefined;
}

/** @param key must not change with the master key */
export const createUnsubscribeLinks = (key: KeyObject, baseUrl: string): UnsubscribeLinks => {
  const own = deriveKey(key.export(), 'unsubscribe links');
  const tokenOf = (subscription: string): string =>
    `${subscription}.${createHmac('sha256', own).update(subscription).digest('base64url')}`;
  return {
    linkOf: (subscription) =>
      `${baseUrl}${newsletterCalls.unsubscribeByLink.path}?token=${tokenOf(subscription)}`,
    subscriptionOf(token) {
      const [subscription = ''] = token.split('.');
      return isSameSecret(token, tokenOf(subscription)) ? subscription : undefined;
    },
  };
};
