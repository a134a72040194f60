/** The purchase end to end, in memory, with the process killed before and after every step. */
import { describe, expect, it } from 'vitest';
import { admission } from '#domain/admission/admission.ts';
import { booking } from '#domain/booking/booking.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { refund } from '#domain/refund/refund.ts';
import { expectFair } from '#tests/kit/fair.ts';
import { Fuse } from '#tests/kit/fuse.ts';
import { CAPACITY, CODE, LISTING, openWorld, PRICE, type World } from '#tests/kit/world.ts';
import { cancelBooking } from './cancel.ts';
import { deleteListing } from './delete-listing.ts';

describe('a purchase', () => {
  it('appends six events and queues a confirmation mail', async () => {
    const world = await openWorld();
    const before = (await world.types()).length;
    expect(await world.buy(world.process())).toBe('booked');
    expect((await world.types()).slice(before)).toEqual([
      'CheckoutOpened',
      'TicketsHeld',
      'IntentAttached',
      'PaymentReceived',
      'TicketsSold',
      'BookingPlaced',
    ]);
    await world.work(world.process());
    expect([...world.mails.values()]).toMatchObject([{ kind: 'booking-confirmation', accountId: 'ann' }]);
    expect(world.left).toBe(0);
    expect((await world.types()).length).toBe(before + 6);
    await expectFair(world);
  });

  it('appends five times and reads no stream', async () => {
    const world = await openWorld();
    world.holdLimits = { live: 3, unpaid: { most: 3, pause: 900_000 } };
    const process = world.process();
    await world.buy(process, 'first');
    let appends = 0;
    let reads = 0;
    const { append, readStream } = world.log;
    world.log.append = (batch) => {
      appends++;
      return append.call(world.log, batch);
    };
    world.log.readStream = (stream, options) => {
      reads++;
      return readStream.call(world.log, stream, options);
    };
    expect(await world.buy(process, 'second')).toBe('booked');
    expect({ appends, reads }).toEqual({ appends: 5, reads: 0 });
  });

  it('redeems a promotion by a job, and its last use only once', async () => {
    const world = await openWorld();
    const amount = 2 * PRICE * 0.9;
    expect(await world.buy(world.process(), 'ann', { code: CODE, amount })).toBe('booked');
    expect(await world.buy(world.process(), 'bob', { code: CODE, amount })).toMatchObject({
      failed: { code: 'PROMO_USED_UP' },
    });
    await world.work(world.process());
    expect(await world.types()).toContain('UseRedeemed');
    expect((await world.truth()).offer.redeemed.size).toBe(1);
    await expectFair(world);
  });

  it('refuses a wrong price and reports the right one', async () => {
    const world = await openWorld();
    expect(await world.buy(world.process(), 'ann', { amount: 1 })).toMatchObject({
      failed: { code: 'PRICE_CHANGED', details: { amount: '50.00' } },
    });
  });

  it('can be repeated by the same person, whose second tab learns that the first has paid', async () => {
    const world = await openWorld();
    const process = world.process();
    expect(await world.buy(process)).toBe('booked');
    expect(await world.buy(process)).toBe('booked');
    expect(await world.buy(world.process())).toBe('booked');
    expect(await world.buy(process, 'bob', { pays: false })).toBe('held');
    const [intent] = [...world.gateway.intents.values()].filter(({ purchase }) => purchase?.userId === 'bob');
    world.gateway.pay(intent?.id ?? '');
    expect(await world.buy(world.process(), 'bob', { quantity: 3 })).toMatchObject({
      failed: { code: 'ALREADY_PAID' },
    });
    const { bookings } = await world.truth();
    expect(bookings.map(({ booked }) => booked.facts?.quote.quantity)).toEqual([2, 2, 2, 2]);
    await world.work(world.process());
    await expectFair(world);
  });

  it('keeps the payment intent for the same quote, and replaces it for another one', async () => {
    const world = await openWorld();
    const process = world.process();
    await world.buy(process, 'ann', { pays: false });
    await world.buy(world.process(), 'ann', { pays: false });
    expect(world.gateway.intents.size).toBe(1);
    await world.buy(process, 'ann', { pays: false, quantity: 3 });
    expect([...world.gateway.intents.values()].map(({ status }) => status)).toEqual(['canceled', 'open']);
    expect((await world.truth()).tickets.held).toBe(3);
  });

  it('is refused when no tickets are left, until a hold expires', async () => {
    const world = await openWorld(2);
    const process = world.process();
    expect(await world.buy(process, 'ann', { pays: false })).toBe('held');
    expect(await world.buy(process, 'bob')).toMatchObject({ failed: { code: 'SOLD_OUT' } });
    await world.work(world.process());
    expect((await world.truth()).tickets).toMatchObject({ held: 0, sold: 0 });
    world.pass(10_000);
    expect(await world.buy(process, 'bob')).toBe('booked');
    await expectFair(world);
  });

  it('sells tickets again for a late payment, or refunds it in full and mails the buyer', async () => {
    const world = await openWorld(2);
    const process = world.process();
    const id = await world.dawdle(process);
    expect((await world.truth()).tickets.held).toBe(0);
    expect(await world.buy(process, 'bob')).toBe('booked');
    world.gateway.setIntent(id, 'succeeded');
    await world.reconcile(world.process());
    await world.work(world.process());
    const { bookings, refunded } = await world.truth();
    expect(bookings.map(({ booked }) => [booked.facts?.userId, booked.status])).toEqual([
      ['ann', 'refunded'],
      ['bob', 'confirmed'],
    ]);
    expect(refunded.get(id)).toBe(2 * PRICE);
    expect([...world.mails.values()].map(({ kind }) => kind)).toContain('booking-unfilled');
    await expectFair(world);
  });
});

