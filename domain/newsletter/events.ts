import { type EventOf, type Personal, plain, sealed } from '#domain/kernel/personal.ts';

/** The name of the key that seals a subscription's address. It is destroyed when the person is erased; a later subscription gets another key. */
export const newsletterKey = (key: string): string => `newsletter-${key}`;

/** The events of `newsletter-{hmac}`, one stream for each address. Each subscription's address is sealed with a key of its own (`key`, a UUID). */
export const newsletterEvents = {
  NewsletterSubscribed: sealed<{
    subscription: string;
    key: string;
    email: Personal<string>;
    source: string;
  }>(['email'], (data) => newsletterKey(data.key)),
  NewsletterUnsubscribed: plain<{ subscription: string }>(),
  /** The person was erased: the keys of these subscriptions are destroyed, and again if a backup brings them back. */
  NewsletterErased: plain<{ subscription: string; keys: readonly string[] }>(),
};
export type NewsletterEvent = EventOf<typeof newsletterEvents>;
