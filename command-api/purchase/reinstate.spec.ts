/** Reinstatements in memory, with the process killed before and after every step. */
import { expect, it } from 'vitest';
import { inventory } from '#domain/inventory/inventory.ts';
import { Fuse } from '#tests/kit/fuse.ts';
import { LISTING, openWorld, type Process, type World } from '#tests/kit/world.ts';
import { cancelBooking } from './cancel.ts';
import { reinstateBooking } from './reinstate.ts';

const BOOKING = 101;

/** A booking of two tickets that a superuser has cancelled, so that its refund awaits review. */
const cancelled = async (capacity = 2): Promise<World> => {
  const world = await openWorld(capacity);
  const { purchases, acting } = world.process();
  await world.buy(world.process());
  await cancelBooking(purchases, { bookingId: BOOKING, by: 'admin', reason: 'By telephone' }, acting());
  await world.work(world.process());
  return world;
};
const reinstate = ({ purchases, acting }: Process) => reinstateBooking(purchases, BOOKING, acting());
const told = async (world: World) => {
  const { bookings, tickets } = await world.truth();
  return [bookings[0]?.booked.status, bookings[0]?.money.phase, tickets.sold];
};
const STANDS = ['confirmed', 'denied', 2];

it('a reinstatement confirms the booking once and mails its ticket', async () => {
  const world = await cancelled();
  expect(await told(world)).toEqual(['cancelled', 'requested', 0]);
  const process = world.process();
  expect(await Promise.all([reinstate(process), reinstate(process), reinstate(world.process())])).toEqual([
    'done',
    'done',
    'done',
  ]);
  expect(await told(world)).toEqual(STANDS);
  expect(world.left).toBe(0);
  await world.work(world.process());
  expect([...world.mails.values()].map(({ kind }) => kind)).toEqual([
    'booking-confirmation',
    'booking-cancelled',
    'booking-reinstated',
  ]);
});

it('a reinstatement gives tickets to a paid booking that had none, and a later refund is announced', async () => {
  const world = await openWorld(2);
  const process = world.process();
  const id = await world.dawdle(process);
  await world.buy(process, 'bob');
  world.gateway.setIntent(id, 'succeeded');
  world.gateway.refundsBecome('failed');
  await world.reconcile(process);
  await world.work(process);
  expect(await told(world)).toEqual(['cancelled', 'failed', 2]);
  expect(await world.book(process, 'ann', {})).toMatchObject({ failed: { code: 'SOLD_OUT' } });

  await process.acting().do(inventory, LISTING, { type: 'ChangeCapacity', capacity: 4 });
  expect(await reinstate(process)).toBe('done');
  for (const asked of [process, world.process()]) expect(await world.book(asked, 'ann', {})).toBe('booked');
  expect(await told(world)).toEqual(['confirmed', 'denied', 4]);

  world.gateway.refundsBecome('succeeded');
  const request = { bookingId: BOOKING, by: 'customer', reason: 'We can not come', userId: 'ann' } as const;
  await cancelBooking(process.purchases, request, process.acting());
  await world.work(world.process());
  expect(await told(world)).toEqual(['refunded', 'succeeded', 2]);
  expect([...world.mails.values()].map(({ kind }) => kind)).toContain('refund-completed');
});

it('a reinstatement is finished by a job, wherever it was interrupted', async () => {
  for (const when of ['before', 'after'] as const) {
    for (let step = 0; ; step++) {
      const world = await cancelled();
      const fuse = new Fuse(step, when);
      await reinstate(world.process(fuse)).catch(() => undefined);
      await world.work(world.process());
      expect(await told(world)).toEqual(STANDS);
      expect(world.left).toBe(0);
      if (!fuse.blown) {
        expect(step).toBeGreaterThan(3);
        break;
      }
    }
  }
});

it('a refused reinstatement does not stop another one in progress', async () => {
  const world = await cancelled();
  const { append } = world.log;
  // Just before it withdraws the refund, others buy the tickets, and a second superuser is refused.
  world.log.append = async (batch) => {
    world.log.append = append;
    await world.buy(world.process(), 'bob');
    expect(await reinstate(world.process())).toMatchObject({ rejected: 'SOLD_OUT' });
    return append.call(world.log, batch);
  };
  await reinstate(world.process(new Fuse(0, 'after'))).catch(() => undefined);
  expect(await told(world)).toEqual(['cancelled', 'denied', 2]);
  await world.work(world.process());
  expect(await told(world)).toEqual(['cancelled', 'requested', 2]);
  expect(world.left).toBe(0);
});

it('a reinstatement that is refused at once leaves no job', async () => {
  const world = await cancelled();
  const before = (await world.types()).length;
  await world.process().acting().do(inventory, LISTING, { type: 'ChangeCapacity', capacity: 1 });
  expect(await reinstate(world.process())).toMatchObject({ rejected: 'SOLD_OUT' });
  expect(await reinstateBooking(world.process().purchases, 999, world.process().acting())).toMatchObject({
    rejected: 'BOOKING_NOT_FOUND',
  });
  expect((await world.types()).slice(before)).toEqual(['CapacityChanged']);
  expect(world.left).toBe(0);
});
