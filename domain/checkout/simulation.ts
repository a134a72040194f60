/**
 * A small world for the specs of the chains: the streams as lists of events, a payment provider with a mind of its own, and
 * walkers that take one chain each and may be stopped before or after any step. No concurrency but that of their order:
 * whoever runs the walkers decides who goes next, so that a walker acts on what it learnt long ago.
 */
import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import {
  type CancellationWish,
  cancellationOrder,
  learnOfCancellation,
  nextCancellationStep,
} from '#domain/booking/chain.ts';
import {
  learnOfReinstatement,
  nextReinstatementStep,
  reinstatementOrder,
} from '#domain/booking/reinstatement.ts';
import { type Aggregate, type DomainEvent, fold, isRejection, streamOf } from '#domain/decider.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { refund } from '#domain/refund/refund.ts';
import { type IntentSeen, nextStep, type PurchaseView, type Step } from './chain.ts';
import { checkout } from './checkout.ts';
import { type Answer, learn } from './learn.ts';
import { isCommand, orderOf } from './orders.ts';
import type { Attempt } from './state.ts';

export const LISTING = 1;
export const PROMOTION = 7;
export const OPENED_AT = Date.parse('2026-11-21T12:00:00.000Z');
export const STARTS_AT = '2026-12-24T20:00:00.000Z';

/** One chain on its way. `step` does a third of one step: choosing, acting, learning. */
export interface Walker {
  readonly name: string;
  /** Undefined while it goes on. */
  rest: unknown;
  step(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: any aggregate will do, what it holds is its own business
type AnyAggregate = Aggregate<any, any, any>;
const AGGREGATES: Readonly<Record<string, AnyAggregate>> = {
  checkout,
  inventory,
  promotion,
  booking,
  refund,
  admission,
};

interface AnyOrder {
  readonly to: string;
  readonly id: string | number;
  readonly command: unknown;
}

export class World {
  readonly streams = new Map<string, DomainEvent[]>();
  readonly intents = new Map<string, IntentSeen & { readonly attempt: string }>();
  /** When set, the provider makes no more intents. */
  refusesIntents = false;
  now = OPENED_AT;

  at(): string {
    return new Date(this.now).toISOString();
  }

  state<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
  ): State {
    return fold(aggregate, (this.streams.get(streamOf(aggregate, id)) ?? []) as unknown as Event[]);
  }

  execute({
    to,
    id,
    command,
  }: AnyOrder): { events: DomainEvent[] } | { refused: ErrorCode; details: object } {
    const aggregate = AGGREGATES[to];
    if (!aggregate) throw new Error(`no aggregate ${to}`);
    const decision = aggregate.decide(this.state(aggregate, id), command);
    if (isRejection(decision)) return { refused: decision.rejected, details: decision.details ?? {} };
    const stream = streamOf(aggregate, id);
    this.streams.set(stream, [...(this.streams.get(stream) ?? []), ...decision]);
    return { events: [...decision] };
  }

  /** The attempts of all checkouts. */
  attempts(): Attempt[] {
    return [...this.streams.keys()]
      .filter((stream) => stream.startsWith('checkout-'))
      .flatMap((stream) => [...this.state(checkout, stream.slice('checkout-'.length)).attempts.values()]);
  }

  eventCount(): number {
    return [...this.streams.values()].reduce((sum, events) => sum + events.length, 0);
  }

  /** The person pays, if the provider lets them. */
  pay(attempt: Attempt, status: 'succeeded' | 'processing'): void {
    const intent = attempt.intent && this.intents.get(attempt.intent.intentId);
    if (intent?.status === 'open') this.intents.set(intent.id, { ...intent, status });
  }

  /** What the webhook does first. Whether it was news. */
  recordPayment(attempt: Attempt): boolean {
    const free = attempt.quote.total === 0;
    const intent = [...this.intents.values()].find((one) => one.attempt === attempt.attempt);
    if (!free && intent?.status !== 'succeeded') return false;
    const outcome = this.execute({
      to: 'checkout',
      id: `${attempt.userId}-${attempt.listingId}`,
      command: {
        type: 'RecordPayment',
        attempt: attempt.attempt,
        intentId: free ? null : intent?.id,
        amount: attempt.quote.total,
        currency: 'gbp',
      },
    });
    return 'events' in outcome && outcome.events.length > 0;
  }

  /** Takes an attempt forward, as the request, the webhook and the timer do. */
  purchase(attempt: Attempt, known: Partial<PurchaseView> = {}): Walker {
    const id = `${attempt.userId}-${attempt.listingId}`;
    const first: PurchaseView = { ...known, attempt: attempt.attempt, at: this.at() };
    return walker(`purchase ${attempt.attempt}`, first, nextStep, learn, (step, view) =>
      this.#act(id, step, view),
    );
  }

  #act(id: string, step: Step, view: PurchaseView): Answer {
    if (step.do === 'look') {
      if (step.at === 'checkout') return { looked: 'checkout', state: this.state(checkout, id) };
      if (step.at === 'inventory') return { looked: 'inventory', state: this.state(inventory, LISTING) };
      return { looked: 'booking', state: this.state(booking, view.checkout?.bookingId ?? 0) };
    }
    const attempt = view.checkout;
    if (!attempt) throw new Error(`${step.do} without a checkout`);
    if (step.do === 'create-intent') return { made: this.#createIntent(attempt) };
    if (step.do === 'cancel-intent') return { cancelled: this.#cancelIntent(step.intentId) };
    if (!isCommand(step)) throw new Error('neither look, call nor command');
    const order = orderOf(step, view, attempt);
    const outcome = this.execute(order);
    if ('refused' in outcome) return { refused: outcome.refused };
    return order.to === 'checkout'
      ? { done: true, checkout: this.state(checkout, order.id) }
      : { done: true };
  }

  #createIntent({ attempt, quote }: Attempt): IntentSeen | 'refused' {
    const id = `pi_${attempt}`;
    const before = this.intents.get(id);
    if (before) return before;
    if (this.refusesIntents) return 'refused';
    const intent = { id, attempt, status: 'open', amount: quote.total, currency: 'gbp' } as const;
    this.intents.set(id, intent);
    return intent;
  }

  #cancelIntent(id: string): IntentSeen | undefined {
    const intent = this.intents.get(id);
    if (intent?.status === 'open') this.intents.set(id, { ...intent, status: 'canceled' });
    return this.intents.get(id);
  }

