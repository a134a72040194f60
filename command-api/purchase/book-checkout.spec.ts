import { describe, expect, it } from 'vitest';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import type { ClosingReason, Unfilled } from '#domain/checkout/events.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { HOLD_FOR } from '#domain/kernel/policy.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { expectFair } from '#tests/kit/fair.ts';
import { CODE, LISTING, openWorld, PRICE, PROMOTION, type World } from '#tests/kit/world.ts';
import { bookCheckout } from './book-checkout.ts';

const DAY = 24 * 3_600_000;

it('booking uses the latest quote even if this process has cached an older one', async () => {
  const world = await openWorld(10, { discountValue: 100 });
  const one = world.process();
  const other = world.process();
  const chosen = (quantity: number) => ({ quantity, code: CODE, amount: 0, pays: false });
  expect(await world.buy(one, 'ann', chosen(2))).toBe('held');
  expect(await world.buy(other, 'ann', chosen(3))).toBe('held');
  const wanted = { listingId: LISTING, quantity: 3, totalAmount: 0 };
  const { booking } = await bookCheckout(one.purchases, 'ann', wanted, one.acting());
  expect(booking.facts?.quote).toMatchObject({ quantity: 3, total: 0, discount: 3 * PRICE });
});

it.each([100, 50])(
  'booking waits until the whole purchase is done, also with a code for %d percent',
  async (discountValue) => {
    const world = await openWorld(10, { discountValue });
    const process = world.process();
    const amount = (2 * PRICE * (100 - discountValue)) / 100;
    expect(await world.buy(process, 'ann', { code: CODE, amount })).toBe('booked');
    await world.work(process);
    const wanted = { listingId: LISTING, quantity: 2, totalAmount: amount };
    for (const again of [process, world.process()]) {
      const { booking, placed } = await bookCheckout(again.purchases, 'ann', wanted, again.acting());
      expect({ quantity: booking.facts?.quote.quantity, placed }).toEqual({ quantity: 2, placed: false });
    }
  },
);

it('tickets sold while a late payment is recorded are returned', async () => {
  const world = await openWorld();
  const process = world.process();
  world.gateway.setIntent(await world.dawdle(process), 'succeeded');
  world.pass(60 * DAY);
  const booked = await world.book(process, 'ann', {});
  expect(booked).toMatchObject({ failed: { code: 'SALES_CLOSED', details: { refunded: true } } });
  expect(await world.types()).toContain('TicketsSold');
  await world.work(world.process());
  await expectFair(world);
  const { tickets, refunded } = await world.truth();
  expect({ sold: tickets.sold, back: [...refunded.values()] }).toEqual({ sold: 0, back: [2 * PRICE] });
});

it('tickets are returned if another process has already refunded the payment', async () => {
  const world = await openWorld(2);
  const process = world.process();
  const intentId = await world.dawdle(process);
  const other = world.process();
  expect(await world.buy(other, 'bob')).toBe('booked');
  world.gateway.setIntent(intentId, 'succeeded');
  await world.reconcile(other);
  await world.work(other);
  await other.acting().do(inventory, LISTING, { type: 'ChangeCapacity', capacity: 6 });
  expect(await world.buy(other, 'ann', { quantity: 1, pays: false })).toBe('held');
  expect(await world.book(process, 'ann', {})).toMatchObject({ failed: { code: 'PRICE_CHANGED' } });
  expect((await world.truth()).tickets).toMatchObject({ sold: 2, held: 1 });
});

it('booking refuses a checkout that was closed for a reason known only to a newer program', async () => {
  const world = await openWorld();
  const process = world.process();
  expect(await world.buy(process, 'ann', { pays: false })).toBe('held');
  const id = checkoutId('ann', LISTING);
  const { current } = (await process.handler.state(checkout, id)).state;
  const why = 'venue_flooded' as ClosingReason;
  await process.acting().do(checkout, id, { type: 'BeginClosing', attempt: current ?? '', why });
  const booked = await world.book(process, 'ann', {});
  expect(booked).toMatchObject({ failed: { code: 'CHECKOUT_EXPIRED' } });
});

