import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRejection } from '#domain/kernel/decider.ts';
import { sweep } from '#tests/kit/sweep.ts';
import type { InventoryEvent } from './events.ts';
import { type InventoryCommand, inventory } from './inventory.ts';
import { evolve, freeTickets, type InventoryState, initial, isOut } from './state.ts';

/**
 * The model is deliberately naive: one list of what every attempt has, summed anew each time. The commands are random,
 * repeated, late and in any order; the inventory must agree with the model, and never oversell.
 */
interface Model {
  capacity: number;
  closed: boolean;
  /** Tickets out of the door or set aside, by attempt. */
  has: Map<
    number,
    { state: 'held' | 'sold' | 'ended' | 'returned'; quantity: number; cancellations: number }
  >;
  /** How often each attempt's hold ended, by events. */
  ends: Map<number, number>;
}
interface Real {
  state: InventoryState;
  events: InventoryEvent[];
}

const at = '2026-11-21T12:00:00.000Z';
const until = '2026-11-21T12:15:00.000Z';

const taken = (model: Model): number =>
  [...model.has.values()].reduce(
    (sum, { state, quantity }) => sum + (state === 'held' || state === 'sold' ? quantity : 0),
    0,
  );
const left = (model: Model): number => model.capacity - taken(model);

/** Runs a command on the real inventory, and checks what must hold whatever happens. */
const run = (real: Real, model: Model, command: InventoryCommand): readonly InventoryEvent[] => {
  const decision = inventory.decide(real.state, command);
  const events = isRejection(decision) ? [] : decision;
  for (const event of events) {
    real.state = evolve(real.state, event);
    if (event.type === 'HoldReleased' || (event.type === 'TicketsSold' && event.data.held)) {
      const attempt = Number(event.data.attempt);
      model.ends.set(attempt, (model.ends.get(attempt) ?? 0) + 1);
    }
  }
  real.events.push(...events);
  return events;
};

const agree = (real: Real, model: Model): void => {
  const { state } = real;
  expect(freeTickets(state)).toBe(left(model));
  expect(freeTickets(state)).toBeGreaterThanOrEqual(0);
  expect(state.sold + state.held).toBeLessThanOrEqual(state.capacity);
  expect(state.held).toBe(state.holds.reduce((sum, hold) => sum + hold.quantity, 0));
  expect(state.sold).toBe(state.sales.filter(isOut).reduce((sum, sale) => sum + sale.quantity, 0));
  for (const times of model.ends.values()) expect(times).toBe(1);
};

type Op = fc.Command<Model, Real>;
const op = (name: string, act: (model: Model, real: Real) => void): Op => ({
  check: () => true,
  run: (model, real) => {
    act(model, real);
    agree(real, model);
  },
  toString: () => name,
});

const asked = (attempt: number, quantity: number) =>
  ({ attempt: String(attempt), bookingId: attempt, userId: 'ann', quantity }) as const;

const hold = (n: number, quantity: number): Op =>
  op(`hold ${n} × ${quantity}`, (model, real) => {
    const may = !model.closed && !model.has.has(n) && left(model) >= quantity;
    const events = run(real, model, { type: 'HoldTickets', ...asked(n, quantity), until });
    expect(events).toHaveLength(may ? 1 : 0);
    if (may) model.has.set(n, { state: 'held', quantity, cancellations: 0 });
  });

const release = (n: number): Op =>
  op(`release ${n}`, (model, real) => {
    const before = model.has.get(n);
    const may = !before || before.state === 'held';
    const command = { type: 'ReleaseHold', attempt: String(n), bookingId: n, why: 'expired', at } as const;
    expect(run(real, model, command)).toHaveLength(may ? 1 : 0);
    if (may) model.has.set(n, { state: 'ended', quantity: 0, cancellations: 0 });
  });

