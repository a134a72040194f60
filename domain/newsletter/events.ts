import { type EventOf, type Personal, plain, sealed } from '#domain/personal.ts';

/** Whose key seals a subscription's address: destroyed when the person is erased, while the address may come again. */
export const newsletterKey = (key: string): string => `newsletter-${key}`;

/** Events of `newsletter-{hmac}`: one stream an address. Each subscription's address is sealed with a key of its own (`key`, a UUID). */
export const newsletterEvents = {
  NewsletterSubscribed: sealed<{
    subscription: string;
    key: string;
    email: Personal<string>;
    source: string;
  }>(['email'], (data) => newsletterKey(data.key)),
  NewsletterUnsubscribed: plain<{ subscription: string }>(),
  /** The person behind the address was erased, so these subscriptions' keys are destroyed, again after a restore of older ones. */
  NewsletterErased: plain<{ subscription: string; keys: readonly string[] }>(),
};
export type NewsletterEvent = EventOf<typeof newsletterEvents>;
