import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentIntentResult, Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { type Ref, useEffect, useImperativeHandle, useState } from 'react';
import { Box } from '#web/ui/box.tsx';
import { CardFrame, cardStyle } from '#web/ui/card-frame.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Text } from '#web/ui/text.tsx';
import { type CardFormHandle, type CardFormProps, type CardOutcome, refusedBy } from './card-form.ts';
import { PaymentSystemFailed } from './notices.tsx';

/** Milliseconds to load the provider's script; a hanging request would otherwise never fail. */
const PATIENCE = 12_000;

const loading = new Map<string, Promise<Stripe | null>>();
const load = (publishableKey: string): Promise<Stripe | null> => {
  const known = loading.get(publishableKey);
  if (known) return known;
  const made = Promise.race([
    loadStripe(publishableKey),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('Timed out')), PATIENCE)),
  ]);
  loading.set(publishableKey, made);
  made.catch(() => loading.delete(publishableKey));
  return made;
};

const UNPAID: readonly string[] = ['requires_payment_method', 'requires_confirmation', 'canceled'];

/** Unknown if the client could not reach the provider or the provider failed. */
export const outcomeOf = ({ error, paymentIntent }: PaymentIntentResult): CardOutcome => {
  if (error?.type === 'api_connection_error' || error?.type === 'api_error') return { state: 'unknown' };
  if (error) return refusedBy(error.message ?? 'Your card could not be charged.', error.code);
  if (paymentIntent.status === 'succeeded') return { state: 'paid' };
  return UNPAID.includes(paymentIntent.status)
    ? { state: 'refused', message: 'The payment has not been completed.' }
    : { state: 'unknown' };
};

const Fields = ({ disabled, ref }: { disabled: boolean; ref: Ref<CardFormHandle> }) => {
  const stripe = useStripe();
  const elements = useElements();
  useImperativeHandle(
    ref,
    () => ({
      async pay(clientSecret) {
        const card = elements?.getElement(CardElement);
        if (!stripe || !card)
          return { state: 'refused', message: 'The card form is still loading. Please try again.' };
        const paying = stripe.confirmCardPayment(clientSecret, { payment_method: { card } });
        return paying.then(outcomeOf, () => ({ state: 'unknown' }));
      },
    }),
    [stripe, elements],
  );
  return (
    <Box gap="$8">
      <Text size="small" strong>
        Card
      </Text>
      <CardFrame>
        <CardElement options={{ disabled, hidePostalCode: true, style: cardStyle }} />
      </CardFrame>
    </Box>
  );
};

/** Card numbers go from the browser to Stripe and never to this site. */
const StripeCard = ({ publishableKey, disabled, onFailed, ref }: CardFormProps) => {
  const [stripe, setStripe] = useState<Stripe | null>();
  useEffect(() => {
    let wanted = true;
    load(publishableKey).then(
      (loaded) => wanted && setStripe(loaded),
      () => {
        if (!wanted) return;
        setStripe(null);
        onFailed();
      },
    );
    return () => {
      wanted = false;
    };
  }, [publishableKey, onFailed]);
  if (stripe === null) return <PaymentSystemFailed />;
  if (!stripe) return <Skeleton height={52} />;
  return (
    <Elements stripe={stripe}>
      <Fields disabled={disabled} ref={ref} />
    </Elements>
  );
};
export default StripeCard;
