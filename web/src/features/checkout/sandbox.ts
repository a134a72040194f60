/** Payment sandbox client. Card numbers go to the provider only. */

import { withinLimit } from '#web/lib/api/client.ts';
import { ApiError, failureOf } from '#web/lib/failure.ts';

const SANDBOX = '/sandbox/stripe/v1/payment_intents';

export interface Card {
  readonly number: string;
  readonly month: string;
  readonly year: string;
  readonly cvc: string;
}

/** `challenge`: the bank asks for confirmation at `url`. `unknown`: the answer was lost or the provider failed. */
export type Outcome =
  | { readonly state: 'paid' | 'not-sent' | 'unknown' }
  | { readonly state: 'challenge'; readonly url: string }
  | { readonly state: 'refused'; readonly message: string; readonly code?: string | undefined };

interface Refused {
  readonly type?: string;
  readonly message?: string;
  readonly code?: string;
}

interface Intent {
  readonly status?: string;
  readonly next_action?: { readonly redirect_to_url?: { readonly url?: string } } | null;
  readonly last_payment_error?: Refused | null;
  readonly error?: Refused;
}

/** Statuses that await another card: nothing was charged. */
const OPEN = ['requires_payment_method', 'requires_confirmation', 'canceled'];
const FAILED = 'Your card could not be charged. Nothing was taken; please try another card.';

export const outcomeOf = (intent: Intent): Outcome => {
  const challenge = intent.next_action?.redirect_to_url?.url;
  if (intent.status === 'succeeded') return { state: 'paid' };
  if (intent.status === 'requires_action' && challenge) return { state: 'challenge', url: challenge };
  const { error = intent.last_payment_error } = intent;
  const isNo = intent.error ? intent.error.type !== 'api_error' : OPEN.includes(intent.status ?? '');
  return isNo
    ? { state: 'refused', message: error?.message ?? FAILED, code: error?.code }
    : { state: 'unknown' };
};

const post = async (url: string, form: Record<string, string>): Promise<Outcome> => {
  try {
    return await withinLimit(async (signal) => {
      const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), signal });
      if (response.status >= 500) throw new ApiError(response.status, await response.text());
      return outcomeOf(await response.json());
    });
  } catch (error) {
    return { state: failureOf(error) === 'not-sent' ? 'not-sent' : 'unknown' };
  }
};

export const intentOf = (clientSecret: string): string => clientSecret.split('_secret')[0] ?? clientSecret;

/** Never throws. */
export const confirmCard = (publishableKey: string, clientSecret: string, card: Card): Promise<Outcome> =>
  post(`${SANDBOX}/${encodeURIComponent(intentOf(clientSecret))}/confirm`, {
    key: publishableKey,
    client_secret: clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card.number,
    'payment_method_data[card][exp_month]': card.month,
    'payment_method_data[card][exp_year]': card.year,
    'payment_method_data[card][cvc]': card.cvc,
  });

/** Never throws. */
export const answerChallenge = (url: string, clientSecret: string, complete: boolean): Promise<Outcome> =>
  post(url, { client_secret: clientSecret, outcome: complete ? 'complete' : 'fail' });
