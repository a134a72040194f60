/** Reminders in memory: who gets them, and when, where the clock goes on to the event. */
import { expect, it } from 'vitest';
import { cancelBooking } from '#command-api/purchase/cancel.ts';
import { listing } from '#domain/listing/listing.ts';
import { LISTING, openWorld, type World } from '#tests/kit/world.ts';

const DAY = 24 * 3_600_000;
const BOOKING = 101;

/** A listing on the first of April, with a booking of Ann's and one of Bob's. */
const booked = async (): Promise<World> => {
  const world = await openWorld(10);
  for (const buyer of ['ann', 'bob']) expect(await world.buy(world.process(), buyer)).toBe('booked');
  await world.work(world.process());
  return world;
};
/** Moves the listing. */
const move = async (world: World, date: string, time = '19:30'): Promise<void> => {
  const acting = world.process().acting({ kind: 'user', id: 'sue', role: 'superuser' });
  const { details } = (await acting.state(listing, LISTING)).state;
  if (!details) throw new Error('there is no listing');
  const start = { date, time, zone: 'Europe/London' };
  await acting.do(listing, LISTING, { type: 'EditListing', details, start, at: acting.context.at });
};
/** Lets all days pass until the event is over. Resolves to who was reminded, and when that was due. */
const reminded = async (world: World) => {
  await world.work(world.process(), world.clock().getTime() + 400 * DAY);
  return [...world.mails.values()]
    .filter(({ kind }) => kind === 'event-reminder')
    .map(({ accountId, since }) => `${accountId} ${since?.slice(0, 16)}`);
};

it('reminders are mailed seven days and 24 hours before the event, once for each booking', async () => {
  const world = await booked();
  expect(await reminded(world)).toEqual([
    'ann 2026-03-25T18:30',
    'bob 2026-03-25T18:30',
    'ann 2026-03-31T18:30',
    'bob 2026-03-31T18:30',
  ]);
  expect(world.jobs.size).toBe(0);
});

it('reminders are not mailed for cancelled bookings', async () => {
  const world = await booked();
  const { purchases, acting } = world.process();
  const request = { by: 'customer', userId: 'ann', reason: 'I have caught a cold' } as const;
  await cancelBooking(purchases, { bookingId: BOOKING, ...request }, acting());
  expect(await reminded(world)).toEqual(['bob 2026-03-25T18:30', 'bob 2026-03-31T18:30']);
});

it('reminders follow a moved event, at most one a day', async () => {
  const world = await booked();
  await move(world, '2026-05-01');
  // By then the first one has gone out.
  await world.work(world.process(), Date.parse('2026-04-25T00:00:00Z'));
  await move(world, '2026-05-01', '20:00');
  await move(world, '2026-05-10');
  await move(world, '2026-05-01');
  const anns = (await reminded(world)).filter((one) => one.startsWith('ann'));
  expect(anns).toEqual(['ann 2026-04-24T18:30', 'ann 2026-04-30T18:30']);
});

it('reminders are mailed to later buyers too, except to those who buy on the day', async () => {
  const world = await booked();
  world.pass(26 * DAY);
  expect(await world.buy(world.process(), 'cleo')).toBe('booked');
  world.pass(4 * DAY + 12 * 3_600_000);
  await world.work(world.process(), world.clock().getTime());
  expect(await world.buy(world.process(), 'dan')).toBe('booked');
  expect((await reminded(world)).filter((one) => /cleo|dan/.test(one))).toEqual(['cleo 2026-03-31T18:30']);
});
