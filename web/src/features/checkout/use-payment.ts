import { type RefObject, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Booking, CreateBookingRequest } from '#domain/contracts/bookings.ts';
import type { Event } from '#domain/contracts/catalogue.ts';
import type { PaymentIntent } from '#domain/contracts/payments.ts';
import { askUntil } from '#web/lib/api/ask-until.ts';
import { isUnauthorized } from '#web/lib/api/client.ts';
import { whoIsSignedIn } from '#web/lib/api/session.ts';
import { failureOf } from '#web/lib/failure.ts';
import { newId } from '#web/lib/new-id.ts';
import { hushToast, toast, toastError } from '#web/lib/toast.ts';
import type { CardFormHandle, CardOutcome } from './card-form.ts';
import { forgetChoice } from './choice.ts';
import { createBooking } from './payments.ts';
import { isNotYet, isUnverified, type Money, type PaymentProblem, problemOf } from './settling.ts';
import type { Checkout } from './use-checkout.ts';

const OFFLINE: PaymentProblem = {
  title: 'No connection',
  message: 'You are offline, so nothing was sent.',
  money: 'untouched',
};
const UNREACHABLE: PaymentProblem = {
  title: 'Payment Failed',
  message: 'The site is not answering, so your card was not sent.',
  money: 'untouched',
};
const SOMEBODY_ELSE: PaymentProblem = {
  title: 'Payment Failed',
  message: 'Another account has signed in here, so your card was not sent.',
  money: 'held-anew',
};

export type Paying = readonly [isPaying: boolean, setPaying: (isPaying: boolean) => void];

/** Fixed when Pay is pressed, whatever the page shows later. */
const orderOf = (eventId: number, { quote }: PaymentIntent): CreateBookingRequest => ({
  eventId,
  quantity: quote.quantity,
  totalAmount: quote.total,
  ...(quote.promoCode ? { promoCode: quote.promoCode, discountAmount: quote.discount } : {}),
});

export const usePayment = (
  { id: eventId }: Event,
  buyer: string | undefined,
  checkout: Checkout,
  card: RefObject<CardFormHandle | null>,
  [isPaying, setPaying]: Paying,
) => {
  const [problem, setProblem] = useState<PaymentProblem>();
  const [waiting, setWaiting] = useState<Money>();
  /** Intent already paid on this page; a retry after a failed booking must not pay again. */
  const paid = useRef<string>(undefined);
  /** By intent, so that a retry gets the same booking. */
  const keys = useRef(new Map<string, string>());
  const left = useRef(false);
  const navigate = useNavigate();
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);

  const keyOf = (intent: string): string => {
    const known = keys.current.get(intent) ?? newId();
    keys.current.set(intent, known);
    return known;
  };

  const failed = (failure: PaymentProblem): void => {
    toastError(failure.title, failure.message);
    setProblem(failure);
    if (failure.money === 'held-anew') checkout.holdAgain();
  };

  const refused = (error: unknown, money: Money): void => {
    // `Protected` handles the 401; after the sign-in the server reports the existing booking.
    if (left.current || isUnauthorized(error)) return;
    if (isUnverified(error)) verifyFirst();
    else failed(problemOf(error, money));
  };

  const verifyFirst = (): void => {
    toast({
      title: 'Email Verification Required',
      description:
        'Please verify your email address before booking tickets. Check your inbox for a verification link.',
      variant: 'destructive',
      duration: 6_000,
      action: { label: 'Verify Email', run: () => navigate('/verify-email') },
    });
  };

  const arrived = (booking: Booking): void => {
    if (left.current) return;
    if (booking.unfilled)
      toastError(
        'Your money is on its way back',
        `${booking.unfilled === 'sold_out' ? 'The last tickets went' : 'Sales closed'} while you paid. You get all of it back.`,
      );
    else
      toast({
        title: 'You’re going!',
        description: `${booking.event.title}: your ticket is here, and on its way to your inbox.`,
      });
    forgetChoice(booking.event.id);
    navigate('/profile', { replace: true, state: { bought: booking.id } });
  };

  const book = async (intent: PaymentIntent, money: Money): Promise<void> => {
    if (money === 'unknown') setWaiting(money);
    const order = orderOf(eventId, intent);
    const key = keyOf(intent.paymentIntentId ?? intent.heldUntil);
    try {
      arrived(
        await askUntil(
          () => createBooking(order, key),
          (error, elapsed) => {
            const again = !left.current && isNotYet(error, money, elapsed);
            if (again) setWaiting(money);
            return !again;
          },
        ),
      );
    } catch (error) {
      refused(error, money);
    }
  };

  /** Undefined if nothing was charged; the reason has then been shown. */
  const charge = async (clientSecret: string): Promise<Money | undefined> => {
    try {
      // Without a session nothing is charged; `Protected` asks for a sign-in.
      const user = await whoIsSignedIn();
      if (!user) return undefined;
      if (user.id !== buyer) {
        failed(SOMEBODY_ELSE);
        return undefined;
      }
    } catch (error) {
      failed(failureOf(error) === 'not-sent' ? OFFLINE : UNREACHABLE);
      return undefined;
    }
    const loading = 'The card form is still loading. Please try again.';
    const outcome: CardOutcome = (await card.current?.pay(clientSecret)) ?? {
      state: 'refused',
      message: loading,
    };
    if (outcome.state === 'not-sent') failed(OFFLINE);
    else if (outcome.state === 'refused')
      failed({ title: 'Payment Failed', message: outcome.message, money: 'untouched' });
    else return outcome.state;
    return undefined;
  };

  const pay = async (): Promise<void> => {
    if (isPaying || checkout.pricing.state !== 'held') return;
    const { intent } = checkout.pricing;
    const { clientSecret, paymentIntentId } = intent;
    setPaying(true);
    setProblem(undefined);
    hushToast();
    try {
      const isPaid = paymentIntentId !== null && paid.current === paymentIntentId;
      const money = clientSecret === null ? 'none' : isPaid ? 'paid' : await charge(clientSecret);
      if (money === 'paid') paid.current = paymentIntentId ?? undefined;
      if (money) await book(intent, money);
    } finally {
      setPaying(false);
      setWaiting(undefined);
    }
  };

  return { pay, problem, waiting };
};
