/** Positions of one log that are kept outside of it (by clients, projections, reactors), and how far the log is from them. */
import { BeyondTheEnd, type EventLog, type Filter, type Position } from './event-log.ts';

const POSITION = /^\d{20}$/;

/** A position together with its log's id, as in the headers `X-Log-Position` and `X-Min-Position`. */
export const toToken = (logId: string, position: Position): string => `${logId}:${position}`;

/** The position in a token; `undefined` for the token of another log and for text that is no token. */
export const fromToken = (logId: string, token: string): Position | undefined => {
  const position = token.startsWith(`${logId}:`) ? token.slice(logId.length + 1) : '';
  return POSITION.test(position) ? position : undefined;
};

/**
 * Whether the log has reached a position. It has not if it was restored from a backup that is older than the position. (On
 * EventStoreDB the answer is always yes: it can't tell.)
 */
export const hasReached = async (log: EventLog, position: Position): Promise<boolean> => {
  try {
    await log.readAll(position, { pageSize: 1 })[Symbol.asyncIterator]().next();
    return true;
  } catch (error) {
    if (error instanceof BeyondTheEnd) return false;
    throw error;
  }
};

/** Whether a position that was kept with its log's id is one of this log. */
export const isOfLog = async (log: EventLog, logId: string, position: Position): Promise<boolean> =>
  logId === log.id && (await hasReached(log, position));

/** `eventsAfter` counts no further than this: it only has to tell "a little behind" from "far behind". */
export const MOST_COUNTED = 10_000;

/** How many events after a position pass a filter, at most `MOST_COUNTED`: how far behind a follower is. */
export const eventsAfter = async (log: EventLog, after: Position, filter: Filter): Promise<number> => {
  let count = 0;
  for await (const { events } of log.readAll(after, { filter, pageSize: 2_000 })) {
    count += events.length;
    if (count >= MOST_COUNTED) return MOST_COUNTED;
  }
  return count;
};