it('booking reports a refund if the reason for missing tickets is known only to a newer program', async () => {
  const world = await openWorld();
  const process = world.process();
  const intentId = await world.dawdle(process);
  const id = checkoutId('ann', LISTING);
  const { current: attempt } = (await process.handler.state(checkout, id)).state;
  const of = { attempt: attempt ?? '' };
  const paid = { intentId, amount: 2 * PRICE, currency: 'gbp' };
  await process.acting().do(checkout, id, { type: 'RecordPayment', ...of, ...paid });
  const why = 'venue_flooded' as Unfilled;
  await process.acting().do(checkout, id, { type: 'MarkUnfilled', ...of, why });
  const booked = await world.book(world.process(), 'ann', {});
  expect(booked).toMatchObject({ failed: { code: 'SALES_CLOSED', details: { refunded: true } } });
});

it('booking refuses a payment whose amount differs from the checkout’s', async () => {
  const world = await openWorld();
  const process = world.process();
  expect(await world.buy(process, 'ann', { pays: false })).toBe('held');
  const { retrieveIntent } = world.gateway;
  world.gateway.retrieveIntent = async (id) => {
    const intent = await retrieveIntent(id);
    return intent && { ...intent, status: 'succeeded', amount: 1 };
  };
  expect(await world.book(process, 'ann', {})).toMatchObject({ failed: { code: 'PAYMENT_MISMATCH' } });
  expect(await world.types()).not.toContain('TicketsSold');
});

describe('a code for the whole price with one use left', () => {
  const free = { quantity: 1, code: CODE, amount: 0 };
  const opened = () => openWorld(10, { discountValue: 100, usageLimit: 1 });
  const standing = async (world: World): Promise<number> => {
    await world.work(world.process(), world.clock().getTime());
    await expectFair(world);
    return (await world.truth()).bookings.length;
  };

  it('gives one booking to ten buyers who book while their checkouts are being opened', async () => {
    const world = await opened();
    const process = world.process();
    const buyers = Array.from({ length: 10 }, (_, n) => `buyer${n}`);
    const impatient = async (buyer: string) => {
      for (let times = 0; times < 12; times++) await world.book(process, buyer, free);
    };
    await Promise.all([
      ...buyers.map((buyer) => world.buy(process, buyer, { ...free, pays: false })),
      ...buyers.map(impatient),
    ]);
    expect(await standing(world)).toBe(1);
  });

  it('gives one booking to an account that books again later, in this process or in another', async () => {
    const world = await opened();
    const process = world.process();
    expect(await world.buy(process, 'ann', free)).toBe('booked');
    for (const later of [process, world.process(), process]) {
      await world.work(world.process(), world.clock().getTime());
      world.pass(60 * 60_000);
      const before = (await world.types()).length;
      expect(await world.buy(later, 'ann', free)).toMatchObject({ failed: { code: 'PROMO_USED_UP' } });
      expect((await world.types()).length).toBe(before);
    }
    expect(await standing(world)).toBe(1);
  });

  it('gives no booking once the hold has ended, and is then free for another buyer', async () => {
    const world = await opened();
    const process = world.process();
    expect(await world.buy(process, 'ann', { ...free, pays: false })).toBe('held');
    world.pass(HOLD_FOR);
    expect(await world.book(process, 'ann', free)).toMatchObject({ failed: { code: 'CHECKOUT_EXPIRED' } });
    expect(await world.buy(process, 'bob', free)).toBe('booked');
    expect(await world.book(process, 'ann', free)).toMatchObject({ failed: { code: 'CHECKOUT_EXPIRED' } });
    expect(await standing(world)).toBe(1);
  });

  it('stays valid for the buyer who reserved it, even if the code is removed meanwhile', async () => {
    const world = await opened();
    const process = world.process();
    expect(await world.buy(process, 'ann', { ...free, pays: false })).toBe('held');
    await process.acting().do(promotion, PROMOTION, { type: 'ArchivePromotion' });
    expect(await world.book(process, 'ann', free)).toBe('booked');
    expect(await standing(world)).toBe(1);
  });

  it('gives one booking to two tabs that book at once', async () => {
    const world = await opened();
    expect(await world.buy(world.process(), 'ann', { ...free, pays: false })).toBe('held');
    const tabs = [world.process(), world.process()];
    await Promise.all(tabs.map((tab) => world.book(tab, 'ann', free)));
    expect(await standing(world)).toBe(1);
  });
});
