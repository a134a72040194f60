import { describe, expect, it, vi } from 'vitest';
import { migratedDatabase } from '#tests/kit/database.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { createIds, type IdName, liftSequences } from './ids.ts';

const database = migratedDatabase();

describe('integer ids', () => {
  it('start at 1 for every name, except where lower ones are reserved', async () => {
    const first: Record<IdName, number> = {
      listing: 1,
      booking: 1,
      city: 1,
      venue: 1,
      category: 1,
      promotion: 1,
      // The default templates have the lower ones.
      template: 101,
      image: 1,
      support: 1,
      hook: 1,
    };
    const ids = createIds(database.pool);
    for (const name of Object.keys(first) as IdName[]) expect(await ids.next(name)).toBe(first[name]);
  });

  it('are never allocated twice by any process', async () => {
    const processes = Array.from({ length: 3 }, () => createIds(database.pool));
    const given = await Promise.all(
      Array.from({ length: 1_500 }, (_, i) => processes[i % 3]?.next(i % 5 ? 'booking' : 'listing')),
    );
    expect(new Set(given.filter((_, i) => i % 5)).size).toBe(1_200);
    expect(new Set(given.filter((_, i) => i % 5 === 0)).size).toBe(300);
  });

  it('are allocated in blocks if many are requested', async () => {
    const query = vi.spyOn(database.pool, 'query');
    const ids = createIds(database.pool);
    await Promise.all(Array.from({ length: 200 }, () => ids.next('booking')));
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
  });
});

describe('lifting the sequences', () => {
  const born = (type: string, data: object) => ({
    id: crypto.randomUUID(),
    type,
    version: 1,
    data: JSON.stringify(data),
    meta: '{}',
  });

  it('raises each above the log’s largest id, never lowers one, and reads only new events', async () => {
    const log = new MemoryEventLog();
    const next = createIds(database.pool);
    await log.append([
      {
        stream: 'city-1',
        expected: 'none',
        events: [born('CityAdded', { cityId: 900 }), born('CityAdded', { cityId: 7 })],
      },
      { stream: 'checkout-a-1', expected: 'none', events: [born('CheckoutOpened', { bookingId: 50_000 })] },
      { stream: 'listing-1', expected: 'none', events: [born('ListingCreated', { listingId: 3 })] },
    ]);
    const listing = await next.next('listing');
    await liftSequences(database.pool, log);
    const ids = createIds(database.pool);
    expect(await ids.next('city')).toBe(901);
    expect(await ids.next('booking')).toBe(50_001);
    expect(await ids.next('listing')).toBe(listing + 1);

    const readAll = vi.spyOn(log, 'readAll');
    await log.append([
      { stream: 'city-2', expected: 'none', events: [born('CityAdded', { cityId: 2_000 })] },
    ]);
    const head = await log.head();
    await liftSequences(database.pool, log);
    await liftSequences(database.pool, log);
    expect(await ids.next('city')).toBe(2_001);
    expect(readAll.mock.lastCall?.[0]).toBe(head);
  });
});
