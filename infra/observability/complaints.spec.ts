import { expect, test } from 'vitest';
import { complaints } from './complaints.ts';

test('a repeated warning is logged once a minute with its count, and a different one at once', () => {
  let now = 0;
  const lines: unknown[] = [];
  const warn = (fields: { err: Error; times?: number; task: string }, words: string) =>
    lines.push([words, fields.err.message, fields.times, fields.task]);
  const complain = complaints({ warn } as never, 'will be tried again', { task: 'mails' }, () => now);
  const refused = () => new Error('connect ECONNREFUSED');
  for (let second = 0; second < 60; second += 1) {
    now = second * 1_000;
    complain(refused());
  }
  complain(new Error('timeout'));
  now = 60_000;
  complain(refused());
  expect(lines).toEqual([
    ['will be tried again', 'connect ECONNREFUSED', undefined, 'mails'],
    ['will be tried again', 'timeout', undefined, 'mails'],
    ['will be tried again', 'connect ECONNREFUSED', 60, 'mails'],
  ]);
});
