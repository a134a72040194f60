import { expect, it } from 'vitest';
import { expectFair } from '#tests/kit/fair.ts';
import { CODE, PRICE, World } from '#tests/kit/world.ts';

const opened = async (capacity?: number): Promise<World> => {
  const world = new World();
  await world.open(capacity);
  return world;
};

it('goes on for whoever holds the last tickets, while others are told that there are none', async () => {
  const world = await opened(2);
  const process = world.process();
  expect(await world.buy(process, 'ann', { pays: false })).toBe('held');
  expect(await world.buy(process, 'bob')).toMatchObject({
    failed: { code: 'SOLD_OUT', details: { available: 0 } },
  });
  expect(await world.buy(process, 'ann', { pays: false })).toBe('held');
  expect(world.gateway.intents.size).toBe(1);
  expect(await world.buy(process, 'ann', { quantity: 1 })).toBe('booked');
  expect(await world.buy(process, 'bob')).toMatchObject({ failed: { code: 'SOLD_OUT' } });
  await world.work(world.process());
  await expectFair(world);
});

it('asks the tickets first where they ran out a moment ago, and writes nothing', async () => {
  const world = await opened(2);
  const process = world.process();
  expect(await world.buy(process, 'ann', { pays: false })).toBe('held');
  expect(await world.buy(process, 'bob')).toMatchObject({ failed: { code: 'SOLD_OUT' } });
  const before = await world.types();
  expect(await world.buy(process, 'bob')).toMatchObject({ failed: { code: 'SOLD_OUT' } });
  expect(await world.types()).toEqual(before);
});

it('leaves whoever asks for more than there are with what they hold', async () => {
  const world = await opened(2);
  const process = world.process();
  expect(await world.buy(process, 'ann', { pays: false })).toBe('held');
  expect(await world.buy(process, 'ann', { quantity: 3 })).toMatchObject({
    failed: { code: 'SOLD_OUT', details: { available: 2 } },
  });
  expect((await world.truth()).tickets.held).toBe(2);
  expect(await world.buy(process, 'ann')).toBe('booked');
});

it('leaves no use of a code unredeemed by somebody who buys again at once', async () => {
  const world = await opened();
  const process = world.process();
  expect(await world.buy(process, 'ann', { code: CODE, amount: 2 * PRICE * 0.9 })).toBe('booked');
  expect(await world.buy(process, 'ann')).toBe('booked');
  await world.work(world.process());
  await expectFair(world);
});
