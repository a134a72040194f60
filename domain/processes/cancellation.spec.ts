import { describe, expect, it } from 'vitest';
import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import type { CancelledBy } from '#domain/booking/events.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { uses } from '#domain/promotion/state.ts';
import { refund } from '#domain/refund/refund.ts';
import { stopAnywhere } from '#tests/kit/processes.ts';
import { LISTING, PROMOTION, quoteOf, Sale } from '#tests/kit/sale.ts';

const BOOKING = 1;

class CancelledSale extends Sale {
  readonly asked;

  constructor(by: CancelledBy, total: number, promoted = false) {
    super(2, 1);
    this.booked('ann', quoteOf(2, total, promoted));
    this.asked = this.request(BOOKING, by);
  }

  admit(): void {
    const ids = { bookingId: BOOKING, userId: 'ann', listingId: LISTING };
    const scan = { page: 1, quantity: 2, gate: null, by: { id: 'sam' }, at: this.at() };
    this.do(admission, BOOKING, { type: 'Admit', ...ids, ...scan });
  }

  cancel() {
    if (!this.asked) throw new Error('it was refused at once');
    return this.cancellation(BOOKING, this.asked);
  }

  /** What the streams say, in words. */
  get told() {
    return {
      booking: this.state(booking, BOOKING).status,
      sold: this.state(inventory, LISTING).sold,
      door: this.state(admission, BOOKING).voided,
      refund: this.state(refund, BOOKING).phase,
    };
  }
}

describe('a cancellation that is stopped anywhere and continued is finished or undone', () => {
  it.each([
    ['a customer’s', 'customer', 2000, 'approved'],
    ['an administrator’s', 'admin', 2000, 'requested'],
    ['one of a free booking', 'customer', 0, 'none'],
  ] as const)('for %s', (_, by, total, money) =>
    stopAnywhere({
      world: () => new CancelledSale(by, total),
      start: (sale) => sale.cancel(),
      holds: (sale) =>
        expect(sale.told).toEqual({ booking: 'cancelled', sold: 0, door: 'cancelled', refund: money }),
    }),
  );

  it.each([
    ['back where the event is called off', 'listing-archived', 0],
    ['used where the customer cancels', 'customer', 1],
  ] as const)('with a code, whose use is %s', (_, by, used) =>
    stopAnywhere({
      world: () => new CancelledSale(by, 1900, true),
      start: (sale) => sale.cancel(),
      holds(sale) {
        expect(sale.told.booking).toBe('cancelled');
        expect(uses(sale.state(promotion, PROMOTION))).toBe(used);
      },
    }),
  );

  it('even if a person is admitted meanwhile', () => {
    const ends = new Set<string>();
    for (let admitted = 0; admitted < 12; admitted++) {
      stopAnywhere({
        world: () => new CancelledSale('customer', 2000),
        start: (sale) => sale.cancel(),
        meanwhile: (sale, move) => move === admitted && sale.admit(),
        holds(sale) {
          const { told } = sale;
          ends.add(told.booking);
          expect(told).toEqual(
            sale.state(admission, BOOKING).entries.length > 0
              ? { booking: 'confirmed', sold: 2, door: null, refund: 'none' }
              : { booking: 'cancelled', sold: 0, door: 'cancelled', refund: 'approved' },
          );
        },
      });
    }
    expect([...ends].sort()).toEqual(['cancelled', 'confirmed']);
  });
});
