import { describe, expect, it } from 'vitest';
import { booking } from '#domain/booking/booking.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { HOLD_FOR, HOLD_GRACE } from '#domain/policy.ts';
import { nextStep, type PurchaseView } from './chain.ts';
import type { Quote } from './events.ts';
import { learn } from './learn.ts';
import {
  expectFinishedOrUndone,
  isFinished,
  open,
  quoteOf,
  run,
  settle,
  worldWith,
} from './simulated-sale.ts';
import { LISTING, OPENED_AT, type World } from './simulation.ts';
import type { Attempt } from './state.ts';

interface Story {
  readonly capacity: number;
  readonly quote: Quote;
  /** What the booking is where nothing was stopped. */
  readonly ends: 'confirmed' | 'unfilled' | 'none';
  /** Before the walker goes on, by the number of the third of a step. */
  meanwhile(world: World, attempt: Attempt, third: number): void;
}

const plain = quoteOf(2, 2000, false);
const promoted = quoteOf(2, 1800, true);
const pays = (world: World, attempt: Attempt, status: 'succeeded' | 'processing' = 'succeeded'): void => {
  const now = world.attempts().find((one) => one.attempt === attempt.attempt);
  if (now) world.pay(now, status);
};
const othersTakeAll = (world: World): void => {
  const { capacity, sold, held } = world.state(inventory, LISTING);
  const quantity = capacity - sold - held;
  if (quantity === 0) return;
  const command = { type: 'SellTickets', attempt: 'other', bookingId: 999_999, userId: 'other', quantity };
  world.execute({ to: 'inventory', id: LISTING, command });
};
const late = (world: World): void => {
  world.now = OPENED_AT + HOLD_FOR + 1;
};

const stories: Record<string, Story> = {
  'a purchase': {
    capacity: 2,
    ends: 'confirmed',
    quote: plain,
    meanwhile: (world, attempt) => pays(world, attempt),
  },
  'a purchase with a promotion': {
    capacity: 2,
    ends: 'confirmed',
    quote: promoted,
    meanwhile: (world, attempt) => pays(world, attempt),
  },
  'one with nothing to pay': {
    capacity: 2,
    ends: 'confirmed',
    quote: quoteOf(2, 0, true),
    meanwhile: () => {},
  },
  'one that nobody pays': {
    capacity: 2,
    ends: 'none',
    quote: promoted,
    meanwhile: (world, _, third) => third > 20 && late(world),
  },
  'one without tickets': { capacity: 1, ends: 'none', quote: promoted, meanwhile: () => {} },
  'one that the provider refuses': {
    capacity: 2,
    ends: 'none',
    quote: promoted,
    meanwhile: (world) => {
      world.refusesIntents = true;
    },
  },
  'late money, tickets left': {
    capacity: 2,
    ends: 'confirmed',
    quote: promoted,
    meanwhile: (world, attempt, third) => {
      if (third > 20) late(world);
      if (third > 22) pays(world, attempt);
    },
  },
  'money that comes while it closes, others waiting': {
    capacity: 2,
    ends: 'confirmed',
    quote: promoted,
    meanwhile: (world, attempt, third) => {
      if (third > 20) late(world);
      if (third > 22) pays(world, attempt);
      if (third > 6) othersTakeAll(world);
    },
  },
  'late money, no tickets left': {
    capacity: 2,
    ends: 'unfilled',
    quote: promoted,
    meanwhile: (world, attempt, third) => {
      if (third > 20) late(world);
      // The provider neither cancels nor confirms, until the tickets are let go.
      if (third > 20) pays(world, attempt, 'processing');
      if (third > 30) world.now = OPENED_AT + HOLD_FOR + HOLD_GRACE + 1;
      if (third > 60) othersTakeAll(world);
    },
  },
  'sales that close under a paid one': {
    capacity: 2,
    ends: 'unfilled',
    quote: promoted,
    meanwhile: (world, attempt, third) => {
      pays(world, attempt);
      if (third > 14) {
        world.execute({ to: 'inventory', id: LISTING, command: { type: 'CloseSales', why: 'archived' } });
      }
    },
  },
};

/** Thirds of steps: more than any story takes. */
const LONG_ENOUGH = 75;

describe('a chain that is stopped anywhere and taken up again is finished or undone', () => {
  for (const [name, { capacity, quote, ends, meanwhile }] of Object.entries(stories)) {
    it(name, () => {
      for (let stop = 0; stop <= LONG_ENOUGH; stop++) {
        const world = worldWith(capacity);
        const attempt = open(world, 'ann', quote);
        if (!attempt) throw new Error('it did not open');
        let walker = world.purchase(attempt);
        for (let third = 0; third < stop; third++) {
          meanwhile(world, attempt, third);
          if (isFinished(walker)) {
            const now = world.attempts().find((one) => one.attempt === attempt.attempt) ?? attempt;
            world.recordPayment(now);
            walker = world.purchase(attempt);
          }
          walker.step();
        }
        settle(world);
        expectFinishedOrUndone(world);
        if (stop === LONG_ENOUGH) {
          const { status, unfilled } = world.state(booking, attempt.bookingId);
          expect(unfilled ? 'unfilled' : status).toBe(ends);
        }
      }
    });
  }
});

