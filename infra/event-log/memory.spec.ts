import { expect, test } from 'vitest';
import { type Batch, BeyondTheEnd } from './event-log.ts';
import { MemoryEventLog } from './memory.ts';

const event = (id: string) => ({ id, type: 'Happened', version: 1, data: '{}', meta: '{}' });

// What every adapter promises is held by tests/conformance/event-log.spec.ts.

test('the clock is the one it was given', async () => {
  const log = new MemoryEventLog({ id: 'log-1', now: () => new Date('2026-03-29T01:30:00Z') });
  await log.append([{ stream: 's', expected: 'none', events: [event('1')] }]);
  expect(await Array.fromAsync(log.readStream('s'))).toMatchObject([
    { recordedAt: '2026-03-29T01:30:00.000Z' },
  ]);
  expect(log.id).toBe('log-1');
});

test('without its check it appends on any revision', async () => {
  const log = new MemoryEventLog({ unsafelySkipRevisionCheck: true });
  await log.append([{ stream: 's', expected: 7, events: [event('1')] }]);
  expect(await log.append([{ stream: 's', expected: 'none', events: [event('2')] }])).toMatchObject([
    { ok: true, revision: 1 },
  ]);
});

test('a place that it has not reached is refused', async () => {
  const [longer, shorter] = [new MemoryEventLog(), new MemoryEventLog()];
  await longer.append([{ stream: 's', expected: 'none', events: [event('1')] }]);
  const beyond = await longer.head();
  await expect(Array.fromAsync(shorter.readAll(beyond))).rejects.toThrow(BeyondTheEnd);
  const batches: Batch[] = [];
  await expect(
    (async () => {
      for await (const batch of shorter.subscribe(beyond)) batches.push(batch);
    })(),
  ).rejects.toThrow(BeyondTheEnd);
});