const sell = (n: number, quantity: number): Op =>
  op(`sell ${n} × ${quantity}`, (model, real) => {
    const before = model.has.get(n);
    // An attempt asks for one quantity all its life.
    const size = before?.state === 'held' ? before.quantity : quantity;
    const free = left(model) + (before?.state === 'held' ? before.quantity : 0);
    const settled = before?.state === 'sold' || before?.state === 'returned';
    const may = !model.closed && !settled && free >= size;
    expect(run(real, model, { type: 'SellTickets', ...asked(n, size) })).toHaveLength(may ? 1 : 0);
    if (may) model.has.set(n, { state: 'sold', quantity: size, cancellations: 0 });
  });

const giveBack = (n: number, cancellation: number): Op =>
  op(`return ${n} for cancellation ${cancellation}`, (model, real) => {
    const before = model.has.get(n);
    const may = before?.state === 'sold' && before.cancellations === cancellation - 1;
    // Only the cancellation that comes next, or a repeat of an older one, is ever asked for.
    if (before && cancellation > before.cancellations + 1) return;
    const events = run(real, model, { type: 'ReturnTickets', bookingId: n, cancellation });
    expect(events).toHaveLength(may ? 1 : 0);
    if (may && before) model.has.set(n, { ...before, state: 'returned', cancellations: cancellation });
  });

const retake = (n: number, cancellation: number): Op =>
  op(`retake ${n} after cancellation ${cancellation}`, (model, real) => {
    const before = model.has.get(n);
    if (!before || (before.state !== 'returned' && before.state !== 'sold')) return;
    if (cancellation > before.cancellations) return;
    const { quantity } = before;
    const current = before.state === 'returned' && cancellation === before.cancellations;
    const may = current && !model.closed && left(model) >= quantity;
    const tickets = { bookingId: n, userId: 'ann', quantity };
    const command = { type: 'RetakeTickets', ...tickets, cancellation, withdrawal: null } as const;
    expect(run(real, model, command)).toHaveLength(may ? 1 : 0);
    if (may) model.has.set(n, { ...before, state: 'sold' });
  });

const changeCapacity = (capacity: number): Op =>
  op(`capacity ${capacity}`, (model, real) => {
    const may = capacity !== model.capacity && capacity >= taken(model);
    expect(run(real, model, { type: 'ChangeCapacity', capacity })).toHaveLength(may ? 1 : 0);
    if (may) model.capacity = capacity;
  });

const close = (): Op =>
  op('close sales', (model, real) => {
    run(real, model, { type: 'CloseSales', why: 'archived' });
    model.closed = true;
  });

const attempt = fc.integer({ min: 1, max: 5 });
const quantity = fc.integer({ min: 1, max: 4 });
const commands = fc.commands(
  [
    fc.tuple(attempt, quantity).map(([n, q]) => hold(n, q)),
    attempt.map(release),
    fc.tuple(attempt, quantity).map(([n, q]) => sell(n, q)),
    fc.tuple(attempt, fc.integer({ min: 1, max: 2 })).map(([n, c]) => giveBack(n, c)),
    fc.tuple(attempt, fc.integer({ min: 1, max: 2 })).map(([n, c]) => retake(n, c)),
    fc.nat(14).map(changeCapacity),
    // Rare, since nothing much happens afterwards.
    fc.nat(9).map((n) => (n === 0 ? close() : release(n))),
  ],
  { size: '+1', maxCommands: 60 },
);

it('an inventory never oversells, ends each hold once, and agrees with the model, for any commands in any order', () => {
  fc.assert(
    fc.property(commands, fc.nat(10), (ops, capacity) => {
      const opened: InventoryEvent = { type: 'InventoryOpened', data: { listingId: 1, capacity } };
      const setup = () => ({
        model: { capacity, closed: false, has: new Map(), ends: new Map() } satisfies Model,
        real: { state: evolve(initial, opened), events: [opened] } as Real,
      });
      fc.modelRun(setup, ops);
    }),
    { numRuns: sweep(80, 500) },
  );
});
