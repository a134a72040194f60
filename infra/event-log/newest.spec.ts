import { expect, it } from 'vitest';
import { toPosition } from './batch.ts';
import type { Stored } from './eventstoredb/protocol.ts';
import { Newest } from './newest.ts';

const at = (place: number | undefined): Stored =>
  ({ position: place === undefined ? undefined : toPosition(place) }) as Stored;

/** What was pushed of the places that are given. */
const pushed = (...places: readonly (number | undefined)[]) => {
  const all = new Newest<Stored>();
  for (const place of places) all.take(at(place));
  return all;
};
const after = (all: Newest<Stored>, place: number, count = 10) =>
  all.after(toPosition(place), count).map(({ position }) => Number(position));

it('the newest events are returned from after a known position, up to the limit', () => {
  const all = pushed(10, 20, 30, 40);
  expect(after(all, 10)).toEqual([20, 30, 40]);
  expect(after(all, 25, 1)).toEqual([30]);
  expect(after(all, 40)).toEqual([]);
  expect(after(all, 50)).toEqual([]);
});

it('the newest events are not returned for a position before the first one, because earlier ones may be missing', () => {
  expect(after(pushed(10, 20), 9)).toEqual([]);
  expect(after(pushed(), 9)).toEqual([]);
});

it('the newest events are forgotten when the subscription ends or an event has no position', () => {
  const ended = pushed(10, 20);
  ended.forget();
  ended.take(at(30));
  ended.take(at(40));
  expect(after(ended, 20)).toEqual([]);
  expect(after(ended, 30)).toEqual([40]);
  expect(after(pushed(10, 20, undefined, 30, 40), 20)).toEqual([]);
});

it('the newest events are kept up to a limit and without a gap', () => {
  const all = pushed(...Array.from({ length: 2_500 }, (_, index) => index + 1));
  expect(after(all, 500)).toEqual([]);
  const first = Array.from({ length: 2_500 }, (_, place) => place).find(
    (place) => after(all, place).length > 0,
  );
  expect(first).toBeGreaterThan(500);
  expect(after(all, first ?? 0, 2_500)).toEqual(
    Array.from({ length: 2_500 - (first ?? 0) }, (_, index) => (first ?? 0) + 1 + index),
  );
});

it('the newest events can start after a given position, and report where they end', () => {
  const all = pushed(10, 20);
  expect(all.end).toBe(toPosition(20));
  all.beginAfter(toPosition(25));
  expect(all.end).toBe(toPosition(25));
  expect(after(all, 20)).toEqual([]);
  all.take(at(30));
  expect(after(all, 25)).toEqual([30]);
  expect(all.end).toBe(toPosition(30));
  all.forget();
  expect(all.end).toBeUndefined();
});
