import { describe, expect, it } from 'vitest';
import { fold } from '#tests/kit/fold.ts';
import { given } from '#tests/kit/given-when-then.ts';
import type { InventoryEvent } from './events.ts';
import { type InventoryCommand, inventory } from './inventory.ts';
import { bookingsOut, freeTickets, GENERATION, wordOn } from './state.ts';

const listingId = 1;
const at = '2026-11-21T12:00:00.000Z';
const until = '2026-11-21T12:15:00.000Z';
const later = (ms: number, from = at): string => new Date(Date.parse(from) + ms).toISOString();

const opened = (capacity: number): InventoryEvent => ({
  type: 'InventoryOpened',
  data: { listingId, capacity },
});
const held = (attempt: string, bookingId: number, quantity: number): InventoryEvent => ({
  type: 'TicketsHeld',
  data: { listingId, attempt, bookingId, userId: 'ann', quantity, until },
});
const released = (attempt: string, quantity: number, when = at): InventoryEvent => ({
  type: 'HoldReleased',
  data: { listingId, attempt, quantity, why: 'expired', at: when },
});
const sold = (attempt: string, bookingId: number, quantity: number, outOfHold = true): InventoryEvent => ({
  type: 'TicketsSold',
  data: { listingId, attempt, bookingId, userId: 'ann', quantity, held: outOfHold },
});
const returned = (bookingId: number, quantity: number): InventoryEvent => ({
  type: 'TicketsReturned',
  data: { listingId, bookingId, quantity },
});
const retaken = (bookingId: number, quantity: number): InventoryEvent => ({
  type: 'TicketsRetaken',
  data: { listingId, bookingId, userId: 'ann', quantity },
});
const closed = (why: 'archived' | 'started'): InventoryEvent => ({
  type: 'SalesClosed',
  data: { listingId, why },
});

const hold = (attempt: string, bookingId: number, quantity: number, end = until): InventoryCommand => ({
  type: 'HoldTickets',
  attempt,
  bookingId,
  userId: 'ann',
  quantity,
  until: end,
});
const sell = (attempt: string, bookingId: number, quantity: number): InventoryCommand => ({
  type: 'SellTickets',
  attempt,
  bookingId,
  userId: 'ann',
  quantity,
});
const release = (attempt: string, bookingId: number): InventoryCommand => ({
  type: 'ReleaseHold',
  attempt,
  bookingId,
  why: 'expired',
  at,
});
const giveBack = (bookingId: number, cancellation: number): InventoryCommand => ({
  type: 'ReturnTickets',
  bookingId,
  cancellation,
});
const retake = (
  bookingId: number,
  quantity: number,
  cancellation: number,
  withdrawal: number | null = null,
): InventoryCommand => ({
  type: 'RetakeTickets',
  bookingId,
  userId: 'ann',
  quantity,
  cancellation,
  withdrawal,
});
const giveUp = (withdrawal: number): InventoryCommand => ({
  ...{ type: 'GiveUpRetake', bookingId: 10, userId: 'ann', quantity: 2 },
  ...{ cancellation: 1, withdrawal },
});
const givenUp = (withdrawal: number): InventoryEvent => ({
  type: 'RetakeGivenUp',
  data: { listingId, bookingId: 10, userId: 'ann', quantity: 2, withdrawal },
});

describe('an inventory’s capacity', () => {
  it('is set once', () => {
    const open: InventoryCommand = { type: 'OpenInventory', listingId, capacity: 100 };
    given(inventory, [])
      .when(open)
      .then([opened(100)]);
    given(inventory, [opened(100)])
      .when(open)
      .thenNothing();
  });

  it('allows no sale before the listing was opened', () => {
    given(inventory, [])
      .when(hold('a', 10, 1))
      .then({ rejected: 'LISTING_NOT_FOUND' });
  });

  it('can change, but not below the tickets sold and held', () => {
    const history = [opened(10), held('a', 10, 2), held('b', 11, 3), sold('b', 11, 3)];
    given(inventory, history)
      .when({ type: 'ChangeCapacity', capacity: 5 })
      .then([{ type: 'CapacityChanged', data: { listingId, capacity: 5 } }]);
    given(inventory, history)
      .when({ type: 'ChangeCapacity', capacity: 4 })
      .then({ rejected: 'CAPACITY_TOO_SMALL', details: { sold: 3, held: 2 } });
    given(inventory, history).when({ type: 'ChangeCapacity', capacity: 10 }).thenNothing();
  });
});

