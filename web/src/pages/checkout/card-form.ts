import type { Ref } from 'react';

/** What became of a card payment. The message is the provider's. */
export type CardOutcome = { readonly paid: true } | { readonly paid: false; readonly message: string };

/** What the checkout asks of a card form. */
export interface CardFormHandle {
  /** Pays the intent with the card that was typed. Never throws. */
  pay(clientSecret: string): Promise<CardOutcome>;
}

/** The card form is one component with two implementations behind it: the provider's own, and the sandbox's. */
export interface CardFormProps {
  readonly publishableKey: string;
  readonly disabled: boolean;
  readonly ref: Ref<CardFormHandle>;
}
