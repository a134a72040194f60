import { expect, it } from 'vitest';
import { CODE, LISTING, PRICE, World } from '#tests/kit/world.ts';

it('books what was chosen last, though this process remembers another choice', async () => {
  const world = new World();
  await world.open(10, 100);
  const one = world.process();
  const other = world.process();
  const chosen = (quantity: number) => ({ quantity, code: CODE, amount: 0, pays: false });
  expect(await world.buy(one, 'ann', chosen(2))).toBe('held');
  expect(await world.buy(other, 'ann', chosen(3))).toBe('held');
  const wanted = { listingId: LISTING, quantity: 3, totalAmount: 0 };
  const { booking } = await one.purchases.checkouts.book('ann', wanted, one.acting());
  expect(booking.facts?.quote).toMatchObject({ quantity: 3, total: 0, discount: 3 * PRICE });
});