describe('holding tickets', () => {
  it('sets tickets aside', () => {
    given(inventory, [opened(2)])
      .when(hold('a', 10, 2))
      .then([held('a', 10, 2)]);
  });

  it('is refused if too few are left, and reports how many are', () => {
    given(inventory, [opened(3), held('a', 10, 2)])
      .when(hold('b', 11, 2))
      .then({ rejected: 'SOLD_OUT', details: { available: 1 } });
  });

  it('can be repeated while they are held or sold', () => {
    given(inventory, [opened(2), held('a', 10, 2)])
      .when(hold('a', 10, 2))
      .thenNothing();
    given(inventory, [opened(2), held('a', 10, 2), sold('a', 10, 2)])
      .when(hold('a', 10, 2))
      .thenNothing();
  });

  it('is refused for an attempt that has ended', () => {
    given(inventory, [opened(2), held('a', 10, 2), released('a', 2)])
      .when(hold('a', 10, 2))
      .then({ rejected: 'HOLD_ENDED' });
  });

  it('is refused once sales are closed', () => {
    given(inventory, [opened(2), closed('archived')])
      .when(hold('a', 10, 2))
      .then({ rejected: 'SALES_CLOSED' });
  });
});

describe('releasing held tickets', () => {
  it('makes them free again', () => {
    const after = given(inventory, [opened(2), held('a', 10, 2)]).when(release('a', 10));
    after.then([released('a', 2)]);
    expect(freeTickets(after.state)).toBe(2);
  });

  it('of an attempt that held nothing makes its late hold be refused', () => {
    given(inventory, [opened(2)])
      .when(release('a', 10))
      .then([released('a', 0)]);
    given(inventory, [opened(2), released('a', 0)])
      .when(hold('a', 10, 2))
      .then({ rejected: 'HOLD_ENDED' });
  });

  it('happens once, and never to sold tickets', () => {
    given(inventory, [opened(2), held('a', 10, 2), released('a', 2)])
      .when(release('a', 10))
      .thenNothing();
    given(inventory, [opened(2), held('a', 10, 2), sold('a', 10, 2)])
      .when(release('a', 10))
      .thenNothing();
  });

  it('is possible after sales were closed', () => {
    given(inventory, [opened(2), held('a', 10, 2), closed('archived')])
      .when(release('a', 10))
      .then([released('a', 2)]);
  });
});

describe('the memory of ended attempts', () => {
  const generations = [
    opened(9),
    released('first', 0, at),
    released('second', 0, later(GENERATION)),
    released('third', 0, later(2 * GENERATION)),
  ];

  it('forgets the older generation, and refuses holds of that age', () => {
    const state = fold(inventory, generations);
    expect([...state.ended.recent, ...state.ended.older].sort()).toEqual(['second', 'third']);
    given(inventory, generations)
      .when(hold('first', 10, 1, until))
      .then({ rejected: 'HOLD_ENDED' });
  });

  it('allows new holds after forgetting', () => {
    given(inventory, generations)
      .when(hold('new', 11, 1, later(2 * GENERATION + 1000)))
      .thenNotRejected();
  });

  it('does not grow with the stream', () => {
    const many = Array.from({ length: 5000 }, (_, n) => released(`a${n}`, 0, later(n * 60_000)));
    const { recent, older } = fold(inventory, [opened(9), ...many]).ended;
    expect(recent.size + older.size).toBeLessThanOrEqual((2 * GENERATION) / 60_000);
  });
});

describe('selling tickets', () => {
  it('takes the held tickets, even if no others are left', () => {
    given(inventory, [opened(2), held('a', 10, 2)])
      .when(sell('a', 10, 2))
      .then([sold('a', 10, 2)]);
  });

  it('takes free tickets for a late payment', () => {
    given(inventory, [opened(2), held('a', 10, 2), released('a', 2)])
      .when(sell('a', 10, 2))
      .then([sold('a', 10, 2, false)]);
  });

  it('refuses a late payment if no tickets are left', () => {
    given(inventory, [opened(2), held('a', 10, 2), released('a', 2), held('b', 11, 1)])
      .when(sell('a', 10, 2))
      .then({ rejected: 'SOLD_OUT', details: { available: 1 } });
  });

  it('happens once', () => {
    const history = [opened(9), held('a', 10, 2), sold('a', 10, 2)];
    given(inventory, history)
      .when(sell('a', 10, 2))
      .thenNothing();
    given(inventory, [...history, returned(10, 2)])
      .when(sell('a', 10, 2))
      .thenNothing();
  });

  it('is refused once sales are closed, also for held tickets', () => {
    given(inventory, [opened(2), held('a', 10, 2), closed('archived')])
      .when(sell('a', 10, 2))
      .then({ rejected: 'SALES_CLOSED' });
  });
});

