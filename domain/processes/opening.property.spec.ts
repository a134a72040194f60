import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { Attempt } from '#domain/checkout/state.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { freeTickets } from '#domain/inventory/state.ts';
import type { Walker } from '#tests/kit/processes.ts';
import { LISTING, Sale } from '#tests/kit/sale.ts';
import { isWhole, sweep } from '#tests/kit/sweep.ts';
import type { OpeningHints, OpeningRest, Wanted } from './opening.ts';

const OTHER = LISTING + 1;
const BUYERS = ['ann', 'bob'];
const LIMITS = { live: 1, unpaid: { most: 3, pause: 5 * 60_000 } };

/**
 * Buyers ask for tickets of two events, again and otherwise, pay, claim and leave, with openings and purchases
 * that begin, go on and stop for ever, in any order and in any order of a group.
 */
class Turmoil {
  readonly world: Sale;
  readonly isLimited: boolean;
  walkers: Walker[] = [];
  /** Each request, to be repeated. */
  requests: (() => Walker)[] = [];
  readonly #openings = new Map<string, Walker>();

  constructor(capacity: number, usageLimit: number | null, isLimited: boolean) {
    this.world = new Sale(capacity, usageLimit);
    this.world.offer(OTHER, capacity);
    this.isLimited = isLimited;
  }

  #attempt(n: number): Attempt | undefined {
    const attempts = this.world.attempts();
    return attempts[n % Math.max(1, attempts.length)];
  }

  do(what: string, n: number, m: number): void {
    const { world, walkers, requests } = this;
    world.turn = m;
    if (what === 'ask') this.#decide(n, m);
    const again = requests[n % Math.max(1, requests.length)];
    if (what === 'again' && again) this.walkers.push(again());
    const walker = walkers[n % Math.max(1, walkers.length)];
    if (what === 'step') walker?.step();
    if (what === 'run') walker?.run(m);
    if (what === 'stop') this.walkers = walkers.filter((one) => one.rest === undefined && one !== walker);
    if (what === 'time') this.#pass(n);
    const attempt = this.#attempt(n);
    if (attempt) this.#to(attempt, what, m);
  }

  #to(attempt: Attempt, what: string, m: number): void {
    const { world, walkers } = this;
    if (what === 'pay') world.pay(attempt, m % 3 === 0 ? 'processing' : 'succeeded');
    if (what === 'confirm') world.confirm(attempt);
    // Buyers claim, and the provider hears of, an attempt that has its intent. Before, only its opening goes on, which counts its hold.
    const isKnown = attempt.intent !== null || !this.isLimited;
    if (what === 'claim' && isKnown) walkers.push(world.claim(attempt));
    if (what === 'advance' && isKnown) walkers.push(world.purchase(attempt));
    if (what === 'leave') walkers.push(world.purchase(attempt, { close: 'abandoned' }));
  }

  #decide(n: number, m: number): void {
    const { world } = this;
    const userId = BUYERS[n % 2] ?? 'ann';
    const listingId = m % 3 === 0 ? OTHER : LISTING;
    const quantity = (n % 3) + 1;
    const promoCode = m % 4 > 1 ? 'SPRING' : null;
    const amount = quantity * (promoCode ? 900 : 1000);
    const known = { lastBookingId: null };
    const wanted: Partial<Wanted> = { listingId, quantity, promoCode, amount, ...(n % 5 === 0 ? known : {}) };
    const own = world.ids(userId);
    const limits = this.isLimited ? { limits: LIMITS } : {};
    // Hints are of any attempt that was ever the buyer's: they may be outdated, but a settled one is.
    const { attempts } = world.state(checkout, checkoutId(userId, listingId));
    const before = [...attempts.values()][m % Math.max(1, attempts.size)];
    const settled = [...attempts.values()].find(({ outcome }) => outcome === 'completed');
    const hints: OpeningHints = {
      attempt: before?.attempt,
      settled: settled?.attempt,
      ranOut: m % 7 === 0,
    };
    const start = (): Walker => {
      // Ends of holds are not recorded, so two openings of one buyer at the same moment may hold one too many.
      if (this.isLimited) this.#openings.get(userId)?.run();
      const opening = world.opening(userId, wanted, own, { hints, ...limits });
      this.#openings.set(userId, opening);
      return opening;
    };
    this.requests.push(start);
    this.walkers.push(start());
  }

  /** A hold is counted beside its opening, so that an opening which stands still for seconds may be one too many. */
  #pass(n: number): void {
    if (this.isLimited) {
      this.walkers = [];
      this.#openings.clear();
    }
    this.world.now += (n % 10) * 60_000;
  }

  /** Nobody holds tickets of both events where one is the limit, nor two times of one, and none is sold twice. */
  holdsAlways(): void {
    const { world } = this;
    for (const listingId of [LISTING, OTHER])
      expect(freeTickets(world.state(inventory, listingId))).toBeGreaterThanOrEqual(0);
    for (const buyer of BUYERS) {
      const [one, other] = [LISTING, OTHER].map((listingId) => this.#held(buyer, listingId));
      expect(one?.length).toBeLessThanOrEqual(1);
      expect(other?.length).toBeLessThanOrEqual(1);
      if (this.isLimited) expect([...(one ?? []), ...(other ?? [])].length).toBeLessThanOrEqual(1);
    }
  }

  #held(buyer: string, listingId: number): readonly string[] {
    const { world } = this;
    const { attempts } = world.state(checkout, checkoutId(buyer, listingId));
    return [...world.state(inventory, listingId).holds].flatMap(([name, { userId, until }]) => {
      const attempt = attempts.get(name);
      const counts =
        userId === buyer && Date.parse(until) > world.now && !attempt?.payment && !attempt?.closing;
      return counts ? [name] : [];
    });
  }
}

