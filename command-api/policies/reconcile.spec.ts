import { expect, it } from 'vitest';
import { HOLD_FOR, HOLD_GRACE } from '#domain/kernel/policy.ts';
import { LogUnavailable } from '#infra/event-log/event-log.ts';
import { GatewayUnavailable } from '#infra/payments/gateway.ts';
import { openWorld } from '#tests/kit/world.ts';
import { createReconciler } from './reconcile.ts';

const HOUR = 3_600_000;
const never = new AbortController().signal;
const unheard = () => Promise.reject(new Error('nothing is lost here'));

it('the reconciler keeps an intent that the provider would not cancel on its list', async () => {
  const world = await openWorld(2);
  const process = world.process();
  const id = await world.dawdle(process);
  expect((await world.truth()).tickets.held).toBe(0);
  const reconciler = createReconciler(process.purchases);
  const compare = () => reconciler.run(new Date(0), process.acting({ kind: 'system' }), never, unheard);
  expect(await compare()).toMatchObject({ looked: 1, cancelled: 0 });
  world.gateway.setIntent(id, 'succeeded');
  expect(await compare()).toMatchObject({ settled: 1 });
  expect((await world.truth()).bookings).toMatchObject([{ booked: { status: 'confirmed' } }]);
  expect(await compare()).toMatchObject({ looked: 0 });
});

it('the reconciler skips only the intents that this process has booked itself', async () => {
  const world = await openWorld(6);
  const process = world.process();
  expect(await world.buy(process, 'ann')).toBe('booked');
  await world.buy(process, 'bob', { pays: false });
  const unpaid = [...world.gateway.intents.values()].find(({ status }) => status === 'open');
  world.gateway.pay(unpaid?.id ?? '');
  world.pass(6_000);
  const compareAs = ({ purchases, acting }: typeof process) =>
    createReconciler(purchases).run(new Date(0), acting({ kind: 'system' }), never, unheard);
  // The buyer of the second one has paid and closed the browser.
  expect(await compareAs(process)).toMatchObject({ looked: 1, settled: 1, failures: [] });
  expect((await world.truth()).bookings).toHaveLength(2);
  expect(await compareAs(process)).toMatchObject({ looked: 0 });
  expect(await compareAs(world.process())).toMatchObject({ looked: 2, settled: 2 });
});

it('the reconciler compares more than a day from time to time, to find what an outage hid', async () => {
  const world = await openWorld(2);
  const process = world.process();
  const id = await world.dawdle(process);
  const { reconcile } = world.handlers(process);
  const compare = () =>
    reconcile(
      { id: 'reconcile', kind: 'reconcile', subject: '', payload: {}, dueAt: world.clock(), tries: 0 },
      never,
    );
  const booked = async () => (await world.truth()).bookings.length;
  await compare();
  world.pass(5 * HOUR);
  world.gateway.setIntent(id, 'succeeded');
  await compare();
  expect(await booked()).toBe(0);
  world.pass(HOUR);
  await compare();
  expect(await booked()).toBe(1);
});

it('the reconciler stops between two intents when the process ends, and compares far back the next time', async () => {
  const world = await openWorld(4);
  const process = world.process();
  await world.buy(process, 'ann', { pays: false });
  await world.buy(process, 'bob', { pays: false });
  for (const { id } of [...world.gateway.intents.values()]) world.gateway.pay(id);
  world.pass(HOUR);
  const { reconcile } = world.handlers(process);
  const job = {
    id: 'reconcile',
    kind: 'reconcile',
    subject: '',
    payload: {},
    dueAt: world.clock(),
    tries: 0,
  } as const;
  expect(await reconcile(job, AbortSignal.abort())).toEqual(world.clock());
  expect((await world.truth()).bookings).toHaveLength(0);
  await reconcile(job, never);
  expect((await world.truth()).bookings).toHaveLength(2);
});

it('the reconciler looks back further than an attempt can be open, however long tickets are held', async () => {
  const world = await openWorld(2);
  const process = world.process();
  const { reconcile } = world.handlers(process, HOUR);
  const compare = () =>
    reconcile(
      { id: 'reconcile', kind: 'reconcile', subject: '', payload: {}, dueAt: world.clock(), tries: 0 },
      never,
    );
  await compare();
  await world.buy(process, 'ann', { pays: false });
  world.pass(HOUR + HOLD_GRACE);
  for (const { id } of [...world.gateway.intents.values()]) world.gateway.pay(id);
  await compare();
  expect((await world.truth()).bookings).toHaveLength(1);
});

