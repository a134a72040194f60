import { expect, it } from 'vitest';
import { BOOKING_STATUSES } from '#domain/contracts/bookings.ts';
import { changeByHand } from './by-hand.ts';

it.each(BOOKING_STATUSES)(
  'only confirmed and cancelled bookings can be changed by hand, here to %s',
  (wanted) => {
    const fixed = { rejected: 'STATUS_FIXED' };
    const meant = {
      confirmed: { confirmed: 'nothing', cancelled: 'reinstate' },
      cancelled: { confirmed: 'cancel', cancelled: 'nothing' },
      pending: { confirmed: fixed, cancelled: fixed },
      completed: { confirmed: fixed, cancelled: fixed },
      refunded: { confirmed: fixed, cancelled: fixed },
    }[wanted];
    expect(changeByHand('confirmed', wanted, false)).toEqual(meant.confirmed);
    expect(changeByHand('cancelled', wanted, false)).toEqual(meant.cancelled);
    expect(changeByHand('refunded', wanted, false)).toEqual(fixed);
    for (const status of ['confirmed', 'cancelled', 'refunded'] as const)
      expect(changeByHand(status, wanted, true)).toEqual(fixed);
    expect(changeByHand('none', wanted, false)).toEqual({ rejected: 'BOOKING_NOT_FOUND' });
  },
);
