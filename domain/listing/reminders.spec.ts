import { expect, test } from 'vitest';
import { dueReminder, nextReminder } from './reminders.ts';

const START = '2026-12-11T19:30:00.000Z';
const at = (instant: string): number => Date.parse(instant);

test.each([
  ['long before', '2026-11-01T00:00:00Z', '2026-12-04T19:30:00Z'],
  ['seven days before', '2026-12-04T19:30:00Z', '2026-12-10T19:30:00Z'],
  ['24 hours before', '2026-12-10T19:30:00Z', undefined],
  ['afterwards', '2027-01-01T00:00:00Z', undefined],
])('%s, the next reminder is due in time', (_, now, next) => {
  expect(nextReminder(START, at(now))).toBe(next && at(next));
});

test.each([
  ['a second early', '2026-12-04T19:29:59Z', undefined],
  ['seven days before', '2026-12-04T19:30:00Z', 168],
  ['hours late', '2026-12-05T19:29:59Z', 168],
  ['a day late', '2026-12-05T19:30:00Z', undefined],
  ['24 hours before', '2026-12-10T19:30:00Z', 24],
  ['until the start', '2026-12-11T19:29:59Z', 24],
  ['not after it', START, undefined],
])('%s, the right reminder is due, if any', (_, now, hours) => {
  expect(dueReminder(START, at(now))?.before).toBe(hours && hours * 3_600_000);
});
