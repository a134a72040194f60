import { describe, expect, it } from 'vitest';
import { fold } from '#domain/decider.ts';
import { type DeletionView, nextDeletionStep } from './deletion.ts';
import type { InventoryEvent } from './events.ts';
import { inventory } from './inventory.ts';

const listingId = 1;
const sold = (bookingId: number): InventoryEvent => ({
  type: 'TicketsSold',
  data: { listingId, attempt: `a${bookingId}`, bookingId, userId: 'ann', quantity: 1, held: true },
});
const returned = (bookingId: number): InventoryEvent => ({
  type: 'TicketsReturned',
  data: { listingId, bookingId, quantity: 1 },
});
const opened: InventoryEvent = { type: 'InventoryOpened', data: { listingId, capacity: 9 } };
const closed: InventoryEvent = { type: 'SalesClosed', data: { listingId, why: 'archived' } };
const next = (history: readonly InventoryEvent[], view: Omit<DeletionView, 'inventory'> = {}) =>
  nextDeletionStep({ inventory: fold(inventory, history), ...view });

describe('deleting a listing', () => {
  it('closes sales before it archives, so that nothing is sold behind its back', () => {
    expect(nextDeletionStep({})).toEqual({ do: 'look-at-inventory' });
    expect(next([opened])).toEqual({ do: 'close-sales' });
    expect(next([opened, { type: 'SalesClosed', data: { listingId, why: 'started' } }])).toEqual({
      do: 'close-sales',
    });
    expect(next([opened, closed])).toEqual({ do: 'archive-listing' });
  });

  it('cancels each booking whose tickets are out', () => {
    const history = [opened, sold(10), sold(11), sold(12), returned(11), closed];
    expect(next(history, { archived: true })).toEqual({ do: 'cancel-bookings', bookingIds: [10, 12] });
  });

  it('is done when they are, and tries again for those that were still being made', () => {
    expect(next([opened, closed], { archived: true })).toBe('done');
    expect(next([opened, sold(10), closed], { archived: true, bookings: 'cancelled' })).toBe('done');
    expect(next([opened, sold(10), closed], { archived: true, bookings: 'some-not-yet' })).toBe('try-later');
  });
});
