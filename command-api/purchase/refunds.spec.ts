import { expect, it } from 'vitest';
import { dispute } from '#domain/dispute/dispute.ts';
import { refund } from '#domain/refund/refund.ts';
import { PRICE, World } from '#tests/kit/world.ts';

const DAY = 24 * 3_600_000;

it('leaves a refund to a superuser once the provider has refused it often enough, whose approval tries it again', async () => {
  const world = new World();
  await world.open();
  const process = world.process();
  await world.buy(process);
  world.gateway.refundsBecome('failed');
  const asked = { bookingId: 101, by: 'customer', reason: 'I have fallen ill', userId: 'ann' } as const;
  await process.purchases.cancel(asked, process.acting());
  await world.work(process, world.clock().getTime() + 2 * DAY);
  expect(world.left).toBe(0);
  const given = (await world.truth()).bookings[0]?.money;
  expect(given).toMatchObject({ phase: 'failed', attempt: 4 });
  world.gateway.refundsBecome('succeeded');
  await process.acting().do(refund, 101, { type: 'Approve', notes: 'Another account' });
  await world.work(process);
  const { bookings } = await world.truth();
  expect(bookings).toMatchObject([
    { booked: { status: 'refunded' }, money: { phase: 'succeeded', attempt: 5, refunded: 2 * PRICE } },
  ]);
});

it('pays nothing back while the payment is disputed, until the dispute is won', async () => {
  const world = new World();
  await world.open();
  const process = world.process();
  await world.buy(process);
  const told = (status: 'open' | 'lost' | 'won') => {
    const whose = { bookingId: 101, userId: 'ann', listingId: 7, intentId: 'pi_1', disputeId: 'dp_1' };
    const facts = { ...whose, amount: 2 * PRICE, reason: 'fraudulent', dueBy: null };
    const openedAt = world.clock().toISOString();
    return process.acting().do(dispute, 101, { type: 'RecordDispute', status, ...facts, openedAt });
  };
  const paidBack = async () => {
    await world.work(process, world.clock().getTime() + DAY);
    return (await world.truth()).bookings[0]?.money.refunded;
  };
  await told('open');
  const asked = { bookingId: 101, by: 'customer', reason: 'I have fallen ill', userId: 'ann' } as const;
  await process.purchases.cancel(asked, process.acting());
  expect(await paidBack()).toBe(0);
  await told('lost');
  expect(await paidBack()).toBe(0);
  await told('won');
  expect(await paidBack()).toBe(2 * PRICE);
});
