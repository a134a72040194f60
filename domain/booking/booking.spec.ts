import { describe, expect, it } from 'vitest';
import type { Quote } from '#domain/checkout/events.ts';
import { REFUND_POLICY } from '#domain/kernel/policy.ts';
import { fold } from '#tests/kit/fold.ts';
import { given } from '#tests/kit/given-when-then.ts';
import { type BookingCommand, booking } from './booking.ts';
import type { BookingEvent, BookingFacts } from './events.ts';
import { type CancellationRequest, cancellationQuote } from './quote.ts';
import { cancellationNumber } from './state.ts';

const startsAt = '2026-12-10T20:00:00.000Z';
const weeksBefore = '2026-11-21T12:00:00.000Z';
const daysBefore = '2026-12-08T20:00:00.000Z';
const hoursBefore = '2026-12-10T12:00:00.000Z';

const quote: Quote = {
  unitPrice: 2850,
  quantity: 2,
  discount: 0,
  total: 5700,
  currency: 'gbp',
  promotion: null,
};
const facts: BookingFacts = {
  bookingId: 10,
  reference: 'BKQ7RM2XKD',
  userId: 'ann',
  listingId: 1,
  attempt: 'a',
  quote,
  intentId: 'pi_1',
  policy: REFUND_POLICY,
  startsAt,
};
const ref = { bookingId: 10, userId: 'ann', listingId: 1 };
const placed: BookingEvent = { type: 'BookingPlaced', data: facts };
const unfilled: BookingEvent = { type: 'BookingUnfilled', data: { ...facts, why: 'sold_out' } };
const cancelled = (by: CancellationRequest['by'], percent: number, refund: number): BookingEvent => ({
  type: 'BookingCancelled',
  data: { ...ref, quantity: 2, by, reason: 'We can not come after all', refund, percent },
});
const reinstated: BookingEvent = { type: 'BookingReinstated', data: { ...ref, quantity: 2 } };
const refunded: BookingEvent = { type: 'BookingRefunded', data: { ...ref, amount: 5700 } };

const cancel = (more: Partial<Extract<BookingCommand, { type: 'CancelBooking' }>> = {}): BookingCommand => ({
  type: 'CancelBooking',
  by: 'customer',
  reason: 'We can not come after all',
  at: weeksBefore,
  startsAt,
  cancellation: 1,
  ...more,
});

describe('placing a booking', () => {
  it('happens once', () => {
    given(booking, [])
      .when({ type: 'PlaceBooking', ...facts })
      .then([placed]);
    given(booking, [placed])
      .when({ type: 'PlaceBooking', ...facts })
      .thenNothing();
    given(booking, [placed, cancelled('customer', 100, 5700)])
      .when({ type: 'PlaceBooking', ...facts })
      .thenNothing();
  });

  it('makes the booking placed or unfilled, whichever comes first, and never both', () => {
    given(booking, [])
      .when({ type: 'PlaceUnfilled', why: 'sold_out', ...facts })
      .then([unfilled]);
    given(booking, [unfilled])
      .when({ type: 'PlaceUnfilled', why: 'sold_out', ...facts })
      .thenNothing();
    given(booking, [unfilled])
      .when({ type: 'PlaceBooking', ...facts })
      .then({ rejected: 'CONFLICT' });
    given(booking, [placed])
      .when({ type: 'PlaceUnfilled', why: 'sold_out', ...facts })
      .then({ rejected: 'CONFLICT' });
  });

  it('without tickets counts as cancelled with a full refund', () => {
    const state = fold(booking, [unfilled]);
    expect(state).toMatchObject({
      status: 'cancelled',
      cancellations: 1,
      cancellation: { by: 'unfilled', refund: 5700 },
    });
  });
});

