import { useCallback, useEffect, useRef, useState } from 'react';
import type { Event } from '#domain/contracts/catalogue.ts';
import { useSession } from '#web/lib/api/session.ts';
import { toastError } from '#web/lib/toast.ts';
import type { CardFormHandle } from './card-form.ts';
import { useTimeLeft } from './hold-clock.tsx';
import { usePaymentConfig } from './payments.ts';
import { useCheckout } from './use-checkout.ts';
import { type Paying, usePayment } from './use-payment.ts';

export const usePurchase = (current: Event, paying: Paying) => {
  const { user, isEmailVerified } = useSession();
  const config = usePaymentConfig();
  const [isPaying] = paying;
  // Freeze the event, and its price, while paying.
  const shown = useRef(current);
  if (!isPaying) shown.current = current;
  const event = shown.current;
  const checkout = useCheckout(event, user?.id ?? '', isEmailVerified);
  const card = useRef<CardFormHandle>(null);
  const { pay, problem, waiting } = usePayment(event, user?.id, checkout, card, paying);
  const { pricing } = checkout;
  const intent = pricing.state === 'held' ? pricing.intent : undefined;
  const left = useTimeLeft(intent?.heldUntil);
  const [cardFailed, setCardFailed] = useState(false);
  const onCardFailed = useCallback(() => setCardFailed(true), []);
  const configFailed = config.isError;
  useEffect(() => {
    if (configFailed) toastError('Error', 'Failed to load payment configuration');
  }, [configFailed]);

  const refusal = pricing.state === 'failed' ? pricing : undefined;
  const ranOut = intent !== undefined && left <= 0 && !isPaying;
  const free = intent ? intent.clientSecret === null : checkout.total === '0.00';
  return {
    checkout,
    config,
    card,
    onCardFailed,
    pay,
    isPaying,
    problem,
    waiting,
    /** Milliseconds. */
    left,
    ranOut,
    free,
    refusal,
    boughtId: refusal?.bookingId,
    soldOut: refusal?.available === 0,
    ready:
      intent !== undefined &&
      !ranOut &&
      !checkout.isCheckingPromo &&
      checkout.risenFrom === undefined &&
      (free || (config.isSuccess && !cardFailed)),
    isEmailVerified,
    unverified: isEmailVerified ? undefined : user?.email,
  };
};
export type Purchase = ReturnType<typeof usePurchase>;
