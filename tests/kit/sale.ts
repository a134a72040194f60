/** A sale in memory for the specs of the processes: a listing's streams, and a payment provider with a mind of its own. */
import { expect } from 'vitest';
import { booking } from '#domain/booking/booking.ts';
import type { CancelledBy } from '#domain/booking/events.ts';
import { cancellationNumber } from '#domain/booking/state.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { Quote } from '#domain/checkout/events.ts';
import { quotePrice } from '#domain/checkout/quote.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { freeTickets, wordOn } from '#domain/inventory/state.ts';
import { type Rejection, reject } from '#domain/kernel/decider.ts';
import { HOLD_FOR, HOLD_GRACE } from '#domain/kernel/policy.ts';
import { areSteps } from '#domain/kernel/process.ts';
import { extrasOf } from '#domain/listing/extras.ts';
import { listing } from '#domain/listing/listing.ts';
import { type CancellationRequest, cancellation } from '#domain/processes/cancellation.ts';
import { deletion } from '#domain/processes/listing-deletion.ts';
import {
  type AttemptIds,
  type Offer,
  type OpeningReply,
  type OpeningView,
  opening,
  type Wanted,
} from '#domain/processes/opening.ts';
import { type PayoutCall, type PayoutReply, type PayoutTask, payout } from '#domain/processes/payout.ts';
import {
  type IntentSeen,
  type ProviderCall,
  type ProviderReply,
  type PurchaseView,
  purchase,
} from '#domain/processes/purchase.ts';
import { reinstatement } from '#domain/processes/reinstatement.ts';
import { checkPromotion } from '#domain/promotion/check.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { hasFailed, isLive, type ProviderRefund, sum } from '#domain/refund/paid-back.ts';
import { refund } from '#domain/refund/refund.ts';
import { Streams, takeUp, type Walker, walk } from './processes.ts';

export const LISTING = 1;
export const PROMOTION = 7;

/** A quote; the discount is what `total` leaves of the price. */
export const quoteOf = (quantity: number, total: number, promoted: boolean): Quote => ({
  unitPrice: 1000,
  quantity,
  discount: 1000 * quantity - total,
  total,
  currency: 'gbp',
  promotion: promoted ? { promotionId: PROMOTION, code: 'SPRING' } : null,
});

export class Sale extends Streams {
  readonly intents = new Map<string, IntentSeen & { readonly attempt: string }>();
  /** When set, the provider makes no more intents. */
  refusesIntents = false;
  /** The provider's refunds of all intents, newest first. */
  refunds: readonly ProviderRefund[] = [];
  /** The state of new refunds. */
  refundsBecome: ProviderRefund['status'] = 'succeeded';
  /** Whether the provider can't be reached to pay back. */
  down = false;
  readonly openedAt = this.now;
  #attempts = 0;

  /** A listing in a month with so many tickets, and a promotion. */
  constructor(capacity: number, usageLimit: number | null = null) {
    super();
    const start = { date: '2026-12-24', time: '20:00', zone: 'UTC' };
    const details = {
      title: 'The Long Night',
      description: '<p>Music until late.</p>',
      category: 'concerts',
      location: '1 High Street',
      cityId: 1,
      venueId: 1,
      price: 1000,
      imageUrl: null,
      tags: [],
      extras: extrasOf(),
    };
    const listed = { listingId: LISTING, details, start, featured: false, at: this.at() };
    this.must(listing, LISTING, { type: 'CreateListing', ...listed });
    this.offer(LISTING, capacity);
    const terms = {
      name: 'Spring',
      description: '',
      discountType: 'percentage',
      discountValue: 10,
      usageLimit,
      validFrom: '2026-01-01T00:00:00.000Z',
      validUntil: '2027-01-01T00:00:00.000Z',
      isActive: true,
    } as const;
    const promoted = { promotionId: PROMOTION, code: 'SPRING', terms };
    this.must(promotion, PROMOTION, { type: 'CreatePromotion', ...promoted });
  }

  /** Tickets of a listing. */
  offer(listingId: number, capacity: number): void {
    this.must(inventory, listingId, { type: 'OpenInventory', listingId, capacity });
  }