const what = fc.oneof(
  { weight: 12, arbitrary: fc.constant('step') },
  { weight: 8, arbitrary: fc.constant('run') },
  { weight: 6, arbitrary: fc.constantFrom('ask', 'ask', 'again') },
  { weight: 5, arbitrary: fc.constantFrom('pay', 'pay', 'confirm', 'claim', 'advance') },
  { weight: 2, arbitrary: fc.constantFrom('leave', 'stop', 'time') },
);
const happenings = fc.array(fc.tuple(what, fc.nat(999), fc.nat(40)), {
  minLength: 30,
  maxLength: 120,
  size: 'max',
});

const nameOf = (rest: OpeningRest): string => {
  if ('refused' in rest) return rest.refused.rejected;
  return 'closed' in rest ? 'closed' : 'opened';
};

it('opening a checkout, stopped anywhere and in any order, holds nothing twice or beyond the limit, and leaves each attempt finished or undone', () => {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 6 }),
      fc.constantFrom(null, 1, 2),
      fc.boolean(),
      happenings,
      (capacity, usageLimit, isLimited, all) => {
        const turmoil = new Turmoil(capacity, usageLimit, isLimited);
        for (const [name, n, m] of all) {
          turmoil.do(name, n, m);
          turmoil.holdsAlways();
        }
        for (const start of turmoil.requests) {
          const name = nameOf(start().run() as OpeningRest);
          seen.set(name, (seen.get(name) ?? 0) + 1);
          turmoil.holdsAlways();
        }
        turmoil.walkers = [];
        turmoil.world.settle();
        turmoil.world.expectFinishedOrUndone();
      },
    ),
    { numRuns: sweep(40, 1000) },
  );
  if (!isWhole) return;
  const codes = [
    'ALREADY_PAID',
    'JUST_BOUGHT',
    'SOLD_OUT',
    'PROMO_USED_UP',
    'TOO_MANY_HOLDS',
    'CHECKOUT_OPEN',
  ];
  for (const name of ['opened', ...codes]) expect([name, (seen.get(name) ?? 0) > 20]).toEqual([name, true]);
});
