import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Discount } from '#domain/promotion/discount.ts';
import { quotePrice } from './quote.ts';

const price = (unitPrice: number, quantity: number, discount?: Discount) => {
  const promotion = discount ? { promotionId: 7, code: 'SPRING', ...discount } : null;
  return quotePrice({ unitPrice, quantity, promotion });
};
const percent = (discountValue: number): Discount => ({ discountType: 'percentage', discountValue });
const fixed = (discountValue: number): Discount => ({ discountType: 'fixed', discountValue });

describe("the server's price", () => {
  it('is unit price times quantity', () => {
    expect(price(2850, 2)).toEqual({
      unitPrice: 2850,
      quantity: 2,
      discount: 0,
      total: 5700,
      currency: 'gbp',
      promotion: null,
    });
  });

  it('names the promotion included in it', () => {
    expect(price(2850, 2, percent(10))).toMatchObject({
      discount: 570,
      total: 5130,
      promotion: { promotionId: 7, code: 'SPRING' },
    });
  });

  it.each([
    ['a percentage rounds half up to the penny', 1005, 1, percent(10), 101, 904],
    ['a percentage is of the whole booking, not of each ticket', 1005, 2, percent(10), 201, 1809],
    ['a fixed discount is taken once a booking', 2000, 3, fixed(500), 500, 5500],
    ['a discount never goes below nothing', 2000, 1, fixed(5000), 2000, 0],
    ['all of it', 2000, 2, percent(100), 4000, 0],
    ['exactly the smallest charge stands', 2000, 1, fixed(1970), 1970, 30],
  ])('is computed exactly: %s', (_, unitPrice, quantity, discount, off, total) => {
    expect(price(unitPrice, quantity, discount)).toMatchObject({ discount: off, total });
  });

  it('is refused if it is above 0 and below the smallest charge', () => {
    expect(price(29, 1)).toEqual({ rejected: 'AMOUNT_TOO_SMALL' });
    expect(price(2000, 1, fixed(1999))).toEqual({ rejected: 'AMOUNT_TOO_SMALL' });
  });

  it('always adds up', () => {
    const discounts = fc.option(
      fc.oneof(fc.integer({ min: 0, max: 100 }).map(percent), fc.nat(9999).map(fixed)),
    );
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.integer({ min: 1, max: 10 }),
        discounts,
        (unitPrice, quantity, discount) => {
          const quote = price(unitPrice, quantity, discount ?? undefined);
          if ('rejected' in quote) return;
          expect(quote.total).toBe(unitPrice * quantity - quote.discount);
          expect(quote.total === 0 || quote.total >= 30).toBe(true);
          expect(Number.isInteger(quote.total)).toBe(true);
        },
      ),
    );
  });
});
