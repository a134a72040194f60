import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import type { Personal } from '#domain/kernel/personal.ts';

/** The name of the key that seals a subscription's address. It is destroyed when the person is erased; a later subscription gets another key. */
export const newsletterKey = (key: string): string => `newsletter-${key}`;

/** The events of `newsletter-{hmac}`, one stream for each address. Each subscription's address is sealed with a key of its own (`key`, a UUID). */
export const newsletterEvents = {
  NewsletterSubscribed: defineEvent<{
    subscription: string;
    key: string;
    email: Personal<string>;
    source: string;
  }>()({
    sealed: ['email'],
    person: (data) => newsletterKey(data.key),
    audit: ['create', 'subscriber', 'Subscribed'],
    work: false,
  }),
  NewsletterUnsubscribed: defineEvent<{ subscription: string }>()({
    audit: ['delete', 'subscriber', 'Unsubscribed'],
    work: false,
  }),
  /** The person was erased: the keys of these subscriptions are destroyed, and again if a backup brings them back. */
  NewsletterErased: defineEvent<{ subscription: string; keys: readonly string[] }>()({
    audit: null,
    work: false,
  }),
};
export type NewsletterEvent = EventOf<typeof newsletterEvents>;
