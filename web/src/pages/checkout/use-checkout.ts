import { useEffect, useState } from 'react';
import type { Event } from '#domain/contracts/catalogue.ts';
import type { PaymentIntent } from '#domain/contracts/payments.ts';
import { toDecimal } from '#domain/money.ts';
import { hasCode, isUnauthorized, messageOf } from '../../api/client.ts';
import { ApiError } from '../../api/failure.ts';
import { newId } from '../../api/new-id.ts';
import { createPaymentIntent, useValidatePromotion } from '../../api/payments.ts';
import { queryClient } from '../../api/queries.ts';
import { complain } from '../../ui/toast.tsx';
import { type Choice, choiceOf, NO_PROMO, rememberChoice } from './choice.ts';
import { mostOf, subtotalOf, totalOf } from './price.ts';

/** How long to wait after a change, in milliseconds, so that several quick changes open one intent. */
const PAUSE = 300;

/** Whether the tickets are held: not yet, held for the price in the intent, or refused. */
export type Pricing =
  | { readonly state: 'pricing' }
  | { readonly state: 'held'; readonly intent: PaymentIntent }
  | { readonly state: 'failed'; readonly message: string; readonly code: string | undefined };

/**
 * A person's checkout of one event. Whenever event, quantity, discount or code change, it opens an intent, which holds the tickets.
 * @param enabled whether the person may buy
 */
export const useCheckout = (event: Event | undefined, enabled: boolean) => {
  const [{ quantity, promo }, setChoice] = useState(() => choiceOf(event?.id));
  const [pricing, setPricing] = useState<Pricing>({ state: 'pricing' });
  const [round, setRound] = useState(0);
  const validate = useValidatePromotion();

  const price = event?.price ?? '0.00';
  const total = totalOf(price, quantity, promo.discount);
  const eventId = event?.id;
  const heldUntil = pricing.state === 'held' ? pricing.intent.heldUntil : undefined;
  useEffect(() => {
    if (eventId !== undefined) rememberChoice(eventId, { quantity, promo, heldUntil });
  }, [eventId, quantity, promo, heldUntil]);
  const held = pricing.state === 'held' ? pricing.intent.quote.quantity : 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `round` asks again for the same price, after a hold ran out.
  useEffect(() => {
    if (!enabled || eventId === undefined) return;
    const abort = new AbortController();
    setPricing({ state: 'pricing' });
    const timer = setTimeout(async () => {
      try {
        const intent = await createPaymentIntent(
          { eventId, quantity, amount: total, ...(promo.code ? { promoCode: promo.code } : {}) },
          newId(),
          abort.signal,
        );
        if (!abort.signal.aborted) setPricing({ state: 'held', intent });
      } catch (error) {
        if (abort.signal.aborted) return;
        const message = messageOf(error, 'The checkout couldn’t be opened. Nothing was charged.');
        setPricing({
          state: 'failed',
          message,
          code: error instanceof ApiError ? error.body.code : undefined,
        });
        if (hasCode(error, 'PRICE_CHANGED')) {
          queryClient.invalidateQueries({ queryKey: ['event', String(eventId)] });
          if (promo.code) await applyPromo(promo.code);
        }
        if (hasCode(error, 'PROMO_INVALID') || hasCode(error, 'PROMO_USED_UP')) {
          complain('Invalid Promo Code', message);
          setPromo(NO_PROMO);
        }
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [enabled, eventId, quantity, total, promo.code, round]);

  const setPromo = (next: Choice['promo']) => setChoice((choice) => ({ ...choice, promo: next }));

  /** Applies a code, or removes it if the text is blank. The discount depends on the total, so a new quantity asks again. */
  const applyPromo = async (typed: string, count = quantity): Promise<void> => {
    const code = typed.trim();
    if (!code || eventId === undefined) return setPromo(NO_PROMO);
    try {
      const answer = await validate.mutateAsync({
        code,
        eventId,
        totalAmount: toDecimal(subtotalOf(price, count)),
      });
      if (answer.valid)
        return setPromo({ code: answer.promotion?.code ?? code, discount: answer.discountAmount });
      complain('Invalid Promo Code', answer.message || 'This promo code is not valid.');
    } catch (error) {
      // A person who has to sign in first keeps the code for afterwards.
      if (isUnauthorized(error)) return;
      complain('Failed to validate promo code', messageOf(error, 'Please try again.'));
    }
    setPromo(NO_PROMO);
  };

  const changeQuantity = async (count: number): Promise<void> => {
    if (promo.code) await applyPromo(promo.code, count);
    setChoice((choice) => ({ ...choice, quantity: count }));
  };

  return {
    quantity,
    most: event ? mostOf(event.availableTickets, held) : 1,
    promo,
    isCheckingPromo: validate.isPending,
    applyPromo,
    changeQuantity,
    total,
    pricing,
    /** Asks the server again to hold the tickets. */
    holdAgain: () => setRound(round + 1),
  };
};
export type Checkout = ReturnType<typeof useCheckout>;
