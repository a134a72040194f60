import type { Ref } from 'react';

/**
 * `refused`: not charged; the provider's message. `outdated`: the intent was paid or replaced, perhaps in
 * another tab. `not-sent`: never reached the provider. `unknown`: possibly paid.
 */
export type CardOutcome =
  | { readonly state: 'paid' | 'outdated' | 'not-sent' | 'unknown' }
  | { readonly state: 'refused'; readonly message: string };

const OUTDATED = 'payment_intent_unexpected_state';

export const refusedBy = (message: string, code: string | undefined): CardOutcome =>
  code === OUTDATED ? { state: 'outdated' } : { state: 'refused', message };

export interface CardFormHandle {
  /** Never throws. */
  pay(clientSecret: string): Promise<CardOutcome>;
}

export interface CardFormProps {
  readonly publishableKey: string;
  readonly disabled: boolean;
  readonly onFailed: () => void;
  readonly ref: Ref<CardFormHandle>;
}
