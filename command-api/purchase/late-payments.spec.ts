import { describe, expect, it } from 'vitest';
import { account } from '#domain/account/account.ts';
import { HOLD_FOR, HOLD_GRACE } from '#domain/kernel/policy.ts';
import { listing } from '#domain/listing/listing.ts';
import { expectFair } from '#tests/kit/fair.ts';
import { LISTING, openWorld, PRICE } from '#tests/kit/world.ts';
import { bookCheckout } from './book-checkout.ts';
import { cancelBooking } from './cancel.ts';
import { carryOutPurchase } from './purchase.ts';

const held = async () => {
  const world = await openWorld(2);
  const process = world.process();
  expect(await world.buy(process, 'ann', { pays: false })).toBe('held');
  const [intent] = world.gateway.intents.values();
  if (!intent?.purchase) throw new Error('no intent was made');
  const key = { userId: 'ann', listingId: LISTING, attempt: intent.purchase.attempt };
  const timer = () => carryOutPurchase(process.purchases, key, process.acting({ kind: 'system' }));
  return { world, process, intentId: intent.id, key, timer };
};

describe('while the provider does not answer,', () => {
  it('tickets stay held for ten more minutes and are then released', async () => {
    const { world, process, intentId, timer } = await held();
    world.gateway.fail(true);
    world.pass(HOLD_FOR + HOLD_GRACE - 1);
    await expect(timer()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect((await world.truth()).tickets.held).toBe(2);
    world.pass(1);
    expect(await timer()).toMatchObject({ rest: 'done' });
    expect((await world.truth()).tickets.held).toBe(0);
    world.gateway.fail(false);
    expect(await world.buy(process, 'bob')).toBe('booked');
    world.gateway.pay(intentId);
    await world.reconcile(world.process());
    await world.work(world.process());
    expect((await world.truth()).refunded.get(intentId)).toBe(2 * PRICE);
    await expectFair(world);
  });
});

it('a late payment is refunded once the event has started', async () => {
  const { world, intentId, timer } = await held();
  world.gateway.setIntent(intentId, 'processing');
  world.pass(HOLD_FOR + HOLD_GRACE);
  expect(await timer()).toMatchObject({ rest: 'done' });
  world.pass(Date.parse('2026-04-01T18:30:00Z') - world.clock().getTime());
  world.gateway.setIntent(intentId, 'succeeded');
  await world.reconcile(world.process());
  await world.work(world.process());
  const { bookings } = await world.truth();
  expect(bookings).toMatchObject([
    { booked: { unfilled: 'sales_closed', status: 'refunded' }, money: { refunded: 2 * PRICE } },
  ]);
  await expectFair(world);
});

it('a cancellation after the event was moved refunds the whole price to a buyer who held tickets before the move', async () => {
  const { world, process, intentId } = await held();
  const { state } = await process.handler.state(listing, LISTING);
  if (!state.details) throw new Error('no listing');
  const at = world.clock().toISOString();
  const start = { date: '2026-03-02', time: '09:00', zone: 'Europe/London' };
  const moved = { type: 'EditListing', details: state.details, start, at } as const;
  await process.acting().do(listing, LISTING, moved);
  world.pass(5_000);
  world.gateway.pay(intentId);
  const wanted = { listingId: LISTING, quantity: 2, totalAmount: 2 * PRICE };
  const { booking } = await bookCheckout(process.purchases, 'ann', wanted, process.acting());
  const bookingId = booking.facts?.bookingId ?? 0;
  const asked = { bookingId, by: 'customer', reason: 'Not on that day', userId: 'ann' } as const;
  expect(await cancelBooking(process.purchases, asked, process.acting())).toMatchObject({
    rest: 'done',
    booking: { cancellation: { percent: 100, refund: 2 * PRICE } },
  });
});

it('a payment is refunded if its buyer has deleted their account meanwhile', async () => {
  const { world, process, intentId, key } = await held();
  world.gateway.setIntent(intentId, 'processing');
  world.pass(HOLD_FOR + HOLD_GRACE);
  const ended = await carryOutPurchase(process.purchases, key, process.acting(), { close: 'erased' });
  expect(ended).toMatchObject({ rest: 'done' });
  world.gateway.setIntent(intentId, 'succeeded');
  await world.reconcile(world.process());
  await world.work(world.process());
  const { bookings } = await world.truth();
  expect(bookings).toMatchObject([{ booked: { unfilled: 'sales_closed' }, money: { refunded: 2 * PRICE } }]);
  await expectFair(world);
});

it('a late payment is refunded if its attempt expired before the buyer deleted their account', async () => {
  const { world, process, intentId, timer } = await held();
  const whose = {
    accountId: 'ann',
    email: 'ann@example.com',
    via: 'password',
    role: 'user',
    verified: true,
  } as const;
  const named = { firstName: 'Ann', lastName: null, profileImageUrl: null };
  await process.acting().do(account, 'ann', { type: 'Register', ...whose, ...named });
  world.gateway.setIntent(intentId, 'processing');
  world.pass(HOLD_FOR + HOLD_GRACE);
  expect(await timer()).toMatchObject({ rest: 'done' });
  await process.acting().do(account, 'ann', { type: 'Erase', by: null });
  world.gateway.setIntent(intentId, 'succeeded');
  await world.reconcile(world.process());
  await world.work(world.process());
  const { bookings, tickets } = await world.truth();
  expect(bookings).toMatchObject([
    { booked: { unfilled: 'sales_closed', status: 'refunded' }, money: { refunded: 2 * PRICE } },
  ]);
  expect(tickets.sold).toBe(0);
  await expectFair(world);
});
