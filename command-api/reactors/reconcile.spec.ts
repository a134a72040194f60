import { expect, it } from 'vitest';
import { HOLD_FOR, HOLD_GRACE } from '#domain/policy.ts';
import { World } from '#tests/kit/world.ts';
import { createReconciler } from './reconcile.ts';

const HOUR = 3_600_000;
const never = new AbortController().signal;

it('does not lose sight of an intent that the provider would not cancel', async () => {
  const world = new World();
  await world.open(2);
  const process = world.process();
  await world.buy(process, 'ann', { pays: false });
  const [intent] = world.gateway.intents.values();
  const id = intent?.id ?? '';
  world.gateway.setIntent(id, 'processing');
  await world.work(process, world.clock().getTime() + HOLD_FOR + HOLD_GRACE + 60_000);
  expect((await world.truth()).tickets.held).toBe(0);
  const reconciler = createReconciler(process.purchases.parts);
  const compare = () => reconciler.run(new Date(0), process.acting({ kind: 'system' }), never);
  expect(await compare()).toMatchObject({ looked: 1, cancelled: 0 });
  world.gateway.setIntent(id, 'succeeded');
  expect(await compare()).toMatchObject({ settled: 1 });
  expect((await world.truth()).bookings).toMatchObject([{ booked: { status: 'confirmed' } }]);
  expect(await compare()).toMatchObject({ looked: 0 });
});

it('leaves out what this process has booked itself, and nothing else', async () => {
  const world = new World();
  await world.open(6);
  const process = world.process();
  expect(await world.buy(process, 'ann')).toBe('booked');
  await world.buy(process, 'bob', { pays: false });
  const unpaid = [...world.gateway.intents.values()].find(({ status }) => status === 'open');
  world.gateway.pay(unpaid?.id ?? '');
  world.pass(6_000);
  const compareAs = ({ purchases, acting }: typeof process) =>
    createReconciler(purchases.parts).run(new Date(0), acting({ kind: 'system' }), never);
  // The buyer of the second one has paid and closed the browser.
  expect(await compareAs(process)).toMatchObject({ looked: 1, settled: 1, failures: [] });
  expect((await world.truth()).bookings).toHaveLength(2);
  expect(await compareAs(process)).toMatchObject({ looked: 0 });
  expect(await compareAs(world.process())).toMatchObject({ looked: 2, settled: 2 });
});

it('looks back over a day once in a while, for what an outage hid', async () => {
  const world = new World();
  await world.open(2);
  const process = world.process();
  await world.buy(process, 'ann', { pays: false });
  const [intent] = world.gateway.intents.values();
  const id = intent?.id ?? '';
  world.gateway.setIntent(id, 'processing');
  await world.work(process, world.clock().getTime() + HOLD_FOR + HOLD_GRACE + 60_000);
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

it('stops between two intents when the process is to end, and looks far again the next time', async () => {
  const world = new World();
  await world.open(4);
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

it('looks back longer than an attempt can be open, however long tickets are held', async () => {
  const world = new World();
  await world.open(2);
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
