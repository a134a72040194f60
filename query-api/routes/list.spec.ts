import { expect, it } from 'vitest';
import { atHome, csvOf, inSlices } from './list.ts';

it('a CSV export yields to other work between two parts', async () => {
  let turns = 0;
  let isDone = false;
  const others = (): void => {
    turns += 1;
    if (!isDone) setImmediate(others);
  };
  setImmediate(others);
  const rows = Array.from({ length: 120 }, (_, index) => index);
  const seen: number[][] = [];
  const turnsBefore: number[] = [];
  for await (const some of inSlices(rows)) {
    turnsBefore.push(turns);
    seen.push([...some]);
  }
  isDone = true;
  expect(seen.flat()).toEqual(rows);
  expect(seen.map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(turnsBefore).toEqual([...new Set(turnsBefore)]);
});

it('a CSV export of no rows has no parts', async () => {
  expect(await Array.fromAsync(inSlices([]))).toEqual([]);
});

it.each(['=1+1', ' +1', '-1', '@SUM(A1)', '\t=1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
  'a CSV export does not let %j become a formula',
  (value) => {
    expect(csvOf([['Name', (name: string) => name]], [value])).toBe(`'${value}\n`);
  },
);

it.each([
  ['Ann;=1+1;', `Ann;'=1+1;`],
  ['Ann; "=1+1"', `"Ann;' ""=1+1"""`],
  ['Ann\n@SUM(A1);', `"Ann\n'@SUM(A1);"`],
  ['Ann\r\n-1;+1', `"Ann\r\n'-1;'+1"`],
])(
  'a CSV export does not let a part of %j become a formula where semicolons separate cells',
  (value, cell) => {
    expect(csvOf([['Name', (name: string) => name]], [value])).toBe(`${cell}\n`);
  },
);

it('a CSV export leaves other cells unchanged', () => {
  const values = ['Ann', 'a=b', '7', '（＝）', 'a; b; c=d', '0012', '1E5'];
  expect(csvOf([['Name', (name: string) => name]], values)).toBe(`${values.join('\n')}\n`);
});

it.each([
  ['2026-07-31T23:30:00.000Z', '2026-08-01 00:30'],
  ['2026-12-31T23:30:00.000Z', '2026-12-31 23:30'],
])('a CSV export has times that spreadsheets can read, in London’s time: %s', (instant, cell) => {
  expect(csvOf([['Booked', atHome]], [instant, null])).toBe(`${cell}\n\n`);
});
