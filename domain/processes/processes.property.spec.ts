import fc from 'fast-check';
import { expect, it } from 'vitest';
import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import type { CancelledBy } from '#domain/booking/events.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { bookingsOut, freeTickets, wordOn } from '#domain/inventory/state.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { sum } from '#domain/refund/paid-back.ts';
import { refund } from '#domain/refund/refund.ts';
import type { Walker } from '#tests/kit/processes.ts';
import { LISTING, PROMOTION, quoteOf, Sale } from '#tests/kit/sale.ts';
import { isWhole, sweep } from '#tests/kit/sweep.ts';

/** A deletion cancels once it has closed the sales for good, and nothing reinstates what it has cancelled. */
const cancellers = (world: Sale): readonly CancelledBy[] =>
  world.state(inventory, LISTING).closed === 'archived'
    ? ['customer', 'admin', 'listing-archived']
    : ['customer', 'admin'];

/**
 * Anything may happen, in any order: people open, pay, ask for their booking and cancel, webhooks come twice, timers fire, superusers reinstate,
 * refunds are paid, doors scan, listings are deleted; any number of walkers go on at once and stop for ever before or after any step. Then
 * what is durable (attempts, pending requests) is taken up again, and everything must be finished or undone.
 */
class Turmoil {
  readonly world: Sale;
  walkers: Walker[] = [];
  /** Wishes are recorded before their first step, and taken up again until one of their walkers has fulfilled them. */
  readonly pendingRequests = new Map<() => Walker, readonly Walker[]>();

  constructor(capacity: number, usageLimit: number | null) {
    this.world = new Sale(capacity, usageLimit);
  }