/** A site that was restored from a backup: the provider has intents of purchases that are not in its log. */
const restored = async () => {
  const world = await openWorld();
  const process = world.process();
  const { purchases, acting } = process;
  const made = async (bookingId: number, pays: boolean) => {
    const purchase = { attempt: `attempt-${bookingId}`, bookingId, userId: 'ann', listingId: 7 };
    const { id } = await world.gateway.createIntent({ purchase, amount: 6_000 });
    if (pays) world.gateway.pay(id);
    return id;
  };
  const paid = await made(901, true);
  const open = await made(902, false);
  return {
    ...{ world, process, paid, open },
    status: () => world.gateway.intents.get(open)?.status,
    /** Compares them, as made for a log: by default this one's. */
    async compare(log: string | null = world.log.id) {
      const lost: { intentId: string; why: string }[] = [];
      const list = async (intentId: string, why: string) => void lost.push({ intentId, why });
      async function* findIntents(since: Date) {
        for await (const intent of world.gateway.findIntents(since))
          yield { ...intent, log: log ?? undefined };
      }
      const parts = { ...purchases, gateway: { ...world.gateway, findIntents } };
      const found = await createReconciler(parts).run(new Date(0), acting({ kind: 'system' }), never, list);
      return { ...found, lost };
    },
  };
};

it('the reconciler reports payments without a purchase in the log, and cancels their open intents once no hold is left', async () => {
  const { world, paid, status, compare } = await restored();
  world.pass(60_000);
  const why = expect.stringContaining('£60.00 was paid, but its purchase is not in the log');
  expect(await compare()).toMatchObject({ lost: [{ intentId: paid, why }], cancelled: 0, failures: [] });
  expect(status()).toBe('open');
  world.pass(HOLD_FOR + HOLD_GRACE);
  expect(await compare()).toMatchObject({ cancelled: 1 });
  expect(status()).toBe('canceled');
});

it('the reconciler leaves other sites’ intents on the same account alone, and cancels none that may belong to one', async () => {
  const { world, status, compare } = await restored();
  world.pass(HOLD_FOR + HOLD_GRACE + 60_000);
  expect(await compare('another-log')).toMatchObject({ lost: [], unknown: 2, cancelled: 0 });
  const { world: other, ...unnamed } = await restored();
  other.pass(HOLD_FOR + HOLD_GRACE + 60_000);
  const unlessAnothers = { why: expect.stringContaining('unless it is another site’s') };
  expect(await unnamed.compare(null)).toMatchObject({ lost: [unlessAnothers], unknown: 1, cancelled: 0 });
  expect([status(), unnamed.status()]).toEqual(['open', 'open']);
});

it('the reconciler lists a payment without a purchase once, until it is refunded', async () => {
  const { world, process, paid } = await restored();
  world.pass(60_000);
  const { reconcile, intent } = world.handlers(process);
  const job = { subject: '', dueAt: world.clock(), tries: 0 } as const;
  await reconcile({ ...job, id: 'reconcile', kind: 'reconcile', payload: {} }, never);
  const look = (id: string) => intent({ ...job, id, kind: 'intent', payload: { intentId: paid } }, never);
  await look('webhook:1');
  await reconcile({ ...job, id: 'reconcile', kind: 'reconcile', payload: {} }, never);
  expect(world.errors).toEqual([expect.stringContaining('its purchase is not in the log')]);
  const listed = [...world.jobs.values()].filter(({ kind }) => kind === 'intent');
  expect(listed).toMatchObject([{ subject: paid, payload: { intentId: paid } }]);
  const id = listed[0]?.id ?? '';
  world.gateway.refundByHand(paid, 1_000);
  await expect(look(id)).rejects.toThrow('£50.00 was paid, but its purchase is not in the log');
  world.gateway.refundByHand(paid, 5_000);
  expect(await look(id)).toBeUndefined();
});

it('the reconciler lists a payment without a purchase despite later failures, and compares far back again if listing failed', async () => {
  for (const failing of ['a later page', 'the database'] as const) {
    const { world, process, paid } = await restored();
    world.pass(HOUR);
    const { reconcile } = world.handlers(process);
    const { findIntents } = world.gateway;
    const { pendingRequests } = process.purchases;
    const { keep } = pendingRequests;
    if (failing === 'a later page')
      world.gateway.findIntents = async function* (since) {
        yield* findIntents(since);
        throw new GatewayUnavailable('no further page');
      };
    else pendingRequests.keep = () => Promise.reject(new LogUnavailable('away'));
    const compare = () =>
      reconcile(
        { id: 'reconcile', kind: 'reconcile', subject: '', payload: {}, dueAt: world.clock(), tries: 0 },
        never,
      );
    await compare().catch(() => undefined);
    world.gateway.findIntents = findIntents;
    pendingRequests.keep = keep;
    await compare();
    expect([...world.jobs.values()]).toContainEqual(expect.objectContaining({ subject: paid }));
  }
});
