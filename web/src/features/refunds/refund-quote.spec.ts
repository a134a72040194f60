import { expect, test } from 'vitest';
import { approvalQuote } from './refund-quote.ts';

test('an approval is quoted as the requested amount, or as the whole one if that was denied or nothing', () => {
  const paidAmount = '57.00';
  expect(approvalQuote({ status: 'processing', refundAmount: '45.60', paidAmount })).toBe('45.60');
  expect(approvalQuote({ status: 'denied', refundAmount: '45.60', paidAmount })).toBe('57.00');
  expect(approvalQuote({ status: 'processing', refundAmount: '0.00', paidAmount })).toBe('57.00');
});
