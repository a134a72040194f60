/**
 * The index of the log, in PostgreSQL whatever store the log is in: where each event is, and by what it can be found. It holds no
 * data of events; readers fetch those from the log. It is filled behind the read models by a follower of its own, so that neither a
 * sale nor a rebuild waits for it, and it can be dropped at any time.
 */
import type pg from 'pg';
import { fromPosition } from '#infra/event-log/batch.ts';
import type { Position, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Visibility } from '#infra/http/position.ts';
import { wordsOf } from './search.ts';

/** The schema of its tables `entry` and `checkpoint`. */
export const LOG_INDEX = 'log_index';

/** A sealed value, and what it hides, is no text: neither its bytes nor the name of its key are found. */
const isOpen = (value: object): boolean => !('$sealed' in value || 'erased' in value);

const leavesOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || !isOpen(value)) return [];
  return Object.values(value).flatMap(leavesOf);
};

const parsed = (data: string): unknown => {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
};

/** `BookingCancelled` as words. */
const spaced = (type: string): string => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

/** The words by which free text finds an event: its type, its stream, and every value of its data that is not sealed. */
export const wordsOfEvent = ({
  type,
  stream,
  data,
}: Pick<RecordedEvent, 'type' | 'stream' | 'data'>): readonly string[] =>
  wordsOf([type, spaced(type), stream, ...leavesOf(parsed(data))].join(' '));

/** How far the index is, as `Visibility` for readers who wait to see their own change. */
export const logIndexVisibility = (pool: Pick<pg.Pool, 'query'>): Visibility => {
  let highest: Position = '';
  const look = async (): Promise<Position> => {
    const { rows } = await pool.query<{ position: Position }>(`SELECT position FROM ${LOG_INDEX}.checkpoint`);
    highest = rows[0]?.position ?? '';
    return highest;
  };
  return {
    current: () => highest,
    async reached(position, withinMs) {
      for (const end = performance.now() + withinMs; performance.now() < end; ) {
        if ((await look()) >= position) return true;
        await new Promise((done) => setTimeout(done, 50));
      }
      return (await look()) >= position;
    },
  };
};

/** A position as the index keeps it. */
export const toPlace = (position: Position): string => String(fromPosition(position));
