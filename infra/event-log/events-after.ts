import type { EventLog, Filter, Position } from './event-log.ts';

/** Enough to tell "a little behind" from "far behind"; nobody counts further. */
export const MOST_COUNTED = 10_000;

/** How many events that a filter lets through stand after a position, at most `MOST_COUNTED`: how far behind a follower is. */
export const eventsAfter = async (log: EventLog, after: Position, filter: Filter): Promise<number> => {
  let count = 0;
  for await (const { events } of log.readAll(after, { filter, pageSize: 2_000 })) {
    count += events.length;
    if (count >= MOST_COUNTED) return MOST_COUNTED;
  }
  return count;
};
