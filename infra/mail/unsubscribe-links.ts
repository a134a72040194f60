import { createHmac, type KeyObject } from 'node:crypto';
import { newsletterCalls } from '#domain/contracts/newsletter.ts';
import { deriveKey } from '#infra/keys/cipher.ts';
import { isSameSecret } from '#infra/lib/same-secret.ts';

/** The signed links that newsletters carry. Each names a subscription by its id and stays valid for good, since mails are kept for years. */
export interface UnsubscribeLinks {
  /** The whole address. The same subscription always gets the same link. */
  linkOf(subscription: string): string;
  /** The subscription that a link's token names; `undefined` if this site didn't sign it. */
  subscriptionOf(token: string): string | undefined;
}

/** @param key one that stays when the master key changes */
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