describe('a purchase killed at any step', () => {
  const story = async (world: World, fuse: Fuse | undefined, code: string | null, amount: number) => {
    const process = world.process(fuse);
    await world.buy(process, 'ann', { code, amount });
    await world.buy(process, 'bob', { quantity: 3 });
  };

  it.each([
    ['without a code', null, 2 * PRICE, 10],
    ['with a code', CODE, 2 * PRICE * 0.9, 10],
    ['with a code for all of it', CODE, 0, 100],
  ])('%s: ends with a booking or a refund for each payment', async (_name, code, amount, discountValue) => {
    for (const when of ['before', 'after'] as const) {
      for (let step = 0; ; step++) {
        const world = await openWorld(4, { discountValue });
        const fuse = new Fuse(step, when);
        await story(world, fuse, code, amount);
        if (!fuse.blown) {
          expect(step).toBeGreaterThan(9);
          break;
        }
        const survivor = world.process();
        await world.reconcile(survivor);
        await world.work(survivor);
        await world.reconcile(survivor);
        await world.work(survivor);
        await expectFair(world);
      }
    }
  });

  it('ends well even if the process that takes over is killed too', async () => {
    for (let step = 0; step < 12; step++) {
      for (let second = 0; ; second++) {
        const world = await openWorld(2);
        await story(world, new Fuse(step, 'after'), CODE, 2 * PRICE * 0.9);
        const fuse = new Fuse(second, 'after');
        const doomed = world.process(fuse);
        await world.reconcile(doomed).catch(() => undefined);
        await world.work(doomed).catch(() => undefined);
        const survivor = world.process();
        await world.reconcile(survivor);
        await world.work(survivor);
        await expectFair(world);
        if (!fuse.blown) break;
      }
    }
  });

  it('is booked by comparing provider and log, long before any timer runs', async () => {
    let paidWithout = 0;
    for (const when of ['before', 'after'] as const) {
      for (let step = 0; ; step++) {
        const world = await openWorld(2);
        const fuse = new Fuse(step, when);
        await world.buy(world.process(fuse));
        if (!fuse.blown) break;
        if ((await world.truth()).bookings.length === 0) paidWithout++;
        await world.reconcile(world.process());
        const { intents, bookings } = await world.truth();
        const paid = intents.filter(({ status }) => status === 'succeeded').length;
        expect(bookings.filter(({ booked }) => booked.status === 'confirmed')).toHaveLength(paid);
      }
    }
    expect(paidWithout).toBeGreaterThan(4);
  });

  it('is finished when the buyer comes back', async () => {
    for (let step = 0; step < 9; step++) {
      const world = await openWorld(2);
      await world.buy(world.process(new Fuse(step, 'after')));
      const result = await world.buy(world.process());
      if (result !== 'booked')
        expect(result).toMatchObject({ failed: { code: expect.stringMatching(/ALREADY_PAID|SOLD_OUT/) } });
      await world.work(world.process());
      const { bookings } = await world.truth();
      expect(bookings.filter(({ booked }) => booked.status === 'confirmed')).toHaveLength(1);
      await expectFair(world);
    }
  });
});

