import { describe, expect, test } from 'vitest';
import type { CancellationQuote } from '#domain/contracts/bookings.ts';
import { sayCancelled, sayQuote } from './cancel-text.ts';

const quote: CancellationQuote = {
  cancellable: true,
  notCancellable: null,
  paid: '57.00',
  percent: 80,
  refundAmount: '45.60',
  policy: [{ hours: 24, percent: 80 }],
  rescheduled: false,
};

const nothing = { message: '', refundApproved: false, refundAmount: '0.00', refundPercent: 0 };
const FREE = 'It was free, so there is nothing to pay back.';

describe('a cancellation’s text', () => {
  test('shows the quoted amount and its reason', () => {
    expect(sayQuote(quote)).toMatch(/^80% of the £57\.00 you paid\. Refunds reach your card/);
    expect(sayQuote({ ...quote, percent: 100, rescheduled: true })).toMatch(
      /, because the event was moved\./,
    );
    expect(sayQuote({ ...quote, percent: 0, refundAmount: '0.00' })).toBe(
      'Nothing of the £57.00 you paid: it is too late for that.',
    );
  });

  test('shows the refund, or that the rule gives none', () => {
    const paid = { message: '', refundApproved: true, refundAmount: '45.60', refundPercent: 80 };
    expect(sayCancelled(paid, '57.00')).toMatch(/^£45\.60 goes back to your card/);
    expect(sayCancelled(nothing, '57.00')).toBe('Under the refund policy nothing comes back.');
  });

  test('of a free booking mentions neither card nor rule', () => {
    expect(sayQuote({ ...quote, paid: '0.00', percent: 100, refundAmount: '0.00' })).toBe(FREE);
    expect(sayCancelled({ ...nothing, refundPercent: 100 }, '0.00')).toBe(FREE);
  });
});
