import { expect, it } from 'vitest';
import { serialize } from '#infra/http/route.ts';
import { AnswerCache } from './answer-cache.ts';

it.each([
  ['has gone on', 1_000],
  ['was put back', -600_000],
])('a cached answer is made again once the clock %s', async (_, passed) => {
  let now = Date.parse('2026-10-25T01:00:00Z');
  let made = 0;
  const cache = new AnswerCache<number>(
    () => '1',
    () => now,
  );
  const ask = () => cache.get('events', async () => ({ body: serialize(++made), headers: {} }));
  await ask();
  await ask();
  expect(made).toBe(1);
  now += passed;
  await ask();
  expect(made).toBe(2);
});