describe('cancelling a booking', () => {
  const asked = { bookingId: 101, by: 'customer', reason: 'I have fallen ill', userId: 'ann' } as const;

  it('refunds the amount of the refund policy and mails it to the customer', async () => {
    const world = await openWorld();
    const process = world.process();
    await world.buy(process);
    const { rest, booking: cancelled } = await cancelBooking(process.purchases, asked, process.acting());
    expect(rest).toBe('done');
    expect(cancelled?.cancellation).toMatchObject({ percent: 100, refund: 2 * PRICE });
    expect(await cancelBooking(process.purchases, asked, process.acting())).toMatchObject({ rest: 'done' });
    await world.work(world.process());
    const { bookings, tickets, refunded } = await world.truth();
    expect(bookings).toMatchObject([
      { booked: { status: 'refunded' }, money: { phase: 'succeeded', refunded: 2 * PRICE } },
    ]);
    expect(tickets.sold).toBe(0);
    expect([...refunded.values()]).toEqual([2 * PRICE]);
    expect([...world.mails.values()].map(({ kind }) => kind)).toEqual([
      'booking-confirmation',
      'booking-cancelled',
      'refund-completed',
    ]);
    expect(world.left).toBe(0);
  });

  it('is refused to other people', async () => {
    const world = await openWorld();
    const process = world.process();
    await world.buy(process);
    expect(
      await cancelBooking(process.purchases, { ...asked, userId: 'bob' }, process.acting()),
    ).toMatchObject({
      rest: { rejected: 'BOOKING_NOT_FOUND' },
    });
  });

  it('is finished by a job, wherever it was interrupted', async () => {
    for (const when of ['before', 'after'] as const) {
      for (let step = 0; ; step++) {
        const world = await openWorld();
        await world.buy(world.process());
        const fuse = new Fuse(step, when);
        const { purchases, acting } = world.process(fuse);
        await cancelBooking(purchases, asked, acting()).catch(() => undefined);
        await world.work(world.process());
        const { bookings, tickets } = await world.truth();
        expect(bookings).toMatchObject([{ booked: { status: 'refunded' }, money: { refunded: 2 * PRICE } }]);
        expect(tickets.sold).toBe(0);
        if (!fuse.blown) break;
      }
    }
  });

  it('retries a refund that the provider has reversed', async () => {
    const world = await openWorld();
    const process = world.process();
    await world.buy(process);
    world.gateway.refundsBecome('failed');
    await cancelBooking(process.purchases, asked, process.acting());
    await world.work(process, world.clock().getTime() + 10_000);
    expect((await world.truth()).bookings[0]?.money).toMatchObject({ phase: 'failed', attempt: 1 });
    world.gateway.refundsBecome('succeeded');
    await world.work(process);
    expect((await world.truth()).bookings[0]?.money).toMatchObject({ phase: 'succeeded', attempt: 2 });
  });
});

describe('deleting a listing', () => {
  it('cancels and refunds every booking in full, wherever it was interrupted', async () => {
    for (let step = 0; ; step++) {
      const world = await openWorld();
      const seller = world.process();
      for (const buyer of ['ann', 'bob', 'cy']) await world.buy(seller, buyer);
      await world.buy(seller, 'dee', { pays: false });
      const fuse = new Fuse(step, 'after');
      const { purchases, acting } = world.process(fuse);
      await deleteListing(purchases, LISTING, acting()).catch(() => undefined);
      const survivor = world.process();
      await world.work(survivor);
      await world.reconcile(survivor);
      await world.work(survivor);
      const { bookings, tickets } = await world.truth();
      expect(bookings.map(({ booked }) => booked.status)).toEqual(['refunded', 'refunded', 'refunded']);
      expect(tickets).toMatchObject({ sold: 0, held: 0, closed: 'archived', capacity: CAPACITY });
      await expectFair(world);
      if (!fuse.blown) break;
    }
  });

  it('stops between two bookings when the process ends, and continues with the next booking', async () => {
    const world = await openWorld();
    const seller = world.process();
    for (const buyer of ['ann', 'bob', 'cy']) await world.buy(seller, buyer);
    const ending = new AbortController();
    const done: number[] = [];
    const { purchases, acting } = world.process();
    const rest = await deleteListing(purchases, LISTING, acting(), {
      signal: ending.signal,
      onProgress: (progress) => {
        done.push(progress.done);
        ending.abort();
      },
    });
    expect({ rest, done }).toEqual({ rest: 'try-later', done: [1] });
    expect((await world.truth()).tickets.sold).toBe(4);
    const { deletion } = world.handlers(world.process());
    const job = {
      id: 'deletion',
      kind: 'deletion',
      subject: '',
      payload: { listingId: LISTING },
      dueAt: world.clock(),
      tries: 0,
    } as const;
    expect(await deletion(job, ending.signal)).toEqual(world.clock());
    expect(await deletion(job, new AbortController().signal)).toBeUndefined();
    expect((await world.truth()).tickets.sold).toBe(0);
  });

  it('waits for a booking that is being reinstated', async () => {
    const world = await openWorld();
    const { purchases, acting } = world.process();
    const own = acting();
    await world.buy(world.process());
    await cancelBooking(
      purchases,
      { bookingId: 101, by: 'customer', reason: 'I have fallen ill', userId: 'ann' },
      own,
    );
    const again = { bookingId: 101, userId: 'ann', quantity: 2, cancellation: 1, withdrawal: 1 };
    await own.do(refund, 101, { type: 'Withdraw', cancellation: 1 });
    await own.do(inventory, LISTING, { type: 'RetakeTickets', ...again });
    expect(await deleteListing(purchases, LISTING, own)).toBe('try-later');
    await own.do(admission, 101, { type: 'Restore', bookingId: 101, listingId: LISTING, cancellation: 1 });
    await own.do(booking, 101, { type: 'Reinstate', cancellation: 1 });
    expect(await deleteListing(purchases, LISTING, own)).toBe('done');
    await world.work(world.process());
    const { bookings, tickets } = await world.truth();
    expect(bookings).toMatchObject([{ booked: { status: 'refunded' }, money: { refunded: 2 * PRICE } }]);
    expect(tickets.sold).toBe(0);
  });
});
