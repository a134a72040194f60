import type { Ref } from 'react';

/**
 * What became of a card payment. The message is the provider's. `outdated`: this intent can't be paid any more, since it was
 * paid, or replaced by another, in another tab.
 */
export type CardOutcome =
  | { readonly paid: true }
  | { readonly paid: false; readonly message: string; readonly outdated?: boolean };

/** What the provider says of an intent that can't be paid any more. */
export const OUTDATED = 'payment_intent_unexpected_state';

/** What the checkout asks of a card form. */
export interface CardFormHandle {
  /** Pays the intent with the card that was typed. Never throws. */
  pay(clientSecret: string): Promise<CardOutcome>;
}

/** The card form is one component with two implementations behind it: the provider's own, and the sandbox's. */
export interface CardFormProps {
  readonly publishableKey: string;
  readonly disabled: boolean;
  /** The provider's form can't be had: nobody can pay. */
  readonly onFailed: () => void;
  readonly ref: Ref<CardFormHandle>;
}
