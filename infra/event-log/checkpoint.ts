/**
 * A place in a certain log, as text: `{log.id}:{position}`. It is what `X-Log-Position` and `X-Min-Position` carry
 * and what a projection keeps. Another log's checkpoint refuses the start, another log's token is ignored.
 */
import { BeyondTheEnd, type EventLog, type Position, START } from './event-log.ts';

/** Kept by something that must follow this log, but made by another. */
export class ForeignCheckpoint extends Error {
  override readonly name = 'ForeignCheckpoint';
}

/** Says how far something is (or must be) in this log. */
export const toToken = (log: Pick<EventLog, 'id'>, position: Position): string => `${log.id}:${position}`;

/** The position in a token of this log; `undefined` for another log's token, and for text that is none. */
export const positionOf = (log: Pick<EventLog, 'id'>, token: string | undefined): Position | undefined => {
  const [, id, position] = /^([0-9a-f-]{36}):(\d{20}|)$/.exec(token ?? '') ?? [];
  return id === log.id ? position : undefined;
};

/**
 * Where to go on from a checkpoint; `START` where there is none yet.
 * @throws ForeignCheckpoint for another log's
 */
export const resume = (log: Pick<EventLog, 'id'>, checkpoint: string | undefined): Position => {
  if (!checkpoint) return START;
  const position = positionOf(log, checkpoint);
  if (position === undefined)
    throw new ForeignCheckpoint(`this is log ${log.id}, but the checkpoint is of another: ${checkpoint}`);
  return position;
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
