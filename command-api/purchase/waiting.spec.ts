import { expect, it } from 'vitest';
import { initial, type Sale } from '#domain/inventory/state.ts';
import { buyersAmong } from './waiting.ts';

it('the waiting list reads a large listing’s sales without blocking other work', async () => {
  const out: Sale = { userId: '', quantity: 1, returned: 0, retaken: 0, givenUp: 0 };
  const sales = initial.sales.withMutations((all) => {
    for (let id = 1; id <= 20_000; id++) all.set(id, { ...out, userId: `buyer ${id}` });
    all.set(7, { ...out, userId: 'buyer 7', returned: 1 });
  });
  const asked = new Set(['buyer 7', 'buyer 8', 'buyer 19999', 'somebody else']);
  let turns = 0;
  let over = false;
  const others = (): void => {
    turns += 1;
    if (!over) setImmediate(others);
  };
  setImmediate(others);
  const found = await buyersAmong({ sales }, (userId) => asked.has(userId));
  over = true;
  expect([...found].sort()).toEqual(['buyer 19999', 'buyer 8']);
  expect(turns).toBeGreaterThanOrEqual(3);
});
