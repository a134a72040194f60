import { useEffect, useRef, useState } from 'react';
import type { Event } from '#domain/contracts/catalogue.ts';
import type { PaymentIntent } from '#domain/contracts/payments.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { hasCode, isUnauthorized } from '#web/lib/api/client.ts';
import { eventKey } from '#web/lib/api/event.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { ApiError } from '#web/lib/failure.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { newId } from '#web/lib/new-id.ts';
import { toastError } from '#web/lib/toast.ts';
import { type Choice, choiceOf, NO_PROMO, NOTHING_CHOSEN, rememberChoice } from './choice.ts';
import { createPaymentIntent, useValidatePromotion } from './payments.ts';
import { mostOf, subtotalOf, totalOf } from './price.ts';

/** Debounce in milliseconds, so that quick changes open a single intent. */
const PAUSE = 300;

export type Pricing =
  | { readonly state: 'pricing' }
  | { readonly state: 'held'; readonly intent: PaymentIntent }
  | {
      readonly state: 'failed';
      readonly message: string;
      readonly code: string | undefined;
      readonly bookingId: number | undefined;
      readonly available: number | undefined;
    };

/** Each change of event, quantity, discount or code opens an intent, which holds the tickets. */
export const useCheckout = (
  { id: eventId, price, availableTickets }: Event,
  userId: string,
  enabled: boolean,
) => {
  const [{ quantity, promo, lastBookingId }, setChoice] = useState(() => choiceOf(eventId, userId));
  const [pricing, setPricing] = useState<Pricing>({ state: 'pricing' });
  const [round, setRound] = useState(0);
  const validate = useValidatePromotion();

  const total = totalOf(price, quantity, promo.discount);
  /** Unit price and discount the user has seen; a higher total requires their consent. */
  const [agreed, setAgreed] = useState({ price, discount: promo.discount });
  if (Number(price) < Number(agreed.price)) setAgreed({ ...agreed, price });
  const agreeTo = (discount: string) => setAgreed((before) => ({ ...before, discount }));
  const expected = totalOf(agreed.price, quantity, agreed.discount);
  const heldUntil = pricing.state === 'held' ? pricing.intent.heldUntil : undefined;
  useEffect(() => {
    rememberChoice(eventId, { userId, quantity, promo, heldUntil, lastBookingId });
  }, [eventId, userId, quantity, promo, heldUntil, lastBookingId]);
  /** Set only after the event's availability is refetched: the older count still includes these tickets. */
  const [held, setHeld] = useState(0);
  /** Wait for the previous request: the server completes abandoned ones, and a late one would release the newer choice's hold. */
  const before = useRef<Promise<unknown>>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `round` asks again for the same price, after a hold ran out.
  useEffect(() => {
    if (!enabled) return;
    let isPast = false;
    setPricing({ state: 'pricing' });
    setHeld(0);
    const timer = setTimeout(async () => {
      await before.current;
      if (isPast) return;
      const promoCode = promo.code ? { promoCode: promo.code } : {};
      const asked = createPaymentIntent(
        { eventId, quantity, amount: total, lastBookingId, ...promoCode },
        newId(),
      );
      before.current = asked.catch(() => undefined);
      try {
        const intent = await asked;
        if (isPast) return;
        setPricing({ state: 'held', intent });
        await queryClient.refetchQueries({ queryKey: eventKey(eventId) });
        if (!isPast) setHeld(intent.quote.quantity);
      } catch (error) {
        if (isPast) return;
        const message = sayFailure(error, 'The site is not answering, so we can’t hold your tickets.');
        const { code, bookingId, available } = error instanceof ApiError ? error.body : {};
        setPricing({ state: 'failed', message, code, bookingId, available });
        if (hasCode(error, 'PRICE_CHANGED')) {
          queryClient.invalidateQueries({ queryKey: eventKey(eventId) });
          if (promo.code) await checkPromo(promo.code, quantity);
        }
        if (hasCode(error, 'PROMO_INVALID') || hasCode(error, 'PROMO_USED_UP')) {
          toastError('Invalid Promo Code', message);
          setPromo(NO_PROMO);
        }
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      isPast = true;
    };
  }, [enabled, eventId, quantity, total, promo.code, lastBookingId, round]);

  const setPromo = (next: Choice['promo']) => setChoice((choice) => ({ ...choice, promo: next }));

  /**
   * Removes an invalid code. The discount depends on the total, so a new quantity validates again.
   * Undefined, without changes, if validation failed.
   */
  const checkPromo = async (code: string, count: number): Promise<Choice['promo'] | undefined> => {
    try {
      const totalAmount = toDecimal(subtotalOf(price, count));
      const answer = await validate.mutateAsync({ code, eventId, totalAmount });
      if (answer.valid) {
        const found = { code: answer.promotion?.code ?? code, discount: answer.discountAmount };
        setPromo(found);
        return found;
      }
      toastError('Invalid Promo Code', answer.message || 'This promo code is not valid.');
    } catch (error) {
      if (!isUnauthorized(error))
        toastError('Failed to validate promo code', sayFailure(error, 'No answer came. Please try again.'));
      return undefined;
    }
    setPromo(NO_PROMO);
    return NO_PROMO;
  };

  const applyPromo = async (typed: string): Promise<void> => {
    const code = typed.trim();
    if (!code) setPromo(NO_PROMO);
    const found = code ? await checkPromo(code, quantity) : NO_PROMO;
    if (found) agreeTo(found.discount);
  };

  const changeQuantity = async (count: number): Promise<void> => {
    const found = promo.code ? await checkPromo(promo.code, count) : NO_PROMO;
    if (!found) return;
    setChoice((choice) => ({ ...choice, quantity: count }));
    // If the code became invalid, the user must accept the higher total.
    const { discount } = promo.code && !found.code ? promo : found;
    agreeTo(discount);
  };

  // Ignore a price for an earlier choice, even before the new request has started.
  const isOfChoice =
    pricing.state !== 'held' ||
    (pricing.intent.quote.quantity === quantity && pricing.intent.amount === total);

  return {
    quantity,
    most: mostOf(availableTickets, held),
    promo,
    isCheckingPromo: validate.isPending,
    applyPromo,
    changeQuantity,
    total,
    risenFrom: Number(total) > Number(expected) ? expected : undefined,
    agree: () => setAgreed({ price, discount: promo.discount }),
    pricing: isOfChoice ? pricing : { state: 'pricing' as const },
    holdAgain: () => setRound(round + 1),
    buyMore: (known: number) => {
      setChoice({ userId, ...NOTHING_CHOSEN, lastBookingId: known });
      setAgreed({ price, discount: NO_PROMO.discount });
    },
  };
};
export type Checkout = ReturnType<typeof useCheckout>;