  /** Takes a cancellation forward. */
  cancellation(bookingId: number, wish: CancellationWish): Walker {
    return walker(
      `cancel ${bookingId}`,
      { wish },
      nextCancellationStep,
      learnOfCancellation,
      (step, view) => {
        if (step.do === 'look-at-booking') return this.#seenBooking(bookingId);
        const state = view.booking;
        if (!state?.facts) throw new Error(`${step.do} without a booking`);
        return this.#commanded(cancellationOrder(step, view, state.facts, state.cancellation), bookingId);
      },
    );
  }

  /** Takes a reinstatement forward. */
  reinstatement(bookingId: number, cancellation: number): Walker {
    return walker(
      `reinstate ${bookingId}`,
      { cancellation },
      nextReinstatementStep,
      learnOfReinstatement,
      (step, view) => {
        if (step.do === 'look-at-booking') return this.#seenBooking(bookingId);
        if (step.do === 'look-at-inventory') {
          return { done: true, inventory: this.state(inventory, LISTING) } as const;
        }
        const facts = view.booking?.facts;
        if (!facts) throw new Error(`${step.do} without a booking`);
        return this.#commanded(reinstatementOrder(step, view, facts), bookingId);
      },
    );
  }

  #seenBooking(bookingId: number) {
    return { done: true, booking: this.state(booking, bookingId) } as const;
  }

  #commanded(order: AnyOrder, bookingId: number) {
    const outcome = this.execute(order);
    if ('refused' in outcome) return { refused: outcome.refused };
    return order.to === 'booking' ? this.#seenBooking(bookingId) : ({ done: true } as const);
  }
}

const walker = <View, Next extends { do: string }, Rest, Reply>(
  name: string,
  first: View,
  next: (view: View) => Next | Rest,
  learnt: (view: View, step: Next, answer: Reply) => View,
  act: (step: Next, view: View) => Reply,
): Walker => {
  let view = first;
  let chosen: Next | undefined;
  let answer: Reply | undefined;
  const isStep = (one: Next | Rest): one is Next => typeof one === 'object' && one !== null && 'do' in one;
  return {
    name,
    rest: undefined,
    step() {
      if (this.rest !== undefined) return;
      if (chosen === undefined) {
        const one = next(view);
        if (isStep(one)) chosen = one;
        else this.rest = one;
      } else if (answer === undefined) {
        answer = act(chosen, view);
      } else {
        view = learnt(view, chosen, answer);
        chosen = undefined;
        answer = undefined;
      }
    },
  };
};
