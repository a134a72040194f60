import { describe, expect, it } from 'vitest';
import { StateCache } from './state-cache.ts';

const newEntry = (inUse = false) => ({ inUse });

describe('the cache of states', () => {
  it('keeps recently used states and drops the others', () => {
    const cache = new StateCache(10);
    const first = cache.take('first', newEntry);
    const kept = cache.take('kept', newEntry);
    for (let i = 0; i < 100; i++) {
      cache.take(`other-${i}`, newEntry);
      expect(cache.take('kept', newEntry)).toBe(kept);
      expect(cache.size).toBeLessThanOrEqual(11);
    }
    expect(cache.take('first', newEntry)).not.toBe(first);
  });

  it('never drops a state that is in use', () => {
    const cache = new StateCache(4);
    const busy = Array.from({ length: 20 }, (_, i) => cache.take(`busy-${i}`, () => newEntry(true)));
    for (let i = 0; i < 50; i++) cache.take(`other-${i}`, newEntry);
    expect(busy.map((_, i) => cache.take(`busy-${i}`, newEntry))).toEqual(busy);
    for (const [i, entry] of busy.entries()) expect(cache.take(`busy-${i}`, newEntry)).toBe(entry);
  });

  it('drops a state once it is no longer in use', () => {
    const cache = new StateCache(4);
    const entries = Array.from({ length: 20 }, () => ({ inUse: true }));
    for (const [i, entry] of entries.entries()) cache.take(`busy-${i}`, () => entry);
    expect([...cache.values()]).toEqual(expect.arrayContaining(entries));
    for (const entry of entries) entry.inUse = false;
    cache.take('other', newEntry);
    expect(cache.size).toBe(4);
  });
});
