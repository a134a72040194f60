import { describe, it } from 'vitest';
import { masked } from '#domain/kernel/personal.ts';
import { given } from '#tests/kit/given-when-then.ts';
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
  it('subscribes an address once', () => {
    given(newsletter, []).when(subscribe).then([subscribed]);
    given(newsletter, [subscribed]).when(subscribe).thenNothing();
  });

  it('subscribes an address again whose key is gone, for example after an older backup was restored', () => {
    const erased: NewsletterEvent = {
      type: 'NewsletterSubscribed',
      data: { ...subscribed.data, key: 'former', email: { erased: true } },
    };
    given(newsletter, [erased]).when(subscribe).then([subscribed]);
    const unseen: NewsletterEvent = { ...erased, data: { ...erased.data, email: masked } };
    given(newsletter, [unseen]).when(subscribe).thenNothing();
    const both: NewsletterEvent = { type: 'NewsletterErased', data: { subscription, keys: ['former', key] } };
    given(newsletter, [erased, subscribed]).when(erase).then([unsubscribed, both]);
  });

  it('unsubscribes an address, and subscribes it again', () => {
    given(newsletter, [subscribed]).when(unsubscribe).then([unsubscribed]);
    given(newsletter, [subscribed, unsubscribed]).when(subscribe).then([subscribed]);
  });

  it('erases all subscriptions of an address, including former ones', () => {
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

  it('unsubscribes an unknown address without an event', () => {
    given(newsletter, []).when(unsubscribe).thenNothing();
  });
});
