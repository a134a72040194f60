import { describe, expect, it, vi } from 'vitest';
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
  it('takes a person once, and again when they have left or were told', () => {
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

  it('lets people go, also those who are not on it', () => {
    given(waiting, [joined('ann')])
      .when(leave('ann'))
      .then([left('ann')]);
    given(waiting, [joined('ann')])
      .when(leave('bob'))
      .thenNothing();
  });

  it('tells a person once, however often it is asked to, and nobody who has left', () => {
    const tell = { type: 'Tell', listingId, userIds: ['ann', 'bob', 'eve'] } as const;
    given(waiting, [joined('ann'), joined('bob'), left('bob')])
      .when(tell)
      .then([told('ann')]);
    given(waiting, [joined('ann'), told('ann')])
      .when(tell)
      .thenNothing();
  });

  it('has an end', () => {
    const full = Array.from({ length: MOST_WAITING }, (_, index) => joined(`u${index}`));
    given(waiting, full).when(join('ann')).thenRejected('WAITING_LIST_FULL');
    given(waiting, full).when(join('u7')).thenNothing();
  });
});

describe('who is told', () => {
  const START = Date.parse('2026-03-01T12:00:00Z');
  const later = (ms: number): string => new Date(START + ms).toISOString();
  const state = (...events: readonly (readonly [WaitingEvent, number])[]): WaitingState =>
    events.reduce((before, [event, ms]) => waiting.evolve(before, event, later(ms)), waiting.initial);
  const nobody: ReadonlySet<string> = new Set();
  const onlyAnn: ReadonlySet<string> = new Set(['ann']);
  const none = { buyers: nobody, holders: nobody };
  const three = [joined('ann'), joined('bob'), joined('eve')].map((event, ms) => [event, ms] as const);

  it('is whoever has waited longest, as many as there are tickets', () => {
    const ask = (free: number) => nextToTell(state(...three), { free, ...none, at: later(10) });
    expect([0, 1, 2, 9].map(ask)).toEqual([[], ['ann'], ['ann', 'bob'], ['ann', 'bob', 'eve']]);
  });

  it('stands at the end again where they have come back', () => {
    const back = state(...three, [left('ann'), 5], [joined('ann'), 6]);
    expect(nextToTell(back, { free: 9, ...none, at: later(10) })).toEqual(['bob', 'eve', 'ann']);
  });

  it('leaves the tickets for a turn to those who were told before, unless these have bought or hold some', () => {
    const one = state(...three, [told('ann'), 10]);
    const next = (free: number, ms: number, has: Partial<typeof none> = {}) =>
      nextToTell(one, { free, ...none, ...has, at: later(ms) });
    expect(next(1, 11)).toEqual([]);
    expect(next(2, 11)).toEqual(['bob']);
    expect(next(1, 11, { buyers: onlyAnn })).toEqual(['bob']);
    expect(next(1, 11, { holders: onlyAnn })).toEqual(['bob']);
    expect(next(1, 10 + TURN)).toEqual(['bob']);
  });

  it('is nobody who holds tickets at the moment', () => {
    const ask = (has: Partial<typeof none>) =>
      nextToTell(state(...three), { free: 2, ...none, ...has, at: later(10) });
    expect(ask({ holders: onlyAnn })).toEqual(['bob', 'eve']);
    expect(ask({ buyers: onlyAnn })).toEqual(['ann', 'bob']);
  });

  it('counts no turn of those who were told and wait again, since they found no ticket', () => {
    const again = state(...three, [told('ann'), 10], [joined('ann'), 20]);
    expect(nextToTell(again, { free: 1, ...none, at: later(30) })).toEqual(['bob']);
  });

  it('looks only at whose turn is over when somebody is told, however many were told within a turn', () => {
    const people = Array.from({ length: 300 }, (_, index) => `u${index}`);
    const looks = vi.spyOn(Date, 'parse');
    const all = state(...people.map((userId, index) => [told(userId), index] as const));
    const looked = looks.mock.calls.length;
    looks.mockRestore();
    expect(looked).toBeLessThan(5 * people.length);
    expect(all.told.size).toBe(people.length);
    const after = waiting.evolve(all, told('ann'), later(people.length + TURN));
    expect([...after.told.keys()]).toEqual(['ann']);
  });

  it('is bounded, so that one change of a large hall writes no mail to everybody at once', () => {
    const crowd = Array.from({ length: 300 }, (_, index) => [joined(`u${index}`), index] as const);
    expect(nextToTell(state(...crowd), { free: 1_000, ...none, at: later(400) })).toHaveLength(MOST_TOLD);
  });
});
