import { describe, expect, it } from 'vitest';
import { given } from '#tests/kit/given-when-then.ts';
import type { WaitingEvent } from './events.ts';
import { MOST_TOLD, MOST_WAITING, nextToTell, TURN, type WaitingState, waiting } from './waiting.ts';

const listingId = 7;
const joined = (userId: string): WaitingEvent => ({ type: 'WaitingListJoined', data: { listingId, userId } });
const left = (userId: string): WaitingEvent => ({ type: 'WaitingListLeft', data: { listingId, userId } });
const told = (userId: string): WaitingEvent => ({ type: 'WaiterTold', data: { listingId, userId } });
const join = (userId: string) => ({ type: 'Join', listingId, userId }) as const;
const leave = (userId: string) => ({ type: 'Leave', listingId, userId }) as const;

describe('the waiting list', () => {
  it('adds a person once, and again after they have left or were notified', () => {
    given(waiting, [])
      .when(join('ann'))
      .then([joined('ann')]);
    given(waiting, [joined('ann')])
      .when(join('ann'))
      .thenNothing();
    given(waiting, [joined('ann'), left('ann')])
      .when(join('ann'))
      .then([joined('ann')]);
    given(waiting, [joined('ann'), told('ann')])
      .when(join('ann'))
      .then([joined('ann')]);
  });

  it('removes people, and ignores those who are not on it', () => {
    given(waiting, [joined('ann')])
      .when(leave('ann'))
      .then([left('ann')]);
    given(waiting, [joined('ann')])
      .when(leave('bob'))
      .thenNothing();
  });

  it('notifies a person once, however often it is asked to, and nobody who has left', () => {
    const tell = { type: 'Tell', listingId, userIds: ['ann', 'bob', 'eve'] } as const;
    given(waiting, [joined('ann'), joined('bob'), left('bob')])
      .when(tell)
      .then([told('ann')]);
    given(waiting, [joined('ann'), told('ann')])
      .when(tell)
      .thenNothing();
  });

  it('refuses new people when it is full', () => {
    const full = Array.from({ length: MOST_WAITING }, (_, index) => joined(`u${index}`));
    given(waiting, full).when(join('ann')).thenRejected('WAITING_LIST_FULL');
    given(waiting, full).when(join('u7')).thenNothing();
  });
});

describe('the next people to notify', () => {
  const START = Date.parse('2026-03-01T12:00:00Z');
  const later = (ms: number): string => new Date(START + ms).toISOString();
  const state = (...events: readonly (readonly [WaitingEvent, number])[]): WaitingState =>
    events.reduce((before, [event, ms]) => waiting.evolve(before, event, later(ms)), waiting.initial);
  const nobody: ReadonlySet<string> = new Set();
  const onlyAnn: ReadonlySet<string> = new Set(['ann']);
  const none = { buyers: nobody, holders: nobody };
  const three = [joined('ann'), joined('bob'), joined('eve')].map((event, ms) => [event, ms] as const);

  it('are those who have waited longest, one for each free ticket', () => {
    const ask = (free: number) => nextToTell(state(...three), { free, ...none, at: later(10) });
    expect([0, 1, 2, 9].map(ask)).toEqual([[], ['ann'], ['ann', 'bob'], ['ann', 'bob', 'eve']]);
  });

  it('include a person who has left and come back at the end', () => {
    const back = state(...three, [left('ann'), 5], [joined('ann'), 6]);
    expect(nextToTell(back, { free: 9, ...none, at: later(10) })).toEqual(['bob', 'eve', 'ann']);
  });

  it('leave a ticket to each notified person for one turn, unless they have bought or hold one', () => {
    const one = state(...three, [told('ann'), 10]);
    const next = (free: number, ms: number, has: Partial<typeof none> = {}) =>
      nextToTell(one, { free, ...none, ...has, at: later(ms) });
    expect(next(1, 11)).toEqual([]);
    expect(next(2, 11)).toEqual(['bob']);
    expect(next(1, 11, { buyers: onlyAnn })).toEqual(['bob']);
    expect(next(1, 11, { holders: onlyAnn })).toEqual(['bob']);
    expect(next(1, 10 + TURN)).toEqual(['bob']);
  });

  it('exclude people who hold tickets at the moment', () => {
    const ask = (has: Partial<typeof none>) =>
      nextToTell(state(...three), { free: 2, ...none, ...has, at: later(10) });
    expect(ask({ holders: onlyAnn })).toEqual(['bob', 'eve']);
    expect(ask({ buyers: onlyAnn })).toEqual(['ann', 'bob']);
  });

  it('are not delayed by the turn of a person who found no ticket and joined again', () => {
    const again = state(...three, [told('ann'), 10], [joined('ann'), 20]);
    expect(nextToTell(again, { free: 1, ...none, at: later(30) })).toEqual(['bob']);
  });

  it('do not depend on those whose turn is over, which are forgotten', () => {
    // So many that checking each of them for every event would exceed the time limit.
    const people = Array.from({ length: 5_000 }, (_, index) => `u${index}`);
    const all = state(...people.map((userId, index) => [told(userId), index] as const));
    expect(all.told.size).toBe(people.length);
    const after = waiting.evolve(all, told('ann'), later(people.length + TURN));
    expect([...after.told.keys()]).toEqual(['ann']);
  }, 30_000);

  it('are limited in number, so that a larger hall does not mail everybody at once', () => {
    const crowd = Array.from({ length: 300 }, (_, index) => [joined(`u${index}`), index] as const);
    expect(nextToTell(state(...crowd), { free: 1_000, ...none, at: later(400) })).toHaveLength(MOST_TOLD);
  });
});
