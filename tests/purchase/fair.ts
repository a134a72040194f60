import { expect } from 'vitest';
import type { World } from './world.ts';

/** What has to hold once everything has come to rest, whatever happened before. */
export const expectFair = async (world: World): Promise<void> => {
  const { tickets, offer, bookings, intents, refunded } = await world.truth();
  const confirmed = bookings.filter(({ booked }) => booked.status === 'confirmed');
  for (const { id, status, amount, purchase } of intents) {
    const back = refunded.get(id) ?? 0;
    const booked = confirmed.filter(({ booked: { facts } }) => facts?.intentId === id);
    if (status === 'succeeded') {
      expect
        .soft({ id, booked: booked.length, back })
        .toEqual(booked.length > 0 ? { id, booked: 1, back: 0 } : { id, booked: 0, back: amount });
    } else expect.soft({ id, status, booked: booked.length }).toEqual({ id, status: 'canceled', booked: 0 });
    expect.soft(purchase).toBeDefined();
  }
  const sold = confirmed.reduce((sum, { booked }) => sum + (booked.facts?.quote.quantity ?? 0), 0);
  expect.soft(tickets.held).toBe(0);
  expect.soft(tickets.sold).toBe(sold);
  expect.soft(tickets.sold).toBeLessThanOrEqual(tickets.capacity);
  expect.soft(offer.reserved.size).toBe(0);
  const withCode = confirmed.filter(({ booked }) => booked.facts?.quote.promotion).length;
  expect.soft(offer.redeemed.size).toBe(withCode);
};
