import type { Ref } from 'react';

/**
 * The result of a card payment. The message is the provider's. `outdated`: the intent can't be paid any more, because it was paid
 * or replaced in another tab.
 */
export type CardOutcome =
  | { readonly paid: true }
  | { readonly paid: false; readonly message: string; readonly outdated?: boolean };

/** The provider's error code for an intent that can't be paid any more. */
export const OUTDATED = 'payment_intent_unexpected_state';

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
