import { describe, expect, it } from 'vitest';
import type { HoldsEvent } from './events.ts';
import { type HoldsCommand, holds } from './holds.ts';
import { initial } from './state.ts';

const noon = Date.parse('2026-11-21T12:00:00.000Z');
const after = (minutes: number): string => new Date(noon + minutes * 60_000).toISOString();
const counted = (listingId: number, from = 0, over: readonly number[] = []): HoldsEvent => ({
  type: 'HoldCounted',
  data: { userId: 'ann', listingId, attempt: `a${listingId}`, until: after(from + 15), over },
});
const count = (listingId: number, at = 0, over: readonly number[] = []): HoldsCommand => ({
  ...counted(listingId, at, over).data,
  ...{ type: 'CountHold', at: after(at), most: 3, over },
});
const having = (...events: HoldsEvent[]) =>
  events.reduce((state, event) => holds.evolve(state, event, after(0)), initial);
const three = having(counted(1), counted(2), counted(3));

describe('the holds of an account', () => {
  it('are counted up to the limit', () => {
    expect(holds.decide(having(counted(1), counted(2)), count(3))).toEqual([counted(3)]);
    expect(holds.decide(three, count(4))).toEqual({
      rejected: 'TOO_MANY_HOLDS',
      details: { listingIds: [1, 2, 3] },
    });
  });

  it('are counted once for each listing, and renewing one appends no event', () => {
    expect(holds.decide(three, count(3))).toEqual([]);
    expect(holds.decide(three, count(3, 5))).toEqual([counted(3, 5)]);
  });

  it('end with their time, or earlier if the caller has seen them end', () => {
    expect(holds.decide(three, count(4, 15))).toEqual([counted(4, 15)]);
    expect(holds.decide(three, count(4, 1, [2]))).toEqual([counted(4, 1, [2])]);
    expect([...holds.evolve(three, counted(4, 1, [2]), after(1)).keys()]).toEqual([1, 3, 4]);
  });
});
