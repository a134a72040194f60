import { describe, expect, it } from 'vitest';
import { holds } from '#domain/holds/holds.ts';
import { HOLD_FOR } from '#domain/kernel/policy.ts';
import { promoCode } from '#domain/promotion/promo-code.ts';
import { promotion } from '#domain/promotion/promotion.ts';
import { expectFair } from '#tests/kit/fair.ts';
import { putOnSale } from '#tests/kit/listing-on-sale.ts';
import { CODE, LISTING, openWorld, PRICE, PROMOTION, type Process, type World } from '#tests/kit/world.ts';
import { bookCheckout } from './book-checkout.ts';
import { allocateAttempt, openCheckout } from './open-checkout.ts';

it('a checkout keeps the last tickets for their holder, while other buyers get SOLD_OUT', async () => {
  const world = await openWorld(2);
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

it('a checkout for an event that has just sold out writes no events', async () => {
  const world = await openWorld(2);
  const process = world.process();
  expect(await world.buy(process, 'ann', { pays: false })).toBe('held');
  expect(await world.buy(process, 'bob')).toMatchObject({ failed: { code: 'SOLD_OUT' } });
  const before = await world.types();
  expect(await world.buy(process, 'bob')).toMatchObject({ failed: { code: 'SOLD_OUT' } });
  expect(await world.types()).toEqual(before);
});

it('a buyer who asks for too many tickets keeps the held ones', async () => {
  const world = await openWorld(2);
  const process = world.process();
  expect(await world.buy(process, 'ann', { pays: false })).toBe('held');
  expect(await world.buy(process, 'ann', { quantity: 3 })).toMatchObject({
    failed: { code: 'SOLD_OUT', details: { available: 2 } },
  });
  expect((await world.truth()).tickets.held).toBe(2);
  expect(await world.buy(process, 'ann')).toBe('booked');
});

it('a promotion’s use is redeemed even if the same buyer starts another purchase at once', async () => {
  const world = await openWorld();
  const process = world.process();
  expect(await world.buy(process, 'ann', { code: CODE, amount: 2 * PRICE * 0.9 })).toBe('booked');
  expect(await world.buy(process, 'ann')).toBe('booked');
  await world.work(world.process());
  await expectFair(world);
});

it('a checkout refuses a promotion’s former code, even if the edit was interrupted before releasing it', async () => {
  const world = await openWorld();
  const process = world.process();
  const { state } = await process.handler.state(promotion, PROMOTION);
  if (!state.terms) throw new Error('no promotion');
  const edit = { type: 'EditPromotion', code: 'LATER', terms: state.terms } as const;
  await process.acting().do(promotion, PROMOTION, edit);
  const amount = 2 * PRICE * 0.9;
  expect(await world.buy(process, 'ann', { code: CODE, amount })).toMatchObject({
    failed: { code: 'PROMO_INVALID' },
  });
  await process.acting().do(promoCode, 'LATER', { type: 'TakeCode', promotionId: PROMOTION });
  expect(await world.buy(world.process(), 'ann', { code: 'later', amount })).toBe('booked');
});

it.each(['switched off', 'deleted'] as const)(
  'a checkout refuses a code that was %s a moment ago, and refuses it again on the next try',
  async (how) => {
    const world = await openWorld(10, { usageLimit: null });
    const process = world.process();
    const amount = 2 * PRICE * 0.9;
    expect(await world.buy(process, 'ann', { code: CODE, amount })).toBe('booked');
    const { state } = await process.handler.state(promotion, PROMOTION);
    if (!state.terms) throw new Error('no promotion');
    const off = { type: 'EditPromotion', code: CODE, terms: { ...state.terms, isActive: false } } as const;
    await process.acting().do(promotion, PROMOTION, how === 'deleted' ? { type: 'ArchivePromotion' } : off);
    expect(await world.buy(process, 'bob', { code: CODE, amount })).toMatchObject({
      failed: { code: 'PROMO_INVALID' },
    });
    const bought = { listingId: LISTING, quantity: 2, totalAmount: amount };
    await expect(bookCheckout(process.purchases, 'bob', bought, process.acting())).rejects.toMatchObject({
      code: 'PROMO_INVALID',
    });
  },
);

it.each(['ended', 'switched off'] as const)(
  'a checkout keeps the price of a buyer who holds tickets with a code that has %s since',
  async (how) => {
    const world = await openWorld(10, { usageLimit: null });
    const process = world.process();
    const withCode = { code: CODE, amount: 2 * PRICE * 0.9 };
    expect(await world.buy(process, 'ann', { ...withCode, pays: false })).toBe('held');
    const { terms } = (await process.handler.state(promotion, PROMOTION)).state;
    if (!terms) throw new Error('no promotion');
    world.pass(60_000);
    const now = world.clock().toISOString();
    const change = how === 'ended' ? { validUntil: now } : { isActive: false };
    const edit = { type: 'EditPromotion', code: CODE, terms: { ...terms, ...change } } as const;
    await process.acting().do(promotion, PROMOTION, edit);
    world.pass(60_000);
    expect(await world.buy(process, 'bob', withCode)).toMatchObject({ failed: { code: 'PROMO_INVALID' } });
    const fewer = { code: CODE, quantity: 1, amount: PRICE * 0.9 };
    expect(await world.buy(process, 'ann', fewer)).toMatchObject({ failed: { code: 'PROMO_INVALID' } });
    expect(await world.buy(process, 'ann', withCode)).toBe('booked');
    expect(world.gateway.intents.size).toBe(1);
    await world.work(world.process());
    await expectFair(world);
  },
);

describe('a buyer who holds tickets without buying', () => {
  const MINUTE = 60_000;
  const limited = async (): Promise<World> => {
    const world = await openWorld(100);
    world.holdLimits = { live: 3, unpaid: { most: 3, pause: 15 * MINUTE } };
    const start = { date: '2026-04-01', time: '19:30', zone: 'Europe/London' };
    for (const listingId of [8, 9, 10, 11, 12])
      await putOnSale({ listingId, price: PRICE, capacity: 10, start }, world.process().acting());
    return world;
  };
  const hold = async ({ purchases, ids, acting }: Process, listingId: number) => {
    const wanted = { listingId, quantity: 1, promoCode: null, amount: PRICE };
    return openCheckout(purchases, 'ann', wanted, await allocateAttempt(ids), acting());
  };

  it('holds tickets for at most three events, even if several processes are asked at once', async () => {
    const world = await limited();
    const processes = [world.process(), world.process()];
    const asked = [LISTING, 8, 9, 10, 11, 12].map((id, n) => hold(processes[n % 2] as Process, id));
    const outcomes = await Promise.allSettled(asked);
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(3);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'TOO_MANY_HOLDS', status: 429 });
    // Their checkouts were open for a moment, without tickets.
    const types = await world.types();
    const times = (type: string) => types.filter((one) => one === type).length;
    const kept = { opened: times('CheckoutOpened') - times('CheckoutClosed'), held: times('TicketsHeld') };
    expect(kept).toEqual({ opened: 3, held: 3 });
  });

  it('cannot exceed the limit if another process has counted a hold and not yet opened its checkout', async () => {
    const world = await limited();
    const process = world.process();
    const at = world.clock().toISOString();
    const until = new Date(world.clock().getTime() + HOLD_FOR).toISOString();
    const count = { listingId: LISTING, attempt: 'others', until, at, most: 3, over: [] } as const;
    await world
      .process()
      .acting()
      .do(holds, 'ann', { type: 'CountHold', userId: 'ann', ...count });
    await hold(process, 8);
    await hold(process, 9);
    await expect(hold(process, 10)).rejects.toMatchObject({ code: 'TOO_MANY_HOLDS' });
    // It was cut off: nothing is held there.
    world.pass(MINUTE);
    await hold(process, 10);
  });

  it('does not use up holds of an event by attempts refused because of other events', async () => {
    const world = await limited();
    const process = world.process();
    for (const listingId of [8, 9, 10]) await hold(process, listingId);
    for (let times = 0; times < 4; times++)
      await expect(hold(process, LISTING)).rejects.toMatchObject({ code: 'TOO_MANY_HOLDS' });
    world.pass(HOLD_FOR);
    await hold(process, LISTING);
  });

  it('can hold more after buying, giving up or losing a hold', async () => {
    const world = await limited();
    const process = world.process();
    expect(await world.buy(process, 'ann', { pays: false })).toBe('held');
    await hold(process, 8);
    await hold(process, 9);
    await expect(hold(process, 10)).rejects.toMatchObject({ code: 'TOO_MANY_HOLDS' });
    await hold(process, 9);
    expect(await world.buy(process, 'ann')).toBe('booked');
    await hold(process, 10);
    await expect(hold(world.process(), 11)).rejects.toMatchObject({ code: 'TOO_MANY_HOLDS' });
    world.pass(HOLD_FOR);
    await hold(process, 11);
  });

  it('is paused after three holds for one event, and learns for how long', async () => {
    const world = await limited();
    for (let times = 0; times < 3; times++) {
      await hold(world.process(), LISTING);
      world.pass(HOLD_FOR);
      await world.work(world.process(), world.clock().getTime());
    }
    await expect(hold(world.process(), LISTING)).rejects.toMatchObject({
      code: 'HELD_TOO_OFTEN',
      message: expect.stringContaining('again in 15 minutes'),
      retryAfter: 15 * 60,
    });
    await hold(world.process(), 8);
    world.pass(15 * MINUTE);
    await hold(world.process(), LISTING);
  });

  it('keeps the held tickets if no others can be held instead', async () => {
    const world = await limited();
    for (let times = 0; times < 2; times++) {
      await hold(world.process(), LISTING);
      world.pass(HOLD_FOR);
      await world.work(world.process(), world.clock().getTime());
    }
    await hold(world.process(), LISTING);
    world.pass(4 * MINUTE);
    const process = world.process();
    expect(await world.buy(process, 'ann', { quantity: 2, pays: false })).toBe('held');
    world.pass(6 * MINUTE);
    const before = await world.types();
    for (const changed of [{ quantity: 1 }, { quantity: 2, code: CODE, amount: 2 * PRICE * 0.9 }])
      expect(await world.buy(process, 'ann', { ...changed, pays: false })).toMatchObject({
        failed: { code: 'HELD_TOO_OFTEN', message: expect.stringContaining('is still held') },
      });
    expect((await world.types()).slice(before.length)).not.toContain('CheckoutClosing');
    expect((await world.truth()).tickets.held).toBe(2);
    expect(await world.buy(process, 'ann')).toBe('booked');
  });
});
