import { expect, it } from 'vitest';
import { cursorAfter, readCursor } from './cursor.ts';

const made = (...parts: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

it('a cursor round-trips, and is valid only for its own sort order', () => {
  for (const [sort, value] of [
    ['date', '2026-11-21T19:30:00.000Z'],
    ['price-low', 1_250],
  ] as const) {
    expect(readCursor(cursorAfter(sort, value, 7), sort)).toEqual({ value, id: 7 });
    expect(() => readCursor(cursorAfter(sort, value, 7), 'another')).toThrow();
  }
});

it.each([
  ['a date in words', 'date', made('date', '1 (x)', 1)],
  ['a date without its time', 'date', made('date', '2026-11-21', 1)],
  ['a day that there is not', 'date', made('date', '2026-02-30T00:00:00.000Z', 1)],
  ['a year that PostgreSQL does not know', 'date', made('date', '+275760-09-13T00:00:00.000Z', 1)],
  ['the year 0', 'date', made('date', '0000-01-01T00:00:00.000Z', 1)],
  ['a price in words', 'price-low', made('price-low', '1250', 1)],
  ['part of an id', 'price-low', made('price-low', 1, 1.5)],
  ['more than we write', 'price-low', made('price-low', 1, 1, 1)],
  ['other bytes for the same', 'price-low', `${made('price-low', 1, 1)}=`],
  ['no JSON', 'date', 'nonsense'],
])('a cursor is refused if it has %s', (_what, sort, cursor) => {
  expect(() => readCursor(cursor, sort)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
});
