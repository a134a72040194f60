/**
 * The one way forward of a purchase. The request, the webhook, the reconciler and the timers all call it; it
 * does the next missing step until the attempt rests. Any number may advance the same attempt at once.
 */
import type { ActingLane, Lane } from '#command-api/lane/lane.ts';
import { booking } from '#domain/booking/booking.ts';
import type { BookingState } from '#domain/booking/state.ts';
import {
  type IntentSeen,
  nextStep,
  type PurchaseView,
  patienceEnds,
  type Rest,
  type Step,
} from '#domain/checkout/chain.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { type Answer, learn } from '#domain/checkout/learn.ts';
import { isCommand, type Order, orderOf } from '#domain/checkout/orders.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import type { Rejection } from '#domain/decider.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { listing } from '#domain/listing/listing.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { refund } from '#domain/refund/refund.ts';
import type { Clock } from '#infra/clock.ts';
import {
  GatewayRefused,
  GatewayUnavailable,
  type Intent,
  type PaymentGateway,
} from '#infra/payments/gateway.ts';
import type { Readings } from './readings.ts';

export interface AdvanceDeps {
  readonly lane: Lane;
  readonly gateway: PaymentGateway;
  readonly readings: Readings;
  readonly clock: Clock;
}

/** Where to find an attempt. */
export interface AttemptKey {
  readonly userId: string;
  readonly listingId: number;
  readonly attempt: string;
}

/** How far an attempt came. */
export interface Advanced {
  /** `placed`: the booking exists, and the caller wanted no more. */
  readonly rest: Rest | 'placed';
  readonly view: PurchaseView;
  /** Where an intent was made. */
  readonly clientSecret: string | null;
  /** The booking as it was seen or made; undefined where nobody looked. */
  readonly booking: BookingState | undefined;
  /** When this run made the booking, filled or not: its event's own time. Undefined: it did not. */
  readonly placedAt: string | undefined;
}

/** The provider's intent in the chain's words. */
export const seen = ({ id, status, amount, currency }: Intent): IntentSeen => ({
  id,
  status,
  amount,
  currency,
});

/** More steps than any attempt needs; a chain that does not end is a defect, and says so. */
const MOST_STEPS = 60;

/** One run: what it has learnt besides the view. */
class Run {
  readonly #deps: AdvanceDeps;
  readonly #key: AttemptKey;
  readonly #acting: ActingLane;
  clientSecret: string | null = null;
  booking: BookingState | undefined;
  placedAt: string | undefined;

  constructor(deps: AdvanceDeps, key: AttemptKey, acting: ActingLane) {
    this.#deps = deps;
    this.#key = key;
    this.#acting = acting;
  }

  async do(step: Step, view: PurchaseView): Promise<Answer> {
    if (step.do === 'look') return this.#look(step.at, view);
    const attempt = view.checkout;
    if (!attempt) throw new Error(`nothing is known of attempt ${view.attempt}`);
    if (step.do === 'create-intent') return this.#createIntent(attempt);
    if (step.do === 'cancel-intent') return this.#cancelIntent(step.intentId, view.at, attempt);
    if (!isCommand(step)) throw new Error('a step that is neither look, call nor command');
    if (step.do === 'sell' && attempt.payment?.late && (await this.#hasStarted(view.at))) {
      return { refused: 'SALES_CLOSED' };
    }
    const answer = await this.#order(orderOf(step, view, attempt));
    if (places(step) && this.#wrote) this.placedAt = this.#acting.context.at;
    return answer;
  }

  #wrote = false;

  async #look(at: 'checkout' | 'inventory' | 'booking', view: PurchaseView): Promise<Answer> {
    const { userId, listingId } = this.#key;
    if (at === 'checkout') {
      const { state } = await this.#acting.state(checkout, checkoutId(userId, listingId));
      return { looked: 'checkout', state };
    }
    if (at === 'inventory') {
      const { state } = await this.#acting.state(inventory, listingId);
      return { looked: 'inventory', state };
    }
    const { state } = await this.#acting.state(booking, view.checkout?.bookingId ?? 0);
    this.booking = state;
    return { looked: 'booking', state };
  }

  async #createIntent({ attempt, bookingId, userId, listingId, quote }: Attempt): Promise<Answer> {
    try {
      const purchase = { attempt, bookingId, userId, listingId };
      const intent = await this.#deps.gateway.createIntent({ purchase, amount: quote.total });
      this.clientSecret = intent.clientSecret;
      return { made: seen(intent) };
    } catch (error) {
      if (error instanceof GatewayRefused) return { made: 'refused' };
      throw error;
    }
  }

