import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import type { Personal } from '#domain/kernel/personal.ts';

/** A key for each subscription's address, destroyed on erasure. */
export const newsletterKey = (key: string): string => `newsletter-${key}`;

/** Stream `newsletter-{hmac}`, one per address. */
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
  /** These keys are destroyed, and again if a backup restores them. */
  NewsletterErased: defineEvent<{ subscription: string; keys: readonly string[] }>()({
    audit: null,
    work: false,
  }),
};
export type NewsletterEvent = EventOf<typeof newsletterEvents>;
