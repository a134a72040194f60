import type { Aggregate, Decision } from '#domain/kernel/decider.ts';
import { isErased } from '#domain/kernel/personal.ts';
import type { NewsletterEvent } from './events.ts';

export interface NewsletterState {
  readonly subscribed: boolean;
  readonly keys: readonly string[];
  readonly erasedKeys: readonly string[];
}

/** `subscription` is the address's HMAC. */
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
  /** Afterwards the caller destroys `erasedKeys`. */
  | { readonly type: 'Erase'; readonly subscription: string };

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
      // A restored log may lack an erasure whose key is gone: let the address subscribe again.
      return {
        ...state,
        subscribed: !isErased(event.data.email) || 'sealed' in event.data.email,
        keys: [...state.keys, event.data.key],
      };
    case 'NewsletterUnsubscribed':
      return { ...state, subscribed: false };
    case 'NewsletterErased':
      return { ...state, keys: [], erasedKeys: [...state.erasedKeys, ...event.data.keys] };
  }
};

export const newsletter: Aggregate<NewsletterState, NewsletterCommand, NewsletterEvent> = {
  name: 'newsletter',
  initial: { subscribed: false, keys: [], erasedKeys: [] },
  evolve,
  decide,
};