describe('returned tickets', () => {
  const history = [opened(2), held('a', 10, 2), sold('a', 10, 2)];

  it('come back once for each cancellation', () => {
    given(inventory, history)
      .when(giveBack(10, 1))
      .then([returned(10, 2)]);
    given(inventory, [...history, returned(10, 2)])
      .when(giveBack(10, 1))
      .thenNothing();
    given(inventory, [opened(2)])
      .when(giveBack(10, 1))
      .thenNothing();
  });

  it('are taken again for a reinstated booking, if enough are left', () => {
    given(inventory, [...history, returned(10, 2)])
      .when(retake(10, 2, 1))
      .then([retaken(10, 2)]);
    given(inventory, [...history, returned(10, 2), held('b', 11, 1)])
      .when(retake(10, 2, 1))
      .then({ rejected: 'SOLD_OUT', details: { available: 1 } });
    given(inventory, [...history, returned(10, 2), closed('archived')])
      .when(retake(10, 2, 1))
      .then({ rejected: 'SALES_CLOSED' });
  });

  it('stay returned after a late repeat of an older cancellation', () => {
    const reinstated = [...history, returned(10, 2), retaken(10, 2)];
    given(inventory, reinstated).when(giveBack(10, 1)).thenNothing();
    given(inventory, reinstated)
      .when(retake(10, 2, 1))
      .thenNothing();
    given(inventory, reinstated)
      .when(giveBack(10, 2))
      .then([returned(10, 2)]);
    given(inventory, [...reinstated, returned(10, 2)])
      .when(retake(10, 2, 1))
      .thenNothing();
  });

  it('are not taken again before they were returned', () => {
    given(inventory, history)
      .when(retake(10, 2, 1))
      .then({ rejected: 'CONFLICT' });
  });

  it('are not taken for a reinstatement that was given up, but for the next one', () => {
    const back = [...history, returned(10, 2)];
    given(inventory, back)
      .when(giveUp(1))
      .then([givenUp(1)]);
    given(inventory, [...back, givenUp(1)])
      .when(giveUp(1))
      .thenNothing();
    given(inventory, [...back, givenUp(1)])
      .when(retake(10, 2, 1, 1))
      .thenRejected('SOLD_OUT');
    given(inventory, [...back, givenUp(1)])
      .when(retake(10, 2, 1, 2))
      .then([retaken(10, 2)]);
    given(inventory, [...back, retaken(10, 2)])
      .when(giveUp(1))
      .thenRejected('CONFLICT');
    const unfilled = [opened(2), givenUp(1)];
    given(inventory, unfilled)
      .when(retake(10, 2, 1, 1))
      .thenRejected('SOLD_OUT');
    expect(bookingsOut(given(inventory, unfilled).when(giveUp(1)).state)).toEqual([]);
  });

  it('can be taken for a booking that never had any', () => {
    const unfilled = [opened(2)];
    const after = given(inventory, unfilled).when(retake(10, 2, 1));
    after.then([retaken(10, 2)]);
    expect(bookingsOut(after.state)).toEqual([10]);
    given(inventory, [...unfilled, retaken(10, 2)])
      .when(sell('a', 10, 2))
      .thenNothing();
    given(inventory, [...unfilled, retaken(10, 2)])
      .when(giveBack(10, 1))
      .thenNothing();
    given(inventory, [...unfilled, retaken(10, 2)])
      .when(giveBack(10, 2))
      .then([returned(10, 2)]);
  });
});

describe('closing sales', () => {
  it('is final once the listing is archived', () => {
    given(inventory, [opened(2)])
      .when({ type: 'CloseSales', why: 'archived' })
      .then([closed('archived')]);
    given(inventory, [opened(2), closed('started')])
      .when({ type: 'CloseSales', why: 'archived' })
      .then([closed('archived')]);
    given(inventory, [opened(2), closed('archived')])
      .when({ type: 'CloseSales', why: 'started' })
      .thenNothing();
  });
});

describe('the state of an attempt’s tickets', () => {
  it('is none, held, sold, returned or ended', () => {
    const history = [
      opened(9),
      held('a', 10, 1),
      held('b', 11, 1),
      sold('b', 11, 1),
      held('c', 12, 1),
      sold('c', 12, 1),
      returned(12, 1),
      released('d', 0),
    ];
    const state = fold(inventory, history);
    expect(wordOn(state, 'a', 10)).toBe('held');
    expect(wordOn(state, 'b', 11)).toBe('sold');
    expect(wordOn(state, 'c', 12)).toBe('returned');
    expect(wordOn(state, 'd', 13)).toBe('ended');
    expect(wordOn(state, 'e', 14)).toBe('none');
    expect(bookingsOut(state)).toEqual([11]);
  });
});

describe('an inventory’s snapshot', () => {
  it('turns the state into JSON and back', () => {
    const history = [
      opened(20),
      held('a', 10, 1),
      held('b', 11, 2),
      sold('b', 11, 2),
      returned(11, 2),
      released('c', 0),
      released('d', 0, later(GENERATION)),
      closed('started'),
    ];
    const state = fold(inventory, history);
    const through = inventory.snapshot?.fromJSON(
      JSON.parse(JSON.stringify(inventory.snapshot.toJSON(state))),
    );
    expect(through).toEqual(state);
  });

  it('refuses other JSON', () => {
    expect(() => inventory.snapshot?.fromJSON({ capacity: 'many' })).toThrow();
  });
});

it('an inventory folds a sale of 100,000 tickets well within a spec’s time limit', () => {
  const capacity = 100_000;
  const attempts = Array.from({ length: capacity }, (_, n) => [
    held(`a${n}`, n, 1),
    sold(`a${n}`, n, 1),
  ]).flat();
  const state = fold(inventory, [opened(capacity), ...attempts]);
  expect(freeTickets(state)).toBe(0);
  expect(state.sales.size).toBe(capacity);
}, 30_000);
