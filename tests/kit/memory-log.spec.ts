import { expect, test } from 'vitest';
import { MemoryEventLog } from './memory-log.ts';

const event = (id: string) => ({ id, type: 'Happened', version: 1, data: '{}', meta: '{}' });

// What every adapter promises is held by tests/conformance/event-log.spec.ts.

test('the log in memory uses the given clock', async () => {
  const log = new MemoryEventLog({ id: 'log-1', now: () => new Date('2026-03-29T01:30:00Z') });
  await log.append([{ stream: 's', expected: 'none', events: [event('1')] }]);
  expect(await Array.fromAsync(log.readStream('s'))).toMatchObject([
    { recordedAt: '2026-03-29T01:30:00.000Z' },
  ]);
  expect(log.id).toBe('log-1');
});

test('the log in memory appends on any revision without its check', async () => {
  const log = new MemoryEventLog({ unsafelySkipRevisionCheck: true });
  await log.append([{ stream: 's', expected: 7, events: [event('1')] }]);
  expect(await log.append([{ stream: 's', expected: 'none', events: [event('2')] }])).toMatchObject([
    { ok: true, revision: 1 },
  ]);
});
