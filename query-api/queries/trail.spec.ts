import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { allEvents } from '#domain/all-events.ts';
import type { RefundEvent } from '#domain/refund/events.ts';
import { createCodec } from '#infra/event-log/codec.ts';
import { createMemoryKeyStore } from '#tests/kit/memory-keys.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { readTrail } from './trail.ts';

const trail = {
  bookingId: 12,
  userId: 'ann',
  listingId: 7,
  attempt: 'a',
  placedAt: '2026-06-01T12:00:00.000Z',
  zone: 'Europe/London',
};

it('says that a refund is tried again only as long as it is', async () => {
  const log = new MemoryEventLog();
  const codec = createCodec(createMemoryKeyStore(), allEvents);
  for (const attempt of [1, 2, 3, 4]) {
    const context = {
      commandId: randomUUID(),
      actor: { kind: 'system' } as const,
      at: trail.placedAt,
      correlationId: 'spec',
    };
    const event: RefundEvent = {
      type: 'RefundFailed',
      data: { bookingId: 12, attempt, providerRefundId: null, why: 'bank' },
    };
    const meta = await codec.encodeMeta(context);
    const made = await codec.encode(event, randomUUID(), 'refund-12', context, meta);
    await log.append([{ stream: 'refund-12', expected: 'any', events: [made] }]);
  }
  const entries = await readTrail(log, codec, trail);
  expect(entries.map(({ kind, detail }) => [kind, detail])).toEqual([
    ['refund-failed', 'We are trying again.'],
    ['refund-failed', 'We are trying again.'],
    ['refund-failed', 'We are trying again.'],
    ['refund-failed', 'We are looking into it.'],
  ]);
});
