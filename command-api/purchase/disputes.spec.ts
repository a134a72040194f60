import { expect, it } from 'vitest';
import { admission } from '#domain/admission/admission.ts';
import { dispute } from '#domain/dispute/dispute.ts';
import { Fuse } from '#tests/kit/fuse.ts';
import { openWorld } from '#tests/kit/world.ts';
import { cancelBooking } from './cancel.ts';
import { followDisputes } from './disputes.ts';

const DAY = 24 * 3_600_000;

const sold = async () => {
  const world = await openWorld();
  await world.buy(world.process());
  const intentId = world.gateway.intents.keys().next().value ?? '';
  return { world, intentId };
};
/** What the provider's webhook sets off. */
const follow = ({ world, intentId }: Awaited<ReturnType<typeof sold>>, fuse?: Fuse) => {
  const { purchases, acting } = world.process(fuse);
  return followDisputes(purchases, intentId, acting({ kind: 'system' }));
};
/** Whether the door turns the tickets away. */
const turnedAway = async ({ world }: Awaited<ReturnType<typeof sold>>) =>
  (await world.process().handler.state(admission, 101)).state.suspended;

it('a disputed payment keeps the tickets suspended until the dispute is won, wherever the process is killed', async () => {
  for (const when of ['before', 'after'] as const)
    for (let step = 0; step < 4; step += 1) {
      const sale = await sold();
      for (const status of ['open', 'lost', 'won'] as const) {
        sale.world.gateway.disputeBecomes(sale.intentId, status);
        await follow(sale, new Fuse(step, when)).catch(() => undefined);
        await follow(sale);
        expect([status, await turnedAway(sale)]).toEqual([status, status !== 'won']);
      }
    }
});

it('a dispute that is already closed is not reopened by a process that read it earlier', async () => {
  const sale = await sold();
  sale.world.gateway.disputeBecomes(sale.intentId, 'open');
  // Killed after the dispute was recorded: what it still had to say is said below, too late.
  await follow(sale, new Fuse(2, 'after')).catch(() => undefined);
  const { handler, acting } = sale.world.process();
  const { revision: asOf } = await handler.state(dispute, 101);
  expect(asOf).toBe(0);
  sale.world.gateway.disputeBecomes(sale.intentId, 'won');
  await follow(sale);
  const late = { type: 'FollowDisputes', bookingId: 101, listingId: 7, moneyGone: true, asOf } as const;
  await acting().do(admission, 101, late);
  expect(await turnedAway(sale)).toBe(false);
});

it('a dispute that arrives before the booking suspends its tickets, and leaves a cancellation unchanged', async () => {
  const world = await openWorld();
  await world.buy(world.process(), 'ann', { pays: false });
  const intentId = world.gateway.intents.keys().next().value ?? '';
  world.gateway.pay(intentId);
  world.gateway.disputeBecomes(intentId, 'open');
  await follow({ world, intentId });
  expect(await world.book(world.process(), 'ann', {})).toBe('booked');
  expect(await turnedAway({ world, intentId })).toBe(true);
  const { purchases, acting } = world.process();
  const asked = { bookingId: 101, by: 'customer', reason: 'I have fallen ill', userId: 'ann' } as const;
  await cancelBooking(purchases, asked, acting());
  world.gateway.disputeBecomes(intentId, 'won');
  await follow({ world, intentId });
  await world.work(world.process(), world.clock().getTime() + DAY);
  const { state } = await world.process().handler.state(admission, 101);
  expect(state).toMatchObject({ suspended: false, voided: 'cancelled' });
});

it('an inquiry suspends no ticket until it becomes a dispute', async () => {
  const sale = await sold();
  for (const status of ['inquiry', 'open', 'won'] as const) {
    sale.world.gateway.disputeBecomes(sale.intentId, status);
    await follow(sale);
    expect([status, await turnedAway(sale)]).toEqual([status, status === 'open']);
  }
});
