import { expect, it } from 'vitest';
import { inSlices } from './list.ts';

it('lets others have a turn between two parts of what is written out', async () => {
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

it('has no part of nothing', async () => {
  expect(await Array.fromAsync(inSlices([]))).toEqual([]);
});