  #attempt(n: number): Attempt | undefined {
    const attempts = this.world.attempts();
    return attempts[n % Math.max(1, attempts.length)];
  }

  do(what: string, n: number, m: number): void {
    const { world } = this;
    if (what === 'open') this.#open(n, m);
    if (what === 'time') world.now += (n % 10) * 60_000;
    if (what === 'stop') {
      this.walkers = this.walkers.filter((one, index) => one.rest === undefined && index !== n % 8);
    }
    world.turn = m;
    const walker = this.walkers[n % Math.max(1, this.walkers.length)];
    if (what === 'step') walker?.step();
    if (what === 'run') walker?.run(m);
    expect(walker?.rest).not.toBe('stuck');
    expect(walker?.rest).not.toEqual({ person: expect.anything() });
    for (const [start, own] of this.pendingRequests) {
      if (own.some(({ rest }) => rest === 'done')) this.pendingRequests.delete(start);
    }
    const fit = world.attempts().filter((one) => this.#fits(one, what));
    const attempt = fit[n % Math.max(1, fit.length)];
    if (attempt) this.#to(attempt, what, m);
  }

  /** Picks those to whom it can happen, or most of what happens would be nothing. */
  #fits({ bookingId, intent, payment }: Attempt, what: string): boolean {
    const { status } = this.world.state(booking, bookingId);
    if (what === 'pay') return intent !== null && payment === null;
    if (what === 'cancel' || what === 'scan') return status === 'confirmed';
    if (what === 'reinstate') return status === 'cancelled';
    const { phase } = this.world.state(refund, bookingId);
    if (what === 'approve' || what === 'review') return phase === 'requested' || phase === 'denied';
    if (what === 'pay back') return ['approved', 'submitted', 'succeeded'].includes(phase);
    return true;
  }

  #to(attempt: Attempt, what: string, m: number): void {
    const { world } = this;
    if (what === 'pay') world.pay(attempt, m % 3 === 0 ? 'processing' : 'succeeded');
    if (what === 'claim') this.walkers.push(world.claim(attempt));
    if (what === 'hear') this.walkers.push(world.hear(attempt));
    if (what === 'advance') this.walkers.push(world.purchase(attempt));
    if (what === 'abandon') this.walkers.push(world.purchase(attempt, { close: 'abandoned' }));
    if (what === 'cancel') {
      const by = cancellers(world);
      const request = world.request(attempt.bookingId, by[m % by.length] ?? 'admin');
      if (request) this.#go(() => world.cancellation(attempt.bookingId, request));
    }
    if (what === 'reinstate') {
      const { cancellations } = world.state(booking, attempt.bookingId);
      this.#go(() => world.reinstatement(attempt.bookingId, cancellations));
    }
    if (what === 'scan') this.#scan(attempt);
    if (what === 'approve') world.do(refund, attempt.bookingId, { type: 'Approve', notes: '' });
    if (what === 'review') world.do(refund, attempt.bookingId, { type: 'Reset' });
    if (what === 'pay back') this.walkers.push(world.payout(attempt.bookingId, { task: 'pay' }));
    if (what === 'delete' && m % 4 === 0) this.#go(() => world.deletion());
  }

  #open(n: number, m: number): void {
    const { world } = this;
    const userId = ['ann', 'bob', 'cy'][n % 3] ?? 'ann';
    const quantity = (m % 2) + 1;
    const promoted = m % 3 > 0;
    const total = m % 4 === 0 ? 0 : 1000 * quantity - (promoted ? 100 : 0);
    const attempt = world.open(userId, quoteOf(quantity, total, promoted));
    if (attempt) {
      this.walkers.push(world.purchase(attempt));
      return;
    }
    const before = world.attempts().findLast((one) => one.userId === userId);
    if (!before) return;
    const { facts, unfilled } = world.state(booking, before.bookingId);
    const settled = before.payment && facts && !unfilled;
    const again = settled
      ? world.open(userId, quoteOf(quantity, total, promoted), before.attempt)
      : undefined;
    this.walkers.push(again ? world.purchase(again) : world.purchase(before, { close: 'repriced' }));
  }

  /** By two at once. */
  #go(start: () => Walker): void {
    const both = [start(), start()];
    this.pendingRequests.set(start, both);
    this.walkers.push(...both);
  }

  #scan({ bookingId, userId, quote }: Attempt): void {
    const ids = { bookingId, userId, listingId: LISTING };
    const scan = { page: 1, quantity: quote.quantity, gate: null, by: { id: 'sam' }, at: this.world.at() };
    this.world.do(admission, bookingId, { type: 'Admit', ...ids, ...scan });
  }

  /** Everything that was stopped is taken up again, until nothing moves. */
  end(): void {
    for (let round = 0; round < 20; round++) {
      const before = this.world.eventCount();
      this.world.settle();
      for (const { bookingId } of this.world.attempts())
        expect(this.world.payout(bookingId, { task: 'pay' }).run()).toBe('done');
      for (const start of this.pendingRequests.keys()) {
        const walker = start();
        expect(walker.run()).toBeDefined();
        expect(walker.rest).not.toBe('stuck');
        // What was refused was answered, and what is fulfilled is over: neither is asked again.
        if (walker.rest !== 'try-later') this.pendingRequests.delete(start);
      }
      if (this.world.eventCount() === before) return;
    }
    throw new Error('it never ends');
  }
}

