/** The test cards of the payment provider, and how a browser pays with one. */
import { SANDBOX_PATH } from '#infra/payments/sandbox/plugin.ts';

export const CARDS = {
  pays: '4242424242424242',
  declined: '4000000000000002',
  poor: '4000000000009995',
  expired: '4000000000000069',
  wrongCvc: '4000000000000127',
  challenge: '4000002500003155',
  refundLater: '4000000000007726',
  refundFails: '4000000000005126',
  disputed: '4000000000000259',
};

export type Payable = Readonly<Record<'paymentIntentId' | 'clientSecret', string | null>>;

/** Where the sandbox takes the payment of an intent. */
export const paymentPath = ({ paymentIntentId }: Pick<Payable, 'paymentIntentId'>): string =>
  `${SANDBOX_PATH}/v1/payment_intents/${paymentIntentId}/confirm`;

/** The form that pays an intent, as the provider's own script sends it. */
export const paymentForm = (
  publishableKey: string,
  { clientSecret }: Pick<Payable, 'clientSecret'>,
  card: string = CARDS.pays,
  more: Readonly<Record<string, string>> = {},
): URLSearchParams =>
  new URLSearchParams({
    key: publishableKey,
    client_secret: clientSecret ?? '',
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
    ...more,
  });
