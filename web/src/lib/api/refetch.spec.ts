import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from './query-client.ts';
import { refetch } from './refetch.ts';

const KEY = ['api', 'things'];

/** Shows something whose answers are given by hand, each with what was so when it was asked for. */
const shown = () => {
  let now = 'old';
  const answers: (() => void)[] = [];
  const observer = new QueryObserver(queryClient, {
    queryKey: KEY,
    queryFn: () => {
      const answer = now;
      return new Promise<string>((resolve) => answers.push(() => resolve(answer)));
    },
  });
  const unsubscribe = observer.subscribe(() => undefined);
  ends.push(unsubscribe);
  return {
    answers,
    data: () => observer.getCurrentResult().data,
    change: () => {
      now = 'new';
      return refetch(['api']);
    },
  };
};
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  queryClient.clear();
});
const turn = () => new Promise(setImmediate);

test('a change during the first fetch is shown', async () => {
  const { answers, data, change } = shown();
  const changed = change();
  answers[0]?.();
  await turn();
  expect(answers).toHaveLength(2);
  answers[1]?.();
  await changed;
  expect(data()).toBe('new');
  expect(answers).toHaveLength(2);
});

test('cached data is fetched again once', async () => {
  const { answers, data, change } = shown();
  answers[0]?.();
  await turn();
  const changed = change();
  answers[1]?.();
  await changed;
  expect(data()).toBe('new');
  expect(answers).toHaveLength(2);
});

test('changes during a fetch are combined into one further fetch', async () => {
  const { answers, data, change } = shown();
  answers[0]?.();
  await turn();
  const changed = change();
  for (let times = 0; times < 5; times++) change();
  expect(answers).toHaveLength(2);
  answers[1]?.();
  await turn();
  expect(answers).toHaveLength(3);
  answers[2]?.();
  await changed;
  expect(data()).toBe('new');
});