describe('cancelling a booking', () => {
  it.each([
    ['168 hours or more before', weeksBefore, 100, 5700],
    ['24 up to 168 hours before', daysBefore, 80, 4560],
    ['less than 24 hours before', hoursBefore, 0, 0],
  ])('refunds a customer by the policy: %s', (_, at, percent, refund) => {
    given(booking, [placed])
      .when(cancel({ at }))
      .then([cancelled('customer', percent, refund)]);
  });

  it('uses the present start, and refunds in full if the event was moved', () => {
    const moved = '2026-12-09T12:00:00.000Z';
    given(booking, [placed])
      .when(cancel({ at: daysBefore, startsAt: moved }))
      .then([cancelled('customer', 100, 5700)]);
    given(booking, [placed])
      .when(cancel({ at: hoursBefore, rescheduled: true }))
      .then([cancelled('customer', 100, 5700)]);
    given(booking, [placed])
      .when(cancel({ at: hoursBefore, startsAt: moved }))
      .then({ rejected: 'EVENT_STARTED' });
  });

  it('requires a reason of at least ten characters from the customer', () => {
    given(booking, [placed])
      .when(cancel({ reason: '  too short ' }))
      .thenRejected('BAD_INPUT');
    given(booking, [placed])
      .when(cancel({ reason: '👍👍👍👍👍👍👍👍👍' }))
      .thenRejected('BAD_INPUT');
    given(booking, [placed])
      .when(cancel({ reason: ' 0123456789 ' }))
      .thenNotRejected();
    given(booking, [placed])
      .when(cancel({ reason: '', by: 'listing-archived' }))
      .thenNotRejected();
  });

  it('is refused after the start and once a person was admitted', () => {
    given(booking, [placed])
      .when(cancel({ at: startsAt }))
      .then({ rejected: 'EVENT_STARTED' });
    given(booking, [placed])
      .when(cancel({ admitted: true }))
      .then({ rejected: 'ALREADY_SCANNED' });
    given(booking, [placed])
      .when(cancel({ by: 'account-erased', at: startsAt }))
      .then({ rejected: 'EVENT_STARTED' });
  });

  it('is refused to other people', () => {
    given(booking, [placed])
      .when(cancel({ userId: 'bob' }))
      .then({ rejected: 'BOOKING_NOT_FOUND' });
    given(booking, [placed])
      .when(cancel({ userId: 'ann' }))
      .thenNotRejected();
    given(booking, []).when(cancel()).then({ rejected: 'BOOKING_NOT_FOUND' });
  });

  it('by a superuser or with its listing refunds in full at any time', () => {
    for (const by of ['admin', 'listing-archived'] as const) {
      given(booking, [placed])
        .when(cancel({ by, at: hoursBefore }))
        .then([cancelled(by, 100, 5700)]);
      given(booking, [placed])
        .when(cancel({ by, at: '2027-01-01T00:00:00.000Z' }))
        .then([cancelled(by, 100, 5700)]);
    }
  });

  it('with the account follows the policy, and refunds in full if a superuser deletes the account', () => {
    given(booking, [placed])
      .when(cancel({ by: 'account-erased', at: daysBefore }))
      .then([cancelled('account-erased', 80, 4560)]);
    given(booking, [placed])
      .when(cancel({ by: 'account-removed', at: hoursBefore }))
      .then([cancelled('account-removed', 100, 5700)]);
    given(booking, [placed])
      .when(cancel({ by: 'account-removed', at: startsAt }))
      .then({ rejected: 'EVENT_STARTED' });
  });

  it('happens once, and a late repeat of an older cancellation has no effect', () => {
    const once = [placed, cancelled('customer', 100, 5700)];
    given(booking, once).when(cancel()).thenNothing();
    given(booking, [...once, refunded])
      .when(cancel())
      .thenNothing();
    given(booking, [...once, reinstated])
      .when(cancel())
      .thenNothing();
    given(booking, [...once, reinstated])
      .when(cancel({ cancellation: 2 }))
      .then([cancelled('customer', 100, 5700)]);
  });
});

