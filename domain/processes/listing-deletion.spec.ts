import { describe, expect, it } from 'vitest';
import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import type { InventoryEvent } from '#domain/inventory/events.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { listing } from '#domain/listing/listing.ts';
import { refund } from '#domain/refund/refund.ts';
import { fold } from '#tests/kit/fold.ts';
import { stopAnywhere } from '#tests/kit/processes.ts';
import { LISTING, quoteOf, Sale } from '#tests/kit/sale.ts';
import { type DeletionView, deletion } from './listing-deletion.ts';

const listingId = LISTING;
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
const viewOf = (history: readonly InventoryEvent[], more: Partial<DeletionView> = {}): DeletionView => ({
  listingId,
  inventory: fold(inventory, history),
  ...more,
});
const next = (...view: Parameters<typeof viewOf>) => deletion.next(viewOf(...view));

describe('deleting a listing', () => {
  it('closes sales before archiving, so that no ticket is sold in between', () => {
    expect(deletion.next({ listingId })).toEqual([{ do: 'look-at-inventory' }]);
    expect(next([opened])).toEqual([{ do: 'close-sales' }]);
    expect(next([opened, { type: 'SalesClosed', data: { listingId, why: 'started' } }])).toEqual([
      { do: 'close-sales' },
    ]);
    expect(next([opened, closed])).toEqual([{ do: 'archive-listing' }]);
  });

  it('cancels each booking that has tickets', () => {
    const view = viewOf([opened, sold(10), sold(11), sold(12), returned(11), closed], { archived: true });
    expect(deletion.next(view)).toEqual([{ do: 'cancel-bookings' }]);
    expect(deletion.request(view, { do: 'cancel-bookings' })).toEqual({ bookingIds: [10, 12] });
  });

  it('is done when the bookings are cancelled, and retries those that are still being made', () => {
    expect(next([opened, closed], { archived: true })).toBe('done');
    expect(next([opened, sold(10), closed], { archived: true, bookings: 'cancelled' })).toBe('done');
    expect(next([opened, sold(10), closed], { archived: true, bookings: 'some-not-yet' })).toBe('try-later');
  });

  it('is refused for an unknown listing', () => {
    const sale = new Sale(2);
    const rejected = deletion.apply(
      { listingId },
      { do: 'close-sales' },
      sale.do(inventory, 99, { type: 'CloseSales', why: 'archived' }),
    );
    expect(deletion.next(rejected)).toMatchObject({ rejected: 'LISTING_NOT_FOUND' });
  });

  it('leaves only bookings with an admission, wherever it is stopped and continued', () => {
    stopAnywhere({
      world() {
        const sale = new Sale(6);
        for (const who of ['ann', 'bob', 'cy']) sale.booked(who, quoteOf(2, 2000, false));
        const scan = { page: 1, quantity: 2, gate: null, by: { id: 'sam' }, at: sale.at() };
        sale.do(admission, 2, { type: 'Admit', bookingId: 2, userId: 'bob', listingId, ...scan });
        return sale;
      },
      start: (sale) => sale.deletion(),
      holds(sale) {
        expect(sale.state(listing, LISTING).archived).toBe(true);
        expect(sale.state(inventory, LISTING)).toMatchObject({ closed: 'archived', sold: 2 });
        const statuses = [1, 2, 3].map((id) => sale.state(booking, id).status);
        expect(statuses).toEqual(['cancelled', 'confirmed', 'cancelled']);
        expect([1, 2, 3].map((id) => sale.state(refund, id).phase)).toEqual(['approved', 'none', 'approved']);
      },
    });
  });
});
