/** Places of a certain log that are kept outside of it: by clients, by projections, with the keys. */
import { BeyondTheEnd, type EventLog, type Position } from './event-log.ts';

const PLACE = /^\d{20}$/;

/** A position with its log, as clients carry it in `X-Log-Position` and `X-Min-Position`. */
export const toToken = (logId: string, position: Position): string => `${logId}:${position}`;

/** The position in a token of this log; `undefined` for another log's token, and for text that is none. */
export const fromToken = (logId: string, token: string): Position | undefined => {
  const position = token.startsWith(`${logId}:`) ? token.slice(logId.length + 1) : '';
  return PLACE.test(position) ? position : undefined;
};

/**
 * Whether the log is at a position or further; not so when it was restored from a backup that is older than who looked
 * last. (Always so on EventStoreDB, which can't tell.)
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
