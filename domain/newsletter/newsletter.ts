import type { Aggregate, Decision } from '#domain/decider.ts';
import type { NewsletterEvent } from './events.ts';

/** Whether the address gets the newsletter, and the keys of its subscriptions: those that stand, and those to be destroyed for good. */
export interface NewsletterState {
  readonly subscribed: boolean;
  readonly keys: readonly string[];
  readonly erasedKeys: readonly string[];
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
  | { readonly type: 'Unsubscribe'; readonly subscription: string }
  /** Whose address it is wants to be forgotten. Afterwards `erasedKeys` are to be destroyed. */
  | { readonly type: 'Erase'; readonly subscription: string };

/** Whoever is on the list stays on it, whoever is not stays off: a repeat is success and no event. */
const decide = (state: NewsletterState, command: NewsletterCommand): Decision<NewsletterEvent> => {
  const { subscription } = command;
  if (command.type === 'Subscribe') {
    const { type: _, ...data } = command;
    return state.subscribed ? [] : [{ type: 'NewsletterSubscribed', data }];
  }
  const leaves: NewsletterEvent[] = state.subscribed
    ? [{ type: 'NewsletterUnsubscribed', data: { subscription } }]
    : [];
  if (command.type === 'Unsubscribe' || state.keys.length === 0) return leaves;
  return [...leaves, { type: 'NewsletterErased', data: { subscription, keys: state.keys } }];
};

const evolve = (state: NewsletterState, event: NewsletterEvent): NewsletterState => {
  switch (event.type) {
    case 'NewsletterSubscribed':
      return { ...state, subscribed: true, keys: [...state.keys, event.data.key] };
    case 'NewsletterUnsubscribed':
      return { ...state, subscribed: false };
    case 'NewsletterErased':
      return { ...state, keys: [], erasedKeys: [...state.erasedKeys, ...event.data.keys] };
  }
};

/** Lives in `newsletter-{hmac}`. */
export const newsletter: Aggregate<NewsletterState, NewsletterCommand, NewsletterEvent> = {
  name: 'newsletter',
  initial: { subscribed: false, keys: [], erasedKeys: [] },
  evolve,
  decide,
};
