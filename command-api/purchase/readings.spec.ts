import { expect, it } from 'vitest';
import { listing } from '#domain/listing/listing.ts';
import { LISTING, openWorld } from '#tests/kit/world.ts';
import { MOST_STALE } from './readings.ts';

it.each([
  ['has gone on', MOST_STALE],
  ['was put back', -600_000],
])('a cached state is read again once the clock %s', async (_, passed) => {
  const world = await openWorld();
  const { readings } = world.process().purchases;
  expect(await readings.read(listing, LISTING)).toMatchObject({ active: true });
  await world.process().acting().do(listing, LISTING, { type: 'DeactivateListing' });
  expect(await readings.read(listing, LISTING)).toMatchObject({ active: true });
  world.pass(passed);
  expect(await readings.read(listing, LISTING)).toMatchObject({ active: false });
});

it('cached states are dropped when a person is erased', async () => {
  const world = await openWorld();
  const { readings } = world.process().purchases;
  expect(await readings.read(listing, LISTING)).toMatchObject({ active: true });
  await world.process().acting().do(listing, LISTING, { type: 'DeactivateListing' });
  expect(await readings.read(listing, LISTING)).toMatchObject({ active: true });
  await world.keys.destroy('ann');
  expect(await readings.read(listing, LISTING)).toMatchObject({ active: false });
});
