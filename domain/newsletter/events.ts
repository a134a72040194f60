import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import type { Personal } from '#domain/kernel/personal.ts';

/** Key for a subscription's address, destroyed on erasure; a later subscription gets another. */
export const newsletterKey = (key: string): string => `newsletter-${key}`;

/** Stream `newsletter-{hmac}`, one per address. Each subscription has its own `key` (a UUID). */
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
  /** The keys of these subscriptions are destroyed, and again if a backup restores them. */
  NewsletterErased: defineEvent<{ subscription: string; keys: readonly string[] }>()({
    audit: null,
    work: false,
  }),
};
export type NewsletterEvent = EventOf<typeof newsletterEvents>;
