/** What the specs of the chains share: a sale in the small world of `simulation.ts`, its end, and what must hold then. */
import { expect } from 'vitest';
import { booking } from '#domain/booking/booking.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { freeTickets, wordOn } from '#domain/inventory/state.ts';
import { HOLD_FOR, HOLD_GRACE } from '#domain/policy.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { refund } from '#domain/refund/refund.ts';
import type { Quote } from './events.ts';
import { LISTING, PROMOTION, STARTS_AT, type Walker, World } from './simulation.ts';
import type { Attempt } from './state.ts';

const withPromotion = { promotionId: PROMOTION, code: 'SPRING' };
/** A quote; the discount is what `total` leaves of the price. */
export const quoteOf = (quantity: number, total: number, promoted: boolean): Quote => ({
  unitPrice: 1000,
  quantity,
  discount: 1000 * quantity - total,
  total,
  currency: 'gbp',
  promotion: promoted ? withPromotion : null,
});

/** A listing with so many tickets, and a promotion. */
export const worldWith = (capacity: number, usageLimit: number | null = null): World => {
  const world = new World();
  world.execute({
    to: 'inventory',
    id: LISTING,
    command: { type: 'OpenInventory', listingId: LISTING, capacity },
  });
  const terms = {
    name: 'Spring',
    description: '',
    discountType: 'percentage',
    discountValue: 10,
    usageLimit,
    validFrom: '2026-01-01T00:00:00.000Z',
    validUntil: '2027-01-01T00:00:00.000Z',
    isActive: true,
  };
  const command = { type: 'CreatePromotion', promotionId: PROMOTION, code: 'SPRING', terms };
  world.execute({ to: 'promotion', id: PROMOTION, command });
  return world;
};

let attempts = 0;
/** Opens a checkout; undefined where it was refused or another goes on. */
export const open = (world: World, userId: string, quote: Quote, settled?: string): Attempt | undefined => {
  attempts += 1;
  const attempt = `${userId}${attempts}`;
  const opened = {
    attempt,
    bookingId: attempts,
    reference: `BK${attempts}`,
    userId,
    listingId: LISTING,
    quote,
    startsAt: STARTS_AT,
    until: new Date(world.now + HOLD_FOR).toISOString(),
    at: world.at(),
    settled,
  };
  world.execute({ to: 'checkout', id: `${userId}-${LISTING}`, command: { type: 'OpenCheckout', ...opened } });
  return world.attempts().find((one) => one.attempt === attempt);
};

export const isFinished = (walker: Walker): boolean => walker.rest !== undefined;
/** Runs a walker alone, to its rest or for so many thirds of steps. */
export const run = (walker: Walker, thirds = 300): unknown => {
  for (let n = 0; n < thirds && !isFinished(walker); n++) walker.step();
  return walker.rest;
};

/** Everybody's time runs out: what is at the provider is told, and every attempt is taken up by two at once, until nothing moves. */
export const settle = (world: World): void => {
  world.now += HOLD_FOR + HOLD_GRACE + 1;
  for (const [id, intent] of world.intents) {
    if (intent.status === 'processing') world.intents.set(id, { ...intent, status: 'succeeded' });
  }
  for (let round = 0; round < 20; round++) {
    const before = world.eventCount();
    for (const attempt of world.attempts()) {
      if (attempt.intent && !attempt.payment) world.recordPayment(attempt);
      const [one, other] = [world.purchase(attempt), world.purchase(attempt)];
      for (let n = 0; n < 300 && !(isFinished(one) && isFinished(other)); n++) {
        one.step();
        if (n % 3 !== 0) other.step();
      }
      expect([one.rest, other.rest]).toEqual(['done', 'done']);
    }
    if (world.eventCount() === before) return;
  }
  throw new Error('it never settles');
};

/** Finished or undone: no hold left, money has a booking with tickets or went back in full, no use of a promotion in between. */
export const expectFinishedOrUndone = (world: World): void => {
  const tickets = world.state(inventory, LISTING);
  expect(tickets.held).toBe(0);
  expect(freeTickets(tickets)).toBeGreaterThanOrEqual(0);
  const uses = world.state(promotion, PROMOTION);
  expect([...uses.reserved]).toEqual([]);
  for (const { attempt, bookingId, quote, payment, closed } of world.attempts()) {
    const paid = [...world.intents.values()].some(
      (one) => one.attempt === attempt && one.status === 'succeeded',
    );
    if (paid) expect(payment?.amount).toBe(quote.total);
    const booked = world.state(booking, bookingId);
    const asked = world.state(refund, bookingId);
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
};