describe('the quote of a cancellation', () => {
  const ask = (more: Partial<CancellationRequest> = {}, history: BookingEvent[] = [placed]) =>
    cancellationQuote(fold(booking, history), { by: 'customer', at: daysBefore, startsAt, ...more });

  it('equals the refund of the decision', () => {
    expect(ask()).toEqual({ allowed: true, percent: 80, refund: 4560 });
    expect(ask({ at: hoursBefore })).toEqual({ allowed: true, percent: 0, refund: 0 });
  });

  it('names the reason for a refusal', () => {
    const refused = { allowed: false, percent: 0, refund: 0 };
    expect(ask({ at: startsAt })).toEqual({ ...refused, why: 'EVENT_STARTED' });
    expect(ask({ admitted: true })).toEqual({ ...refused, why: 'ALREADY_SCANNED' });
    expect(ask({}, [placed, cancelled('customer', 80, 4560)])).toEqual({
      ...refused,
      why: 'BOOKING_NOT_CANCELLABLE',
    });
    expect(ask({}, [])).toEqual({ ...refused, why: 'BOOKING_NOT_FOUND' });
  });

  it('numbers the cancellations', () => {
    expect(cancellationNumber(fold(booking, [placed]))).toBe(1);
    expect(cancellationNumber(fold(booking, [placed, cancelled('admin', 100, 5700)]))).toBe(1);
    expect(cancellationNumber(fold(booking, [placed, cancelled('admin', 100, 5700), reinstated]))).toBe(2);
    expect(cancellationNumber(fold(booking, [unfilled, reinstated]))).toBe(2);
  });
});

describe('reinstating a booking', () => {
  const history = [placed, cancelled('admin', 100, 5700)];
  const reinstate = { type: 'Reinstate', cancellation: 1 } as const;

  it('undoes the last cancellation', () => {
    given(booking, history).when(reinstate).then([reinstated]);
    given(booking, [placed]).when(reinstate).thenNothing();
    given(booking, [...history, reinstated, cancelled('admin', 100, 5700)])
      .when(reinstate)
      .thenNothing();
  });

  it('is refused once the refund was paid', () => {
    given(booking, [...history, refunded])
      .when(reinstate)
      .then({ rejected: 'REFUND_SETTLED' });
  });

  it('has no effect after a later cancellation was refunded', () => {
    given(booking, [...history, reinstated, cancelled('admin', 100, 5700), refunded])
      .when(reinstate)
      .thenNothing();
  });
});

describe('refunding a booking', () => {
  const mark = (amount: number): BookingCommand => ({ type: 'MarkRefunded', amount });

  it('is final, and only possible for a cancelled booking', () => {
    const history = [placed, cancelled('admin', 100, 5700)];
    given(booking, history).when(mark(5700)).then([refunded]);
    given(booking, [...history, refunded])
      .when(mark(5700))
      .thenNothing();
    given(booking, [placed]).when(mark(5700)).then({ rejected: 'CONFLICT' });
    given(booking, history).when(mark(5701)).then({ rejected: 'REFUND_TOO_LARGE' });
  });
});

describe('reissuing a ticket', () => {
  it('raises the epoch once for each command', () => {
    const reissued: BookingEvent = { type: 'TicketReissued', data: { ...ref, epoch: 1 } };
    given(booking, [placed]).when({ type: 'ReissueTicket', epoch: 1 }).then([reissued]);
    given(booking, [placed, reissued]).when({ type: 'ReissueTicket', epoch: 1 }).thenNothing();
    given(booking, [placed, cancelled('admin', 100, 5700)])
      .when({ type: 'ReissueTicket', epoch: 1 })
      .then({ rejected: 'TICKET_CANCELLED' });
  });
});

describe('a note on a booking', () => {
  it('is stored with the booking in any state and changes nothing else', () => {
    const noted: BookingEvent = { type: 'BookingNoted', data: { ...ref, note: 'Will call back' } };
    for (const history of [[placed], [placed, cancelled('customer', 100, 5700)], [unfilled]]) {
      const made = given(booking, history).when({ type: 'AddNote', note: 'Will call back' });
      made.then([noted]);
      expect(made.state).toEqual(fold(booking, history));
    }
  });

  it('requires an existing booking', () => {
    given(booking, []).when({ type: 'AddNote', note: 'Will call back' }).thenRejected('BOOKING_NOT_FOUND');
  });
});