describe('somebody who was slow', () => {
  const made = { id: 'pi_1', status: 'open', amount: 2000, currency: 'gbp' } as const;
  const view = (more: Partial<Attempt>): PurchaseView => {
    const attempt = open(worldWith(2), 'ann', plain);
    if (!attempt) throw new Error('it did not open');
    return { attempt: attempt.attempt, at: attempt.until, made, checkout: { ...attempt, ...more } };
  };

  it('and made an intent while it was closing records it, so that it is cancelled', () => {
    expect(nextStep(view({ closing: 'expired' }))).toEqual({ do: 'attach-intent', intent: made });
    const attached = { intentId: 'pi_1', amount: 2000 };
    expect(nextStep(view({ closing: 'expired', intent: attached }))).toEqual({
      do: 'cancel-intent',
      intentId: 'pi_1',
    });
  });

  it('and made one when it had closed cancels it, or records the money', () => {
    const closed = view({ closing: 'expired', closed: true });
    expect(nextStep(closed)).toEqual({ do: 'cancel-intent', intentId: 'pi_1' });
    expect(nextStep({ ...closed, cancelled: { ...made, status: 'canceled' } })).toBe('done');
    const paid = { ...made, status: 'succeeded' } as const;
    expect(nextStep({ ...closed, cancelled: paid })).toEqual({ do: 'record-payment', intent: paid });
    expect(nextStep({ ...closed, cancelled: made })).toBe('waiting-for-provider');
  });
});

describe('an attempt that the next one found settled', () => {
  it('still redeems its promotion', () => {
    const attempt = open(worldWith(2), 'ann', promoted);
    if (!attempt) throw new Error('it did not open');
    const payment = { intentId: 'pi_1', amount: 1800, late: false };
    const checkout: Attempt = { ...attempt, payment, outcome: 'completed' };
    const view: PurchaseView = { attempt: attempt.attempt, at: attempt.until, checkout };
    expect(nextStep(view)).toEqual({ do: 'redeem' });
    expect(nextStep({ ...view, promotion: 'redeemed' })).toBe('done');
  });
});

describe('a refusal that no step can mend', () => {
  it('stops the chain, and says which', () => {
    const view: PurchaseView = { attempt: 'a', at: '2026-11-21T12:00:00.000Z' };
    const intent = { id: 'pi_1', status: 'succeeded', amount: 1, currency: 'gbp' } as const;
    const after = learn(view, { do: 'record-payment', intent }, { refused: 'PAYMENT_MISMATCH' });
    expect(after.stuck).toBe('PAYMENT_MISMATCH');
    expect(nextStep(after)).toBe('stuck');
  });

  it('is not that a person is erased: the money goes back without a reason', () => {
    const view: PurchaseView = { attempt: 'a', at: '2026-11-21T12:00:00.000Z' };
    const after = learn(view, { do: 'request-refund' }, { refused: 'ERASED' });
    expect(after).toMatchObject({ erased: true });
    expect(after.stuck).toBeUndefined();
    expect(learn(after, { do: 'request-refund' }, { refused: 'ERASED' }).stuck).toBe('ERASED');
  });
});

describe('what is recorded', () => {
  const types = (world: World, ...streams: string[]) =>
    streams.flatMap((stream) => (world.streams.get(stream) ?? []).map(({ type }) => type));
  const bought = (quote: Quote) => {
    const world = worldWith(9);
    const attempt = open(world, 'ann', quote);
    if (!attempt) throw new Error('it did not open');
    const before = world.eventCount();
    expect(run(world.purchase(attempt))).toBe('waiting-for-payment');
    const now = world.attempts()[0] ?? attempt;
    world.pay(now, 'succeeded');
    expect(world.recordPayment(now)).toBe(true);
    expect(run(world.purchase(now))).toBe('done');
    return { world, attempt, events: world.eventCount() - before + 1 };
  };

  it('of a purchase is six events', () => {
    const { world, attempt, events } = bought(plain);
    expect(events).toBe(6);
    expect(types(world, `checkout-ann-${LISTING}`)).toEqual([
      'CheckoutOpened',
      'IntentAttached',
      'PaymentReceived',
    ]);
    expect(types(world, `inventory-${LISTING}`)).toEqual(['InventoryOpened', 'TicketsHeld', 'TicketsSold']);
    expect(types(world, `booking-${attempt.bookingId}`)).toEqual(['BookingPlaced']);
  });

  it('with a promotion is its use and the word that all is done, too', () => {
    const { world, events } = bought(promoted);
    expect(events).toBe(9);
    expect(types(world, `checkout-ann-${LISTING}`).at(-1)).toBe('CheckoutCompleted');
  });

  it('takes no look where the caller has just recorded the payment', () => {
    const world = worldWith(9);
    const attempt = open(world, 'ann', plain);
    if (!attempt) throw new Error('it did not open');
    run(world.purchase(attempt));
    const now = world.attempts()[0] ?? attempt;
    world.pay(now, 'succeeded');
    world.recordPayment(now);
    const paid = world.attempts()[0];
    const walker = world.purchase(now, { checkout: paid, booking: 'none' });
    // Sell, place, and nothing else: three thirds each, and one to see that it is done.
    run(walker, 7);
    expect(walker.rest).toBe('done');
  });
});
