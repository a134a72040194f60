/**
 * The browser's side of the payment sandbox: posts what the provider's own client posts. The card's number goes to the
 * provider alone, here as there.
 */
const SANDBOX = '/sandbox/stripe/v1/payment_intents';

/** A card as it was typed. */
export interface Card {
  readonly number: string;
  readonly month: string;
  readonly year: string;
  readonly cvc: string;
}

/** Paid; or the bank asks for a confirmation at `url`; or refused, with the provider's message. */
export type Outcome =
  | { readonly state: 'paid' }
  | { readonly state: 'challenge'; readonly url: string }
  | { readonly state: 'refused'; readonly message: string; readonly code?: string };

interface Intent {
  status?: string;
  next_action?: { redirect_to_url?: { url?: string } } | null;
  last_payment_error?: { message?: string; code?: string } | null;
  error?: { message?: string; code?: string };
}

const FAILED = 'Your card could not be charged. Nothing was taken; please try another card.';

const outcomeOf = (intent: Intent): Outcome => {
  const challenge = intent.next_action?.redirect_to_url?.url;
  if (intent.status === 'succeeded') return { state: 'paid' };
  if (intent.status === 'requires_action' && challenge) return { state: 'challenge', url: challenge };
  const { error = intent.last_payment_error } = intent;
  return { state: 'refused', message: error?.message ?? FAILED, code: error?.code };
};

const post = async (url: string, form: Record<string, string>): Promise<Outcome> => {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
  return outcomeOf(await response.json());
};

/** The intent that a client secret belongs to. */
export const intentOf = (clientSecret: string): string => clientSecret.split('_secret')[0] ?? clientSecret;

/** Pays with a card. Throws where the provider can't be reached. */
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

/** The buyer's answer to the bank. */
export const answerChallenge = (url: string, clientSecret: string, complete: boolean): Promise<Outcome> =>
  post(url, { client_secret: clientSecret, outcome: complete ? 'complete' : 'fail' });
