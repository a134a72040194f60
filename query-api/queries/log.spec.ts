import { expect, it } from 'vitest';
import type { RecordedEvent } from '#infra/event-log/event-log.ts';
import { passesFilter } from './log.ts';

const record: RecordedEvent = {
  id: '7d0a4f4e-6b53-4b60-9d1a-0c8a4a2f3c11',
  stream: 'booking-12',
  revision: 0,
  position: '00000000000000000001',
  type: 'BookingCancelled',
  version: 1,
  data: '{"bookingId":12}',
  meta: '{}',
  recordedAt: '2026-06-01T12:00:00.000Z',
};

it.each([
  ['a blank text asks for nothing', '  ', true],
  ['the start of a word finds it', 'cancel', true],
  ['another word does not', 'refund', false],
  ['signs alone find nothing, as in the list', '?!', false],
])('the audit log’s live tail searches like its index: %s', (_, search, passes) => {
  expect(passesFilter({ search })(record)).toBe(passes);
});
