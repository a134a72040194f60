import { expect, test } from 'vitest';
import { statusOf } from './status.ts';

test('an unfilled payment is called sold out only if it was', () => {
  const cancelled = { tab: 'cancelled', status: 'cancelled' } as const;
  expect(statusOf({ ...cancelled, unfilled: 'sold_out' }).words).toBe('Sold out while you paid');
  expect(statusOf({ ...cancelled, unfilled: 'sales_closed' }).words).toBe('Sales closed while you paid');
  expect(statusOf({ ...cancelled, unfilled: null }).words).toBe('Cancelled');
});
