import { expect, it } from 'vitest';
import { ticketCalls } from '#domain/contracts/tickets.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { queryClient } from '#web/lib/api/query-client.ts';
import { onFewer } from './fewer-in.ts';

it('the gate is notified of fewer admitted or fewer expected people, and of nothing else', () => {
  let heard = 0;
  const forget = onFewer(() => {
    heard += 1;
  });
  const told = (eventId: number, inside: number, expected = 9) => {
    const counts = { eventId, inside, expected, conflicts: 0 };
    queryClient.setQueryData(keyOf(ticketCalls.counts, { query: { eventId } }), counts);
    return heard;
  };
  expect([told(1, 3), told(2, 1), told(1, 4), told(1, 4)]).toEqual([0, 0, 0, 0]);
  // A scan was undone, a booking cancelled.
  expect([told(1, 3), told(1, 3), told(2, 1, 8)]).toEqual([1, 1, 2]);
  queryClient.setQueryData(['user'], { inside: 0 });
  expect(heard).toBe(2);
  forget();
  expect(told(1, 0)).toBe(2);
});