  async #cancelIntent(intentId: string, at: string, attempt: Attempt): Promise<Answer> {
    try {
      const intent = await this.#deps.gateway.cancelIntent(intentId);
      return { cancelled: intent && seen(intent) };
    } catch (error) {
      const silent = error instanceof GatewayUnavailable || error instanceof GatewayRefused;
      if (!silent || Date.parse(at) < patienceEnds(attempt)) throw error;
      // Tickets wait no longer for a provider that can't be asked; should it be paid, that is late money.
      return { cancelled: { id: intentId, status: 'processing', amount: 0, currency: 'gbp' } };
    }
  }

  /** Late money is a new sale, and the sale closes at the start: nobody wants a ticket for what is over. */
  async #hasStarted(at: string): Promise<boolean> {
    const { schedule } = await this.#deps.readings.read(listing, this.#key.listingId, true);
    return schedule !== null && Date.parse(at) >= Date.parse(schedule.startsAt);
  }

  async #order(order: Order): Promise<Answer> {
    switch (order.to) {
      case 'checkout': {
        const outcome = await this.#acting.ask(checkout, order.id, order.command);
        return outcome.ok ? { ...this.#stands(outcome), checkout: outcome.state } : refusal(outcome);
      }
      case 'inventory': {
        const outcome = await this.#acting.ask(inventory, order.id, order.command);
        return outcome.ok ? this.#stands(outcome) : refusal(outcome);
      }
      case 'promotion': {
        const outcome = await this.#acting.ask(promotion, order.id, order.command);
        return outcome.ok ? this.#stands(outcome) : refusal(outcome);
      }
      case 'booking': {
        const outcome = await this.#acting.ask(booking, order.id, order.command);
        if (!outcome.ok) return refusal(outcome);
        this.booking = outcome.state;
        return this.#stands(outcome);
      }
      case 'refund': {
        const outcome = await this.#acting.ask(refund, order.id, order.command);
        return outcome.ok ? this.#stands(outcome) : refusal(outcome);
      }
    }
  }

  #stands(outcome: { readonly events: readonly unknown[] }): { readonly done: true } {
    this.#wrote = outcome.events.length > 0;
    return { done: true };
  }
}

const places = (step: Step): boolean => step.do === 'place-booking' || step.do === 'place-unfilled';

const refusal = ({ rejection }: { readonly rejection: Rejection }): Answer => ({
  refused: rejection.rejected,
});

/** What a caller already knows, and how far it wants to go. */
export interface AdvanceOptions {
  /** What is known besides the key: the checkout as a command left it, an intent as the provider described it, a wish to close. */
  readonly known?: Omit<Partial<PurchaseView>, 'attempt' | 'at'>;
  /** `placed`: stop as soon as the buyer can be answered; jobs do the rest. Default: go on until it rests. */
  readonly until?: 'placed';
}

/**
 * Advances an attempt until it rests. Repeatable, and safe to break off anywhere.
 * @throws Busy, LogUnavailable, OutcomeUnknown, GatewayUnavailable: call it again
 */
export const advance = async (
  deps: AdvanceDeps,
  key: AttemptKey,
  acting: ActingLane,
  { known = {}, until }: AdvanceOptions = {},
): Promise<Advanced> => {
  const run = new Run(deps, key, acting);
  let view: PurchaseView = { ...known, attempt: key.attempt, at: deps.clock().toISOString() };
  const came = (rest: Advanced['rest']): Advanced => ({
    rest,
    view,
    clientSecret: run.clientSecret,
    booking: run.booking,
    placedAt: run.placedAt,
  });
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (until === 'placed' && view.booking === 'placed') return came('placed');
    const step = nextStep(view);
    if (typeof step === 'string') return came(step);
    view = learn(view, step, await run.do(step, view));
  }
  throw new Error(`attempt ${key.attempt} did not come to rest in ${MOST_STEPS} steps`);
};
