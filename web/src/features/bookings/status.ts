import type { Booking } from '#domain/contracts/bookings.ts';
import type { Tone } from '#web/ui/badge.tsx';

const unfilled = { sold_out: 'Sold out while you paid', sales_closed: 'Sales closed while you paid' };

/** Colours: specification, section 4. */
export const statusOf = (
  booking: Pick<Booking, 'tab' | 'status' | 'unfilled'>,
): { tone: Tone; words: string } => {
  if (booking.tab === 'past') return { tone: 'plain', words: 'Completed' };
  switch (booking.status) {
    case 'confirmed':
      return { tone: 'good', words: 'Confirmed' };
    case 'pending':
      return { tone: 'warn', words: 'Pending' };
    case 'cancelled':
      return { tone: 'bad', words: booking.unfilled ? unfilled[booking.unfilled] : 'Cancelled' };
    case 'refunded':
      return { tone: 'plain', words: 'Refunded' };
    case 'completed':
      return { tone: 'plain', words: 'Completed' };
  }
};

export const refundOf = (status: NonNullable<Booking['refundStatus']>): { tone: Tone; words: string } =>
  ({
    pending: { tone: 'warn', words: 'Refund Requested' },
    processing: { tone: 'warn', words: 'Refund Processing' },
    completed: { tone: 'good', words: 'Refund Approved' },
    denied: { tone: 'bad', words: 'Refund Denied' },
  })[status] as { tone: Tone; words: string };