  get startsAt(): string {
    return this.state(listing, LISTING).schedule?.startsAt ?? '';
  }

  /** Opens a checkout; undefined where it was refused or another goes on. */
  open(userId: string, quote: Quote, settled?: string): Attempt | undefined {
    const own = this.ids(userId);
    const { attempt } = own;
    const ids = { ...own, userId, listingId: LISTING };
    const until = new Date(this.now + HOLD_FOR).toISOString();
    const times = { startsAt: this.startsAt, until, at: this.at() };
    const before = settled === undefined ? {} : { settled };
    this.do(checkout, checkoutId(userId, LISTING), {
      type: 'OpenCheckout',
      ...ids,
      ...times,
      ...before,
      quote,
    });
    return this.attempts().find((one) => one.attempt === attempt);
  }

  /** What is allocated before a checkout is opened. */
  ids(userId: string): AttemptIds {
    const bookingId = ++this.#attempts;
    return { attempt: `${userId}${bookingId}`, bookingId, reference: `BK${bookingId}` };
  }

  /** Opens a checkout as the request for it does; a repeat of the request has the same ids. */
  opening(
    userId: string,
    wanted: Partial<Wanted>,
    own: AttemptIds,
    { limits, hints = {} }: Partial<Pick<OpeningView, 'limits' | 'hints'>> = {},
  ): Walker {
    const quantity = wanted.quantity ?? 2;
    const whole: Wanted = {
      listingId: LISTING,
      promoCode: null,
      amount: 1000 * quantity,
      ...wanted,
      quantity,
    };
    const until = new Date(this.now + HOLD_FOR).toISOString();
    const times = { at: this.at(), until };
    const view = {
      userId,
      wanted: whole,
      own,
      ...times,
      limits,
      hints,
      tries: 0,
      others: new Map(),
      runs: {},
    };
    return walk(this, opening, view, (asked): OpeningReply => {
      if (asked.call === 'price') return { price: this.#price(whole, asked) };
      if (asked.call !== 'find-intent') return this.#provider(asked);
      const intent = this.intents.get(asked.intentId);
      return { found: intent && { ...intent, clientSecret: `secret of ${intent.id}` } };
    });
  }

  #price(
    { quantity, promoCode, amount }: Wanted,
    { attempt, held }: { readonly attempt: string; readonly held: Quote | undefined },
  ): Offer | Rejection {
    const { startsAt } = this;
    const total = 1000 * quantity;
    const uses = this.state(promotion, PROMOTION);
    const code = promoCode ? checkPromotion(uses, { at: this.at(), total, attempt }) : undefined;
    if (code?.valid === false)
      return held?.promotion &&
        held.quantity === quantity &&
        held.total === amount &&
        code.why === 'PROMO_INVALID'
        ? { quote: held, startsAt }
        : reject(code.why);
    const quote = quotePrice({
      unitPrice: 1000,
      quantity,
      promotion: code ? { ...code, ...code.terms } : null,
    });
    if ('rejected' in quote) return quote;
    return quote.total === amount ? { quote, startsAt } : reject('PRICE_CHANGED', { amount: quote.total });
  }

  /** The attempts of all checkouts. */
  attempts(): Attempt[] {
    return this.streams()
      .filter((stream) => stream.startsWith('checkout-'))
      .flatMap((stream) => [...this.state(checkout, stream.slice('checkout-'.length)).attempts.values()]);
  }

  /** The person pays, if the provider lets them. */
  pay({ attempt }: Attempt, status: 'succeeded' | 'processing' = 'succeeded'): void {
    const intent = this.intents.get(`pi_${attempt}`);
    const attached = this.attempts().some((one) => one.attempt === attempt && one.intent);
    if (attached && intent?.status === 'open') this.intents.set(intent.id, { ...intent, status });
  }

  /** The provider ends what it has under way: the attempt is paid. */
  confirm({ attempt }: Attempt): void {
    const intent = this.intents.get(`pi_${attempt}`);
    if (intent?.status === 'processing') this.intents.set(intent.id, { ...intent, status: 'succeeded' });
  }

