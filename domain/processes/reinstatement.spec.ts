import { describe, expect, it } from 'vitest';
import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { refund } from '#domain/refund/refund.ts';
import { stopAnywhere } from '#tests/kit/processes.ts';
import { LISTING, quoteOf, Sale } from '#tests/kit/sale.ts';

const BOOKING = 1;
const FREE = quoteOf(2, 0, false);
const PAID = quoteOf(2, 2000, false);

const cancelled = (quote = PAID): Sale => {
  const sale = new Sale(2);
  sale.booked('ann', quote);
  const request = sale.request(BOOKING, 'admin');
  expect(request && sale.cancellation(BOOKING, request).run()).toBe('done');
  return sale;
};
const told = (sale: Sale) => ({
  booking: sale.state(booking, BOOKING).status,
  sold: sale.state(inventory, LISTING).sold,
  door: sale.state(admission, BOOKING).voided,
  refund: sale.state(refund, BOOKING).phase,
});
const GOOD = { booking: 'confirmed', sold: 2, door: null };
const STILL_CANCELLED = { booking: 'cancelled', door: 'cancelled', refund: 'requested' };

describe('a reinstatement that is stopped anywhere and continued is finished or undone', () => {
  it.each([
    ['one that was paid', PAID, 'denied'],
    ['a free one', FREE, 'none'],
  ])('for %s', (_, quote, money) =>
    stopAnywhere({
      world: () => cancelled(quote),
      start: (sale) => sale.reinstatement(BOOKING, 1),
      holds: (sale) => expect(told(sale)).toEqual({ ...GOOD, refund: money }),
    }),
  );

  it('for a booking whose tickets are sold to others meanwhile', () => {
    const ends = new Set<string>();
    for (let quicker = 0; quicker < 12; quicker++) {
      stopAnywhere({
        world: () => cancelled(),
        start: (sale) => sale.reinstatement(BOOKING, 1),
        meanwhile(sale, move) {
          const other = { attempt: 'other', bookingId: 99, userId: 'bob', quantity: 1 };
          if (move === quicker) sale.do(inventory, LISTING, { type: 'SellTickets', ...other });
        },
        holds(sale) {
          const theirs = sale.state(inventory, LISTING).sales.has(99);
          ends.add(told(sale).booking);
          expect(told(sale)).toEqual(
            theirs ? { ...STILL_CANCELLED, sold: 1 } : { ...GOOD, refund: 'denied' },
          );
        },
      });
    }
    expect([...ends].sort()).toEqual(['cancelled', 'confirmed']);
  });
});

/** A superuser approves the refund, and it is paid at once. */
const payBack = (sale: Sale): void => {
  sale.do(refund, BOOKING, { type: 'Approve', notes: '' });
  expect(sale.payout(BOOKING, { task: 'pay' }).run()).toBe('done');
};

it('a reinstatement leaves the booking or the refund, never both, whenever a superuser approves the refund', () => {
  const ends = new Set<string>();
  for (let when = 0; when < 24; when++) {
    const sale = cancelled();
    const walker = sale.reinstatement(BOOKING, 1);
    walker.run(when);
    payBack(sale);
    walker.run();
    const { booking: status } = told(sale);
    ends.add(status);
    expect(told(sale)).toEqual(
      status === 'refunded'
        ? { booking: 'refunded', sold: 0, door: 'cancelled', refund: 'succeeded' }
        : { ...GOOD, refund: 'denied' },
    );
  }
  expect([...ends].sort()).toEqual(['confirmed', 'refunded']);
});

it('a reinstatement leaves no refund open for a confirmed booking if one run gives up and another does not', () => {
  const other = { attempt: 'other', bookingId: 99, userId: 'bob', quantity: 1 };
  for (let pause = 0; pause < 24; pause++) {
    for (let free = pause; free < 30; free++) {
      const sale = cancelled();
      const one = sale.reinstatement(BOOKING, 1);
      const two = sale.reinstatement(BOOKING, 1);
      for (let move = 0; move < 30; move++) {
        if (move === pause) sale.do(inventory, LISTING, { type: 'SellTickets', ...other });
        if (move === free)
          sale.do(inventory, LISTING, { type: 'ReturnTickets', bookingId: 99, cancellation: 1 });
        if (move < free) two.step();
        if (move >= free || move < pause) one.step();
      }
      one.run();
      two.run();
      const { booking: status, sold, door, refund: money } = told(sale);
      expect([status, sold, door, money]).toEqual(
        status === 'confirmed'
          ? ['confirmed', 2, null, 'denied']
          : ['cancelled', 0, 'cancelled', 'requested'],
      );
    }
  }
});

it('a reinstatement keeps the refund of a second cancellation, whenever that begins', () => {
  for (let when = 0; when < 30; when++) {
    const sale = cancelled();
    expect(sale.reinstatement(BOOKING, 1).run()).toBe('done');
    const request = sale.request(BOOKING, 'customer');
    if (!request) throw new Error('it could not be cancelled again');
    const second = sale.cancellation(BOOKING, request);
    second.run(when);
    const seen = sale.reinstatement(BOOKING, 2).run();
    expect([when, second.run()]).toEqual([when, 'done']);
    const { phase, cancellation } = sale.state(refund, BOOKING);
    expect([seen, phase, cancellation]).toEqual(
      seen === 'done' && told(sale).booking === 'confirmed' ? ['done', 'denied', 2] : [seen, 'approved', 2],
    );
  }
});

describe('a reinstatement is refused before anything changes', () => {
  it('if the booking is refunded, has no tickets left, or does not exist', () => {
    expect(new Sale(2).reinstatement(BOOKING, 1).run()).toMatchObject({ rejected: 'BOOKING_NOT_FOUND' });
    const full = cancelled();
    full.do(inventory, LISTING, { type: 'ChangeCapacity', capacity: 1 });
    const before = full.eventCount();
    expect(full.reinstatement(BOOKING, 1).run()).toMatchObject({ rejected: 'SOLD_OUT' });
    expect(full.eventCount()).toBe(before);
    const back = cancelled();
    back.do(booking, BOOKING, { type: 'MarkRefunded', amount: 2000 });
    expect(back.reinstatement(BOOKING, 1).run()).toMatchObject({ rejected: 'REFUND_SETTLED' });
  });
});