/** What must hold in the end, booking by booking. */
const holdsInTheEnd = (world: Sale): void => {
  const tickets = world.state(inventory, LISTING);
  const { reserved, redeemed, terms } = world.state(promotion, PROMOTION);
  expect(tickets.held).toBe(0);
  expect([...reserved]).toEqual([]);
  // Only late money may use a code beyond its limit.
  const late = world.attempts().filter(({ attempt, payment }) => payment?.late && redeemed.has(attempt));
  expect(redeemed.size - late.length).toBeLessThanOrEqual(terms?.usageLimit ?? Number.POSITIVE_INFINITY);
  for (const attempt of world.attempts()) {
    const { bookingId, quote, payment, closed } = attempt;
    const booked = world.state(booking, bookingId);
    const back = world.state(refund, bookingId);
    const door = world.state(admission, bookingId);
    const out = wordOn(tickets, attempt.attempt, bookingId) === 'sold';
    const succeeded = world.intents.get(`pi_${attempt.attempt}`)?.status === 'succeeded';
    // What the provider took is known, and what is not paid is over.
    expect(payment !== null || !succeeded).toBe(true);
    if (!payment) expect(closed).toBe(true);
    expect(payment !== null).toBe(booked.facts !== null);
    // Tickets are out for what is confirmed, and for nothing else.
    expect(out).toBe(booked.status === 'confirmed');
    // Money is kept for what is confirmed; for the rest it is asked back, once, and never more than was paid.
    if (booked.status === 'confirmed') expect(['none', 'denied']).toContain(back.phase);
    else if (payment && payment.amount > 0) expect(back.phase).not.toBe('none');
    const given = sum(world.refundsOf(`pi_${attempt.attempt}`));
    expect(given).toBe(back.refunded);
    expect(given).toBeLessThanOrEqual(payment?.amount ?? 0);
    if (back.phase === 'succeeded') expect(booked.status).toBe('refunded');
    // The door agrees: who is in has a booking that stands, and a cancelled one lets nobody in.
    if (door.entries.length > 0) expect(booked.status).toBe('confirmed');
    // Of a deleted listing only those bookings stand with which somebody is in.
    if (tickets.closed === 'archived' && booked.status === 'confirmed') expect(door.entries).not.toEqual([]);
    if (booked.status === 'confirmed') expect(door.voided).toBeNull();
    else if (booked.facts && !booked.unfilled) expect(door.voided).toBe('cancelled');
    // A use of the promotion is redeemed for every booking that was ever made with it, unless its event was called off.
    const calledOff = booked.cancellation?.by === 'listing-archived';
    expect(redeemed.has(attempt.attempt)).toBe(
      quote.promotion !== null && booked.facts !== null && !booked.unfilled && !calledOff,
    );
  }
  expect(bookingsOut(tickets).length).toBe(
    world.attempts().filter((one) => world.state(booking, one.bookingId).status === 'confirmed').length,
  );
};

const what = fc.oneof(
  { weight: 12, arbitrary: fc.constant('step') },
  { weight: 8, arbitrary: fc.constant('run') },
  { weight: 4, arbitrary: fc.constantFrom('open', 'pay', 'claim', 'hear') },
  { weight: 4, arbitrary: fc.constantFrom('advance', 'stop', 'time', 'cancel', 'cancel', 'reinstate') },
  { weight: 2, arbitrary: fc.constantFrom('pay back', 'approve', 'review') },
  { weight: 1, arbitrary: fc.constantFrom('abandon', 'scan', 'delete') },
);
const happenings = fc.array(fc.tuple(what, fc.nat(999), fc.nat(99)), {
  minLength: 30,
  maxLength: 200,
  size: 'max',
});

it('every process that is stopped anywhere and in any order ends finished or undone', () => {
  const seen = { confirmed: 0, cancelled: 0, refunded: 0, unfilled: 0, late: 0, closed: 0 };
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(null, 1, 2),
      happenings,
      (capacity, limit, all) => {
        const turmoil = new Turmoil(capacity, limit);
        const { world } = turmoil;
        for (const [name, n, m] of all) {
          turmoil.do(name, n, m);
          expect(freeTickets(world.state(inventory, LISTING))).toBeGreaterThanOrEqual(0);
        }
        turmoil.walkers = [];
        turmoil.end();
        holdsInTheEnd(world);
        for (const { bookingId, payment, closed } of world.attempts()) {
          const { status, unfilled } = world.state(booking, bookingId);
          if (status !== 'none') seen[unfilled ? 'unfilled' : status] += 1;
          if (payment?.late) seen.late += 1;
          if (closed) seen.closed += 1;
        }
      },
    ),
    { numRuns: sweep(80, 500) },
  );
  // The whole property would say nothing of what never came about; a few runs may not get that far.
  if (!isWhole) return;
  for (const [name, times] of Object.entries(seen)) expect([name, times > 5]).toEqual([name, true]);
});
