import type { BookingCommand } from '#domain/booking/booking.ts';
import type { BookingFacts } from '#domain/booking/events.ts';
import type { ReleaseReason } from '#domain/inventory/events.ts';
import type { InventoryCommand } from '#domain/inventory/inventory.ts';
import { erased } from '#domain/personal.ts';
import { REFUND_POLICY } from '#domain/policy.ts';
import type { PromotionCommand } from '#domain/promotion/promotion.ts';
import type { RefundCommand } from '#domain/refund/refund.ts';
import type { PurchaseView, Step } from './chain.ts';
import { type CheckoutCommand, checkoutId } from './checkout.ts';
import type { ClosingReason, Unfilled } from './events.ts';
import type { Attempt } from './state.ts';

/** A command and the instance that it is for. */
export type Order =
  | { readonly to: 'checkout'; readonly id: string; readonly command: CheckoutCommand }
  | { readonly to: 'inventory'; readonly id: number; readonly command: InventoryCommand }
  | { readonly to: 'promotion'; readonly id: number; readonly command: PromotionCommand }
  | { readonly to: 'booking'; readonly id: number; readonly command: BookingCommand }
  | { readonly to: 'refund'; readonly id: number; readonly command: RefundCommand };

/** The steps that are commands. The others are looks, and calls to the provider. */
export type CommandStep = Exclude<Step, { do: 'look' | 'create-intent' | 'cancel-intent' }>;

/** Tells the steps that are commands from looks and calls to the provider. */
export const isCommand = (step: Step): step is CommandStep =>
  step.do !== 'look' && step.do !== 'create-intent' && step.do !== 'cancel-intent';

const RELEASED_FOR: Readonly<Record<ClosingReason, ReleaseReason>> = {
  expired: 'expired',
  repriced: 'repriced',
  abandoned: 'abandoned',
  erased: 'erased',
  sold_out: 'refused',
  sales_closed: 'refused',
  promotion_refused: 'refused',
  payment_refused: 'refused',
};

/** What a person is told of why the money goes back. */
const REASON: Readonly<Record<Unfilled, string>> = {
  sold_out: 'Paid, but no tickets were left',
  sales_closed: 'Paid, but sales had closed',
};

/** What a step asks of whom. */
export const orderOf = (step: CommandStep, view: PurchaseView, checkout: Attempt): Order => {
  const { attempt, bookingId, userId, listingId, quote, until } = checkout;
  const { quantity } = quote;
  const toCheckout = (command: CheckoutCommand): Order => ({
    to: 'checkout',
    id: checkoutId(userId, listingId),
    command,
  });
  const toInventory = (command: InventoryCommand): Order => ({ to: 'inventory', id: listingId, command });
  const toPromotion = (command: PromotionCommand): Order => ({
    to: 'promotion',
    id: quote.promotion?.promotionId ?? 0,
    command,
  });
  switch (step.do) {
    case 'hold':
      return toInventory({ type: 'HoldTickets', attempt, bookingId, userId, quantity, until });
    case 'sell':
      return toInventory({ type: 'SellTickets', attempt, bookingId, userId, quantity });
    case 'release-hold': {
      const why = checkout.closing ? RELEASED_FOR[checkout.closing] : 'refused';
      return toInventory({ type: 'ReleaseHold', attempt, bookingId, why, at: view.at });
    }
    case 'return-tickets':
      return toInventory({ type: 'ReturnTickets', bookingId, cancellation: 1 });
    case 'reserve-promotion':
      return toPromotion({ type: 'ReserveUse', attempt, at: view.at });
    case 'redeem':
      return toPromotion({ type: 'RedeemUse', attempt, bookingId });
    case 'release-promotion':
      return toPromotion({ type: 'ReleaseUse', attempt });
    case 'attach-intent':
      return toCheckout({
        type: 'AttachIntent',
        attempt,
        intentId: step.intent.id,
        amount: step.intent.amount,
      });
    case 'record-payment': {
      const { id: intentId, amount, currency } = step.intent;
      return toCheckout({ type: 'RecordPayment', attempt, intentId, amount, currency });
    }
    case 'begin-closing':
      return toCheckout({ type: 'BeginClosing', attempt, why: step.why });
    case 'finish-closing':
      return toCheckout({
        type: 'FinishClosing',
        attempt,
        intentId: checkout.intent?.intentId ?? null,
      });
    case 'complete':
      return toCheckout({ type: 'Complete', attempt });
    case 'mark-unfilled':
      return toCheckout({ type: 'MarkUnfilled', attempt, why: step.why });
    case 'place-booking':
      return { to: 'booking', id: bookingId, command: { type: 'PlaceBooking', ...factsOf(checkout) } };
    case 'place-unfilled':
      return {
        to: 'booking',
        id: bookingId,
        command: { type: 'PlaceUnfilled', why: step.why, ...factsOf(checkout) },
      };
    case 'request-refund':
      return { to: 'refund', id: bookingId, command: refundInFull(view, checkout) };
  }
};

const factsOf = (checkout: Attempt): BookingFacts => {
  const { bookingId, reference, userId, listingId, attempt, quote, startsAt, payment } = checkout;
  const intentId = payment?.intentId ?? null;
  return {
    bookingId,
    reference,
    userId,
    listingId,
    attempt,
    quote,
    intentId,
    policy: REFUND_POLICY,
    startsAt,
  };
};

const refundInFull = (view: PurchaseView, checkout: Attempt): RefundCommand => {
  const { bookingId, userId, listingId, payment, outcome } = checkout;
  const intentId = payment?.intentId ?? null;
  const paid = payment?.amount ?? 0;
  const unfilled = outcome && outcome !== 'completed' ? outcome.unfilled : 'sold_out';
  return {
    type: 'RequestRefund',
    bookingId,
    userId,
    listingId,
    intentId,
    amount: paid,
    paid,
    reason: view.erased ? erased : REASON[unfilled],
    processingType: 'auto_approved',
    cancellation: 1,
  };
};
