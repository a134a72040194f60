import { matchQuery } from '@tanstack/react-query';
import { type DoorCount, ticketCalls } from '#domain/contracts/tickets.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { queryClient } from '#web/lib/api/query-client.ts';

/**
 * Calls back when an event's live counts drop: a scan was undone, or a ticket cancelled or disputed, and the
 * offline list is outdated.
 */
export const onFewer = (callback: () => void): (() => void) => {
  const known = new Map<number, DoorCount>();
  return queryClient.getQueryCache().subscribe(({ query }) => {
    const now = matchQuery({ queryKey: keyOf(ticketCalls.counts) }, query)
      ? (query.state.data as DoorCount | undefined)
      : undefined;
    if (!now) return;
    const before = known.get(now.eventId);
    known.set(now.eventId, now);
    if (before && (now.inside < before.inside || now.expected < before.expected)) callback();
  });
};
