import type { Aggregate, Decision } from '#domain/decider.ts';
import type { NewsletterEvent } from './events.ts';

/** Whether the address gets the newsletter, and the key of its last subscription. */
export interface NewsletterState {
  readonly subscribed: boolean;
  readonly key: string | null;
}

/** `subscription`: the HMAC of the address, which is the stream's id too. */
export type NewsletterCommand =
  | {
      readonly type: 'Subscribe';
      readonly subscription: string;
      /** A new UUID. */
      readonly key: string;
      readonly email: string;
      readonly source: string;
    }
  | { readonly type: 'Unsubscribe'; readonly subscription: string };

/** Whoever is on the list stays on it, whoever is not stays off: a repeat is success and no event. */
const decide = (state: NewsletterState, command: NewsletterCommand): Decision<NewsletterEvent> => {
  const { type, ...data } = command;
  if (type === 'Subscribe') {
    if (state.subscribed || !('email' in data)) return [];
    return [{ type: 'NewsletterSubscribed', data }];
  }
  return state.subscribed
    ? [{ type: 'NewsletterUnsubscribed', data: { subscription: command.subscription } }]
    : [];
};

/** Lives in `newsletter-{hmac}`. */
export const newsletter: Aggregate<NewsletterState, NewsletterCommand, NewsletterEvent> = {
  name: 'newsletter',
  initial: { subscribed: false, key: null },
  evolve: (state, event) =>
    event.type === 'NewsletterSubscribed'
      ? { subscribed: true, key: event.data.key }
      : { ...state, subscribed: false },
  decide,
};
