import { expect, test } from 'vitest';
import { heardTime, serverNow } from './clock.ts';

const NOW = Date.parse('2026-12-04T19:30:00Z');

test('a wrong device clock is corrected by the server’s time', () => {
  heardTime('Fri, 04 Dec 2026 19:14:00 GMT', NOW);
  expect(new Date(serverNow(NOW)).toISOString()).toBe('2026-12-04T19:14:00.000Z');
  heardTime(null, NOW);
  heardTime('soon', NOW);
  expect(new Date(serverNow(NOW)).toISOString()).toBe('2026-12-04T19:14:00.000Z');
});

test('an answer’s travel time does not count as a clock difference', () => {
  heardTime('Fri, 04 Dec 2026 19:29:59 GMT', NOW);
  expect(serverNow(NOW)).toBe(NOW);
});
