import { type RefObject, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Booking } from '#domain/contracts/bookings.ts';
import type { Event } from '#domain/contracts/catalogue.ts';
import { isStillSignedIn } from '../../api/auth.ts';
import { hasCode, messageOf } from '../../api/client.ts';
import { ApiError } from '../../api/failure.ts';
import { newId } from '../../api/new-id.ts';
import { createBooking } from '../../api/payments.ts';
import { complain, hushToast, toast } from '../../ui/toast.tsx';
import type { CardFormHandle } from './card-form.ts';
import { forgetChoice } from './choice.ts';
import type { Checkout } from './use-checkout.ts';

/** The first pause between steps and attempts, in milliseconds. */
const PAUSE = 300;
/** How often to ask for the booking after the payment. The server also completes it without being asked. */
const TRIES = 4;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What went wrong, and what happened to the money: charged, not charged, or not charged while the tickets are being held again. */
export interface PaymentProblem {
  readonly title: string;
  readonly message: string;
  readonly money: 'charged' | 'untouched' | 'held-anew';
}

/** Pays the intent, books the tickets, and then goes to the profile. */
export const usePayment = (
  event: Event | undefined,
  checkout: Checkout,
  card: RefObject<CardFormHandle | null>,
) => {
  const [isPaying, setPaying] = useState(false);
  const [problem, setProblem] = useState<PaymentProblem>();
  /** The intent that this page has paid. If the booking fails after that, the next attempt does not pay again. */
  const paid = useRef<string>(undefined);
  /** The idempotency keys by intent: a repeat after a lost answer gets the same booking. */
  const keys = useRef(new Map<string, string>());
  const navigate = useNavigate();

  const keyOf = (intent: string): string => {
    const known = keys.current.get(intent) ?? newId();
    keys.current.set(intent, known);
    return known;
  };

  const book = async (eventId: number, key: string) => {
    const { quote } = checkout.pricing.state === 'held' ? checkout.pricing.intent : { quote: undefined };
    const body = {
      eventId,
      quantity: checkout.quantity,
      totalAmount: quote?.total ?? checkout.total,
      ...(checkout.promo.code
        ? { promoCode: checkout.promo.code, discountAmount: checkout.promo.discount }
        : {}),
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await createBooking(body, key);
      } catch (error) {
        const temporary = !(error instanceof ApiError) || error.status >= 500;
        if (!temporary || attempt === TRIES) throw error;
        await pause(PAUSE * 2 ** attempt);
      }
    }
  };

  const refused = (error: unknown, charged: boolean) => {
    if (
      hasCode(error, 'EMAIL_UNVERIFIED') ||
      (error instanceof ApiError && error.body.requiresEmailVerification)
    ) {
      toast({
        title: 'Email Verification Required',
        description:
          'Please verify your email address before booking tickets. Check your inbox for a verification link.',
        variant: 'destructive',
        duration: 6_000,
        action: { label: 'Verify Email', run: () => navigate('/verify-email') },
      });
      return;
    }
    const message = messageOf(error, 'The booking could not be made.');
    complain('Booking Failed', message);
    setProblem({ title: 'Booking Failed', message, money: charged ? 'charged' : 'untouched' });
  };

  const arrived = (booking: Booking) => {
    if (booking.unfilled)
      complain(
        'Your money is on its way back',
        'The last tickets went while you paid. You get all of it back.',
      );
    else
      toast({
        title: 'You’re going!',
        description: `${booking.event.title}: your ticket is here, and on its way to your inbox.`,
      });
    forgetChoice(booking.event.id);
    navigate('/profile', { replace: true });
  };

  /** The intent was paid or replaced in another tab: shows the booking if there is one, otherwise holds the tickets again. */
  const outdated = async (eventId: number) => {
    try {
      arrived(await book(eventId, newId()));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      const message = 'You opened this checkout again in another tab, or its time ran out.';
      complain('Payment Failed', message);
      setProblem({ title: 'Payment Failed', message, money: 'held-anew' });
      checkout.holdAgain();
    }
  };

  const pay = async () => {
    if (!event || isPaying || checkout.pricing.state !== 'held') return;
    const { clientSecret, paymentIntentId } = checkout.pricing.intent;
    setPaying(true);
    setProblem(undefined);
    hushToast();
    try {
      if (clientSecret && paid.current !== paymentIntentId) {
        // If the session has ended nothing is charged: `Protected` asks the person to sign in.
        if (!(await isStillSignedIn())) return;
        const outcome = await card.current?.pay(clientSecret);
        if (outcome && !outcome.paid && outcome.outdated) return await outdated(event.id);
        if (!outcome?.paid) {
          const message = outcome?.message ?? 'The card form is still loading. Please try again.';
          complain('Payment Failed', message);
          setProblem({ title: 'Payment Failed', message, money: 'untouched' });
          return;
        }
        paid.current = paymentIntentId ?? undefined;
        await pause(PAUSE);
      }
      arrived(await book(event.id, keyOf(paymentIntentId ?? checkout.pricing.intent.heldUntil)));
    } catch (error) {
      refused(error, paid.current !== undefined);
    } finally {
      setPaying(false);
    }
  };

  return { pay, isPaying, problem };
};
