/**
 * The index is in PostgreSQL, whichever store has the log. It holds no data of events, and can be dropped at
 * any time. Filled after the read models, so that it delays neither sales nor rebuilds.
 */
import type pg from 'pg';
import { fromPosition } from '#infra/event-log/batch.ts';
import type { Position, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Visibility } from '#infra/http/position.ts';
import { wordsOf } from './search.ts';

export const LOG_INDEX = 'log_index';

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

const spaced = (type: string): string => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');

export const wordsOfEvent = ({
  type,
  stream,
  data,
}: Pick<RecordedEvent, 'type' | 'stream' | 'data'>): readonly string[] =>
  wordsOf([type, spaced(type), stream, ...leavesOf(parsed(data))].join(' '));

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

export const toPlace = (position: Position): string => String(fromPosition(position));
