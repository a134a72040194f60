import { describe, it } from 'vitest';
import { given } from '#domain/given-when-then.ts';
import type { NewsletterEvent } from './events.ts';
import { newsletter } from './newsletter.ts';

const subscription = 'ab12';
const key = '7d0a4f4e-6b53-4b60-9d1a-0c8a4a2f3c11';
const subscribed = {
  type: 'NewsletterSubscribed',
  data: { subscription, key, email: 'ada@example.com', source: 'landing_page' },
} as const;
const unsubscribed: NewsletterEvent = { type: 'NewsletterUnsubscribed', data: { subscription } };
const subscribe = {
  type: 'Subscribe',
  subscription,
  key,
  email: 'ada@example.com',
  source: 'landing_page',
} as const;
const unsubscribe = { type: 'Unsubscribe', subscription } as const;

const erase = { type: 'Erase', subscription } as const;

describe('the newsletter', () => {
  it('takes an address once', () => {
    given(newsletter, []).when(subscribe).then([subscribed]);
    given(newsletter, [subscribed]).when(subscribe).thenNothing();
  });

  it('lets go of an address, and takes it again', () => {
    given(newsletter, [subscribed]).when(unsubscribe).then([unsubscribed]);
    given(newsletter, [subscribed, unsubscribed]).when(subscribe).then([subscribed]);
  });

  it('forgets every subscription of an address whose person is erased, not the last one alone', () => {
    const later: NewsletterEvent = {
      type: 'NewsletterSubscribed',
      data: { ...subscribed.data, key: 'later' },
    };
    const both: NewsletterEvent = { type: 'NewsletterErased', data: { subscription, keys: [key, 'later'] } };
    given(newsletter, [subscribed, unsubscribed, later]).when(erase).then([unsubscribed, both]);
    given(newsletter, [subscribed, unsubscribed, later, unsubscribed]).when(erase).then([both]);
    given(newsletter, [subscribed, unsubscribed, later, unsubscribed, both]).when(erase).thenNothing();
    given(newsletter, []).when(erase).thenNothing();
  });

  it('does not mind an address that it never had', () => {
    given(newsletter, []).when(unsubscribe).thenNothing();
  });
});
