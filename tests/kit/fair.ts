import { expect } from 'vitest';
import type { World } from './world.ts';

/** What has to hold once everything has come to rest, whatever happened before. */
export const expectFair = async (world: World): Promise<void> => {
  const { tickets, offer, bookings, intents, refunded } = await world.truth();
  const confirmed = bookings.filter(({ booked }) => booked.status === 'confirmed');
  const complaints: object[] = [];
  for (const { id, status, amount, purchase } of intents) {
    const back = refunded.get(id) ?? 0;
    const booked = confirmed.filter(({ booked: { facts } }) => facts?.intentId === id).length;
    const settled = status === 'succeeded' && back === (booked === 1 ? 0 : amount);
    const undone = status === 'canceled' && booked === 0;
    if (booked > 1 || !purchase || !(settled || undone))
      complaints.push({ id, status, amount, booked, back });
  }
  const sold = confirmed.reduce((sum, { booked }) => sum + (booked.facts?.quote.quantity ?? 0), 0);
  if (tickets.held !== 0 || tickets.sold !== sold || sold > tickets.capacity) {
    complaints.push({ held: tickets.held, sold: tickets.sold, booked: sold, capacity: tickets.capacity });
  }
  // A booking that is cancelled later has used its code, unless its event was called off.
  const withCode = bookings.filter(
    ({ booked: { facts, unfilled, cancellation } }) =>
      facts?.quote.promotion && !unfilled && cancellation?.by !== 'listing-archived',
  );
  if (offer.reserved.size > 0 || offer.redeemed.size !== withCode.length) {
    const { reserved, redeemed } = offer;
    complaints.push({ reserved: reserved.size, redeemed: redeemed.size, withCode: withCode.length });
  }
  // Only late money may use a code beyond its limit.
  const limit = offer.terms?.usageLimit ?? Number.POSITIVE_INFINITY;
  const onTime = withCode.filter(({ late }) => !late).length;
  if (onTime > limit) complaints.push({ usageLimit: limit, redeemedOnTime: onTime });
  expect(complaints).toEqual([]);
};
