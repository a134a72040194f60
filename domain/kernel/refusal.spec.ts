import { expect, it } from 'vitest';
import { reject } from './decider.ts';
import { refusalOf } from './refusal.ts';

it('a refusal names the first twenty users of a thing, and how many there are', () => {
  const usedBy = Array.from({ length: 500 }, (_, id) => ({ kind: 'event', id, name: `Event ${id}` }));
  const { message, details } = refusalOf(reject('IN_USE', { usedBy }));
  expect(message).toBe('This is still in use by Event 0 and 499 more.');
  expect(details).toEqual({ usedBy: usedBy.slice(0, 20), uses: 500 });
});