  /** Takes an attempt forward, as the request, the webhook and the timer do. */
  purchase({ userId, listingId, attempt }: Attempt, known: Partial<PurchaseView> = {}): Walker {
    const view = { ...known, userId, listingId, attempt, at: this.at() };
    return walk(this, purchase, view, (call) => this.#provider(call));
  }

  /** The buyer asks for the booking, in a process that remembers the attempt as it was before it was paid or closed. */
  claim(attempt: Attempt): Walker {
    const paid = this.#paidIntent(attempt);
    const opened = { payment: null, closing: null, closingAt: null, closed: false, outcome: null };
    return this.purchase(attempt, {
      claimed: true,
      ...(paid ? { checkout: { ...attempt, ...opened }, paid } : {}),
    });
  }

  /** The provider says that an attempt is paid. */
  hear(attempt: Attempt): Walker {
    const paid = this.#paidIntent(attempt);
    return this.purchase(attempt, paid ? { paid } : {});
  }

  #paidIntent({ attempt }: Attempt): IntentSeen | undefined {
    const intent = this.intents.get(`pi_${attempt}`);
    return intent?.status === 'succeeded' ? intent : undefined;
  }

  #provider(asked: ProviderCall): ProviderReply {
    if (asked.call === 'cancel-intent') {
      const intent = this.intents.get(asked.intentId);
      if (intent?.status === 'open') this.intents.set(intent.id, { ...intent, status: 'canceled' });
      return { cancelled: this.intents.get(asked.intentId) };
    }
    const { attempt, quote } = asked.attempt;
    const id = `pi_${attempt}`;
    const before = this.intents.get(id);
    if (before) return { intent: before };
    if (this.refusesIntents) return { intent: 'refused' };
    const intent = { id, attempt, status: 'open', amount: quote.total, currency: 'gbp' } as const;
    this.intents.set(id, intent);
    return { intent, clientSecret: `secret of ${id}` };
  }

  /** A request to cancel a booking, as it is now; undefined where it is refused at once. */
  request(bookingId: number, by: CancelledBy): CancellationRequest | undefined {
    const state = this.state(booking, bookingId);
    const request = {
      by,
      userId: state.facts?.userId ?? '',
      at: this.at(),
      startsAt: this.startsAt,
      cancellation: cancellationNumber(state),
      reason: 'We can not come after all',
    };
    return areSteps(cancellation.next({ bookingId, request, booking: state })) ? request : undefined;
  }

  /** Takes a cancellation forward. */
  cancellation(bookingId: number, request: CancellationRequest): Walker {
    return walk(this, cancellation, { bookingId, request });
  }

  /** Takes a reinstatement forward. `number`: of the cancellation that is to be undone. */
  reinstatement(bookingId: number, number: number): Walker {
    return walk(this, reinstatement, { bookingId, cancellation: number, withdrawal: null });
  }

  /** Takes the deletion of the listing forward. Its cancellations are carried out whole, one after the other. */
  deletion(): Walker {
    return walk(this, deletion, { listingId: LISTING }, ({ bookingIds }) => {
      // Those that have tickets and don't stand are being made, cancelled or reinstated.
      const moving = bookingIds.some((id) => {
        const { status, cancellation: last } = this.state(booking, id);
        return status !== 'confirmed' && last?.by !== 'listing-archived';
      });
      for (const id of bookingIds) {
        const request = this.request(id, 'listing-archived');
        if (request) this.cancellation(id, request).run();
      }
      return { bookings: moving ? 'some-not-yet' : 'cancelled' };
    });
  }

  /** Takes the payout of a refund forward. */
  payout(bookingId: number, todo: PayoutTask): Walker {
    return walk(this, payout, { bookingId, todo, at: this.at() }, (call) => this.#payBack(call));
  }

  /** As `payout`, where a webhook has told of a refund of its payment. */
  follow(bookingId: number): Walker {
    const intentId = this.state(booking, bookingId).facts?.intentId ?? '';
    return this.payout(bookingId, { task: 'follow', intentId, known: this.refundsOf(intentId) });
  }

  refundsOf(intentId: string): readonly ProviderRefund[] {
    return this.refunds.filter((one) => one.intentId === intentId);
  }

  #payBack(asked: PayoutCall): PayoutReply {
    if (this.down) throw new Error('the provider is down');
    if (asked.call === 'find-refunds') return { found: this.refundsOf(asked.intentId) };
    const { intentId, amount, bookingId, attempt } = asked.request;
    const before = this.refunds.find((one) => one.bookingId === bookingId && one.attempt === attempt);
    if (before) return { ok: true, refund: before };
    const given = this.giveBack(intentId, amount, { bookingId, attempt });
    return given ? { ok: true, refund: given } : { ok: false, why: 'more than is left to give back' };
  }

  /** The provider pays back, if so much is left of the payment. Without `whose` a person does it there by hand. */
  giveBack(
    intentId: string,
    amount: number,
    whose?: { readonly bookingId: number; readonly attempt: number },
  ): ProviderRefund | undefined {
    const left = (this.intents.get(intentId)?.amount ?? 0) - sum(this.refundsOf(intentId).filter(isLive));
    if (amount > left) return undefined;
    const status = this.refundsBecome;
    const given: ProviderRefund = {
      ...{ id: `re_${this.refunds.length}`, intentId, status, amount, createdAt: this.now },
      ...{ bookingId: whose?.bookingId, attempt: whose?.attempt, why: undefined },
    };
    this.refunds = [given, ...this.refunds];
    return given;
  }

  /** The provider ends a refund. One that has succeeded may still fail. */
  endRefund(id: string, status: 'succeeded' | 'failed'): void {
    const changes = this.refunds.some((one) => one.id === id && !hasFailed(one) && one.status !== status);
    if (changes) this.refunds = this.refunds.map((one) => (one.id === id ? { ...one, status } : one));
  }

  /** A booking that stands. */
  booked(userId: string, quote: Quote): Attempt {
    const attempt = this.open(userId, quote);
    if (!attempt) throw new Error('it did not open');
    this.purchase(attempt).run();
    this.pay(attempt);
    this.claim(attempt).run();
    expect(this.state(booking, attempt.bookingId).status).toBe('confirmed');
    return attempt;
  }

  /** Everybody's time runs out: what the provider has under way is paid, and every attempt is taken to its end. */
  settle(): void {
    this.now += HOLD_FOR + HOLD_GRACE + 1;
    for (const attempt of this.attempts()) this.confirm(attempt);
    for (let round = 0; round < 20; round++) {
      const before = this.eventCount();
      for (const attempt of this.attempts()) {
        let turn = 0;
        const start = () => (turn++ % 2 === 0 ? this.claim(attempt) : this.hear(attempt));
        expect(takeUp(this, start)).toBe('done');
      }
      if (this.eventCount() === before) return;
    }
    throw new Error('it never settles');
  }

  /** Finished or undone: no hold left, money has a booking with tickets or went back in full, no use of a promotion in between. */
  expectFinishedOrUndone(): void {
    const uses = this.state(promotion, PROMOTION);
    expect([...uses.reserved]).toEqual([]);
    for (const { listingId, attempt, bookingId, quote, payment, closed } of this.attempts()) {
      const tickets = this.state(inventory, listingId);
      expect(tickets.held).toBe(0);
      expect(freeTickets(tickets)).toBeGreaterThanOrEqual(0);
      const paid = this.intents.get(`pi_${attempt}`)?.status === 'succeeded';
      if (paid) expect(payment?.amount).toBe(quote.total);
      const booked = this.state(booking, bookingId);
      const asked = this.state(refund, bookingId);
      const word = wordOn(tickets, attempt, bookingId);
      if (!payment) {
        expect(closed).toBe(true);
        expect(booked.status).toBe('none');
        expect(word).not.toBe('sold');
      } else if (booked.unfilled) {
        expect(word).not.toBe('sold');
        if (payment.amount > 0) expect(asked).toMatchObject({ phase: 'approved', amount: payment.amount });
      } else {
        expect(booked.status).toBe('confirmed');
        expect(word).toBe('sold');
        expect(asked.phase).toBe('none');
      }
      const redeemed = quote.promotion !== null && booked.status === 'confirmed';
      expect(uses.redeemed.has(attempt)).toBe(redeemed);
    }
  }
}
