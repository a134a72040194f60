import { expect, it } from 'vitest';
import { booking } from '#domain/booking/booking.ts';
import { dispute } from '#domain/dispute/dispute.ts';
import { refund } from '#domain/refund/refund.ts';
import { openWorld, PRICE } from '#tests/kit/world.ts';
import { cancelBooking } from './cancel.ts';

const DAY = 24 * 3_600_000;

it('a refund that the provider keeps refusing goes to a superuser, whose approval retries it', async () => {
  const world = await openWorld();
  const process = world.process();
  await world.buy(process);
  world.gateway.refundsBecome('failed');
  const asked = { bookingId: 101, by: 'customer', reason: 'I have fallen ill', userId: 'ann' } as const;
  await cancelBooking(process.purchases, asked, process.acting());
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

it('a refund is not paid while the payment is disputed, until the dispute is won', async () => {
  const world = await openWorld();
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
  await cancelBooking(process.purchases, asked, process.acting());
  expect(await paidBack()).toBe(0);
  await told('lost');
  expect(await paidBack()).toBe(0);
  await told('won');
  expect(await paidBack()).toBe(2 * PRICE);
});

const HOUR = 3_600_000;
const WHOLE = 2 * PRICE;

/** A booking that Ann has paid. `hear`: a webhook tells of a refund, and its work is done; `cancel`: she does. */
const paid = async () => {
  const world = await openWorld();
  const process = world.process();
  await world.buy(process);
  const [intent] = world.gateway.intents.values();
  const intentId = intent?.id ?? '';
  const job = { kind: 'provider-refund', subject: intentId, payload: { intentId }, tries: 0 } as const;
  const { 'provider-refund': follow } = world.handlers(process);
  const never = new AbortController().signal;
  const asked = { bookingId: 101, by: 'customer', reason: 'I have fallen ill', userId: 'ann' } as const;
  return {
    ...{ world, process, intentId, job },
    hear: (id = 'webhook:1') => follow({ ...job, id, dueAt: world.clock() }, never),
    cancel: () => cancelBooking(process.purchases, asked, process.acting()),
    work: (hours = 48) => world.work(process, world.clock().getTime() + hours * HOUR),
    /** What the customer has back from the provider, and what the site says of it. */
    async now() {
      const { refunded, bookings } = await world.truth();
      const { phase, refunded: said, byHand, attempt } = bookings[0]?.money ?? { phase: 'none' };
      return { back: refunded.get(intentId) ?? 0, phase, said, byHand, attempt };
    },
  };
};

it('a refund by hand counts as the refund of a later cancellation', async () => {
  const { world, intentId, cancel, work, now } = await paid();
  const { id } = world.gateway.refundByHand(intentId, WHOLE);
  await cancel();
  await work();
  expect(world.left).toBe(0);
  expect(await now()).toEqual({ back: WHOLE, phase: 'succeeded', said: WHOLE, byHand: WHOLE, attempt: 1 });
  const { bookings } = await world.truth();
  expect(bookings).toMatchObject([{ booked: { status: 'refunded' }, money: { providerRefundId: id } }]);
});

it('a refund by hand ends the site’s own retries', async () => {
  const { world, process, intentId, cancel, work, hear, now } = await paid();
  world.gateway.refundsBecome('failed');
  await cancel();
  await work();
  expect(await now()).toMatchObject({ back: 0, phase: 'failed', attempt: 4 });
  world.gateway.refundsBecome('succeeded');
  world.gateway.refundByHand(intentId, WHOLE);
  await hear();
  await work();
  expect(await now()).toEqual({ back: WHOLE, phase: 'succeeded', said: WHOLE, byHand: WHOLE, attempt: 4 });
  const again = process.acting().do(refund, 101, { type: 'Approve', notes: '' });
  await expect(again).rejects.toMatchObject({ code: 'REFUND_SETTLED' });
});

it('a refund by hand is found without a webhook', async () => {
  const { world, process, intentId, cancel, work, now } = await paid();
  world.gateway.refundsBecome('failed');
  await cancel();
  await work();
  world.gateway.refundsBecome('succeeded');
  world.gateway.refundByHand(intentId, WHOLE);
  await process.acting().do(refund, 101, { type: 'Approve', notes: '' });
  await work();
  expect(await now()).toMatchObject({ back: WHOLE, phase: 'succeeded', attempt: 5 });
});

it('a refund pays the remainder if part was paid back by hand', async () => {
  const { world, intentId, cancel, work, now } = await paid();
  world.gateway.refundByHand(intentId, 1_200);
  await cancel();
  await work();
  expect(await now()).toEqual({ back: WHOLE, phase: 'succeeded', said: WHOLE, byHand: 1_200, attempt: 1 });
});

it('a refund pays its full amount besides an earlier goodwill payment, and never counts a refund twice', async () => {
  for (const [before, since, back] of [
    [500, 0, 4_500],
    [0, 500, 4_000],
    [4_800, 0, 4_800],
  ] as const) {
    const { world, intentId, cancel, work, now } = await paid();
    // Less than a week before the start 80% go back.
    world.pass(30 * DAY - 12 * HOUR);
    if (before > 0) world.gateway.refundByHand(intentId, before);
    world.pass(HOUR);
    world.gateway.refundsBecome('failed');
    await cancel();
    await work(0);
    world.gateway.refundsBecome('succeeded');
    if (since > 0) world.gateway.refundByHand(intentId, since);
    await work();
    expect(await now()).toMatchObject({ back, phase: 'succeeded', said: 0.8 * WHOLE });
  }
});

it('a refund waits for a pending refund by hand, and is paid if that fails', async () => {
  for (const fate of ['succeeded', 'failed'] as const) {
    const { world, intentId, cancel, work, now } = await paid();
    world.gateway.refundsBecome('pending');
    const { id } = world.gateway.refundByHand(intentId, WHOLE);
    world.gateway.refundsBecome('succeeded');
    await cancel();
    await work(1);
    expect(await now()).toMatchObject({ back: 0, phase: 'submitted' });
    world.gateway.settleRefund(id, fate);
    await work();
    const byHand = fate === 'succeeded' ? WHOLE : 0;
    expect(await now()).toMatchObject({ back: WHOLE, phase: 'succeeded', byHand });
  }
});

it('a refund is paid again if a refund by hand was reversed', async () => {
  const { world, intentId, cancel, work, hear, now } = await paid();
  const { id } = world.gateway.refundByHand(intentId, WHOLE);
  await cancel();
  await work();
  world.gateway.settleRefund(id, 'failed', 'expired_or_canceled_card');
  await hear();
  expect(await now()).toMatchObject({ phase: 'failed', byHand: 0 });
  await work();
  await hear();
  expect(await now()).toEqual({ back: WHOLE, phase: 'succeeded', said: WHOLE, byHand: 0, attempt: 2 });
});

it('a full refund by hand of a confirmed booking asks a person to decide, once', async () => {
  const { world, process, intentId, job, cancel, hear } = await paid();
  world.gateway.refundByHand(intentId, 1_200);
  await hear();
  expect(world.jobs).not.toContainEqual(expect.objectContaining({ kind: 'provider-refund' }));
  world.gateway.refundByHand(intentId, WHOLE - 1_200);
  await hear('webhook:2');
  await hear('webhook:3');
  const listed = [...world.jobs.values()].filter(({ kind }) => kind === 'provider-refund');
  expect(listed).toHaveLength(1);
  const id = listed[0]?.id ?? '';
  await expect(hear(id)).rejects.toThrow('£50.00 was paid back by hand, but booking 101 stands');
  expect(world.errors).toEqual([expect.stringContaining('£50.00 was paid back by hand')]);
  expect((await process.acting().state(booking, 101)).state.status).toBe('confirmed');
  // Whoever has decided it is not shown it for minutes more.
  const rests = () => {
    const dueAt = new Date(world.clock().getTime() + HOUR);
    world.jobs.set(id, { ...job, id, dueAt });
  };
  const isDue = () => world.jobs.get(id)?.dueAt.getTime() === world.clock().getTime();
  rests();
  await hear('webhook:4');
  await world.react();
  expect(isDue()).toBe(false);
  await cancel();
  await world.react();
  expect(isDue()).toBe(true);
  rests();
  await hear('webhook:5');
  expect(isDue()).toBe(true);
  expect(await hear(id)).toBeUndefined();
});

it('a refund by hand makes the site check a payment that it did not know', async () => {
  const { world, intentId, hear } = await paid();
  const id = `to-decide:intent:${intentId}`;
  const dueAt = new Date(world.clock().getTime() + HOUR);
  world.jobs.set(id, { id, kind: 'intent', subject: intentId, payload: { intentId }, tries: 5, dueAt });
  world.gateway.refundByHand(intentId, WHOLE);
  await hear();
  expect(world.jobs.get(id)?.dueAt).toEqual(world.clock());
});

it('a refund from before a restore is found, and a person is asked to cancel the booking that is confirmed again', async () => {
  const { world, process, intentId, cancel, hear, now } = await paid();
  // The refund of a cancellation that is gone with the log, at 80%.
  await world.gateway.refund({ intentId, bookingId: 101, attempt: 2, amount: 4_000 });
  const refundId = [...world.gateway.refunds.keys()][0] ?? '';
  // Another site's on the same account, which has a booking of that number too.
  await world.buy(process, 'bob', { quantity: 1 });
  const purchase = { attempt: 'theirs', bookingId: 102, userId: 'eve', listingId: 9 };
  const { id: theirs } = await world.gateway.createIntent({ purchase, amount: 900 });
  world.gateway.pay(theirs);
  await world.gateway.refund({ intentId: theirs, bookingId: 102, attempt: 9, amount: 900 });
  world.pass(HOUR);
  const { reconcile } = world.handlers(process);
  const job = { id: 'reconcile', kind: 'reconcile', subject: '', payload: {}, tries: 0 } as const;
  await reconcile({ ...job, dueAt: world.clock() }, new AbortController().signal);
  const made = [...world.jobs.values()].filter(({ kind }) => kind === 'provider-refund');
  expect(made.map(({ subject }) => subject)).toEqual([theirs, intentId]);
  expect(await hear(made[1]?.id)).toBeUndefined();
  const listed = `to-decide:provider-refund:${intentId}`;
  await expect(hear(listed)).rejects.toThrow(
    '£40.00 was paid back for a cancellation that is not in the log (was a backup restored?), but booking 101 stands',
  );
  expect(world.errors).toEqual([expect.stringContaining('£40.00 was paid back for a cancellation')]);
  world.gateway.settleRefund(refundId, 'failed');
  expect(await hear(listed)).toBeUndefined();
  world.gateway.settleRefund(refundId, 'succeeded');
  await expect(hear(listed)).rejects.toThrow('booking 101 stands');
  await cancel();
  expect(await hear(listed)).toBeUndefined();
  expect(await now()).toMatchObject({ back: 4_000 });
});

it('a person is asked to pay the rest if a refund from before a restore was smaller than the amount due', async () => {
  const { world, intentId, cancel, work, hear, now } = await paid();
  // The refund of a log that is gone, under the key of what will be the first attempt again.
  const whose = { intentId, bookingId: 101, attempt: 1 };
  await world.gateway.refund({ ...whose, amount: 4_000 });
  world.pass(HOUR);
  await cancel();
  await expect(work()).rejects.toThrow('£40.00 of £50.00 was paid back: pay the rest back at the provider');
  expect(await hear()).toBeUndefined();
  expect(await now()).toMatchObject({ back: 4_000, phase: 'submitted' });
  world.gateway.refundByHand(intentId, 1_000);
  await work();
  expect(await now()).toEqual({ back: WHOLE, phase: 'succeeded', said: WHOLE, byHand: 1_000, attempt: 1 });
});

it('a refund pays what is missing if a part paid by hand was reversed', async () => {
  const { world, intentId, cancel, work, hear, now } = await paid();
  world.gateway.refundsBecome('pending');
  const { id } = world.gateway.refundByHand(intentId, 1_200);
  world.gateway.refundsBecome('succeeded');
  await cancel();
  await work();
  expect(await now()).toMatchObject({ back: WHOLE - 1_200, phase: 'succeeded', byHand: 1_200 });
  world.gateway.settleRefund(id, 'failed', 'expired_or_canceled_card');
  await hear();
  await work();
  await hear();
  expect(await now()).toEqual({ back: WHOLE, phase: 'succeeded', said: WHOLE, byHand: 0, attempt: 2 });
});
