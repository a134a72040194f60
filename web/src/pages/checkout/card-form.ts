import type { Ref } from 'react';

/**
 * The result of a card payment. `refused`: nothing was taken; the message is the provider's. `outdated`: the intent can't be paid any
 * more, because it was paid or replaced, perhaps in another tab. `not-sent`: the provider never heard of it. `unknown`: it may be paid.
 */
export type CardOutcome =
  | { readonly state: 'paid' | 'outdated' | 'not-sent' | 'unknown' }
  | { readonly state: 'refused'; readonly message: string };

/** The provider's error code for an intent that can't be paid any more. */
const OUTDATED = 'payment_intent_unexpected_state';

/** The outcome of an intent that the provider refused to pay. */
export const refusedBy = (message: string, code: string | undefined): CardOutcome =>
  code === OUTDATED ? { state: 'outdated' } : { state: 'refused', message };

/** What a card form can do for the checkout. */
export interface CardFormHandle {
  /** Pays an intent with the typed card. Never throws. */
  pay(clientSecret: string): Promise<CardOutcome>;
}

/** The props of both card forms: Stripe's and the sandbox's. */
export interface CardFormProps {
  readonly publishableKey: string;
  readonly disabled: boolean;
  /** Called when the provider's form can't be loaded, so that nobody can pay. */
  readonly onFailed: () => void;
  readonly ref: Ref<CardFormHandle>;
}
