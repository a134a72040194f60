import { BeyondTheEnd, type EventLog, type Filter, type Position } from './event-log.ts';

const POSITION = /^\d{20}$/;

export const toToken = (logId: string, position: Position): string => `${logId}:${position}`;

export const fromToken = (logId: string, token: string): Position | undefined => {
  const position = token.startsWith(`${logId}:`) ? token.slice(logId.length + 1) : '';
  return POSITION.test(position) ? position : undefined;
};

/** False if the log was restored to before the position. EventStoreDB can't tell, so always true there. */
export const hasReached = async (log: EventLog, position: Position): Promise<boolean> => {
  try {
    await log.readAll(position, { pageSize: 1 })[Symbol.asyncIterator]().next();
    return true;
  } catch (error) {
    if (error instanceof BeyondTheEnd) return false;
    throw error;
  }
};

export const isOfLog = async (log: EventLog, logId: string, position: Position): Promise<boolean> =>
  logId === log.id && (await hasReached(log, position));

export const MOST_COUNTED = 10_000;

export const eventsAfter = async (log: EventLog, after: Position, filter: Filter): Promise<number> => {
  let count = 0;
  for await (const { events } of log.readAll(after, { filter, pageSize: 2_000 })) {
    count += events.length;
    if (count >= MOST_COUNTED) return MOST_COUNTED;
  }
  return count;
};
