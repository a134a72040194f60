/** A cancelled booking in memory, for the specs of its payout. */
import { expect } from 'vitest';
import { booking } from '#domain/booking/booking.ts';
import { isLive, sum } from '#domain/refund/paid-back.ts';
import { refund } from '#domain/refund/refund.ts';
import { quoteOf, Sale } from './sale.ts';

export const BOOKING = 1;
export const INTENT = 'pi_ann1';
const DAY = 24 * 3_600_000;

/** A customer's booking of £20.00, cancelled within a week before the start, so that £16.00 are to be paid back. */
export class Cancelled extends Sale {
  constructor(before: (sale: Sale) => void = () => undefined) {
    super(2);
    this.booked('ann', quoteOf(2, 2000, false));
    this.now = Date.parse(this.startsAt) - 3 * DAY;
    before(this);
    this.now += 60_000;
    const request = this.request(BOOKING, 'customer');
    expect(request && this.cancellation(BOOKING, request).run()).toBe('done');
  }

  /** The provider comes back and ends what is under way, and the jobs run, two at once, until nothing moves any more. */
  finish(): void {
    this.refundsBecome = 'succeeded';
    this.down = false;
    for (let round = 0; round < 10; round++) {
      const before = [this.eventCount(), this.refunds];
      for (const { id, status } of this.refunds) if (status === 'pending') this.endRefund(id, 'succeeded');
      this.follow(BOOKING).run();
      this.now += DAY;
      const [one, other] = [this.payout(BOOKING, { task: 'pay' }), this.payout(BOOKING, { task: 'pay' })];
      for (let n = 0; n < 100 && (one.rest === undefined || other.rest === undefined); n++) {
        one.step();
        if (n % 3 !== 0) other.step();
      }
      if (before[0] === this.eventCount() && before[1] === this.refunds) return;
    }
    throw new Error('it never ends');
  }

  /** What the customer has back, and what the streams say of it. */
  get told() {
    const { phase, refunded, byHand, failure } = this.state(refund, BOOKING);
    const { status } = this.state(booking, BOOKING);
    return { back: sum(this.refunds.filter(isLive)), phase, refunded, byHand, failure, status };
  }
}
