/** What every adapter checks before it appends, and the form of its positions. */
import { type Append, EventTooLarge, type Filter, LARGEST_EVENT, type Position, START } from './event-log.ts';

const DIGITS = 20;

/** A place as a number (from 1), written so that text sorts as numbers do. */
export const toPosition = (place: number | bigint): Position =>
  Number(place) <= 0 ? START : String(place).padStart(DIGITS, '0');

/** The number in a position; 0 for `START`. @throws TypeError for what `toPosition` never wrote */
export const fromPosition = (position: Position): bigint => {
  if (position === START) return 0n;
  if (!/^\d{20}$/.test(position)) throw new TypeError(`not a position of this log: ${position}`);
  return BigInt(position);
};

/** Refuses what no log takes, before anything is sent. @throws EventTooLarge, TypeError */
export const checkBatch = (batch: readonly Append[]): void => {
  const streams = new Set<string>();
  for (const { stream, events } of batch) {
    if (streams.has(stream)) throw new TypeError(`two items of one batch name ${stream}`);
    streams.add(stream);
    if (events.length === 0) throw new TypeError(`nothing to append to ${stream}`);
    for (const { type, data, meta } of events) {
      // Counting bytes is only worth it where characters alone don't settle it.
      if ((data.length + meta.length) * 3 <= LARGEST_EVENT) continue;
      const bytes = Buffer.byteLength(data) + Buffer.byteLength(meta);
      if (bytes > LARGEST_EVENT) throw new EventTooLarge(`${type} for ${stream} has ${bytes} bytes`);
    }
  }
};

/** Whether an event passes a filter. */
export const passes = (
  { streamPrefixes, types }: Filter,
  event: { readonly stream: string; readonly type: string },
): boolean =>
  (!streamPrefixes || streamPrefixes.some((prefix) => event.stream.startsWith(prefix))) &&
  (!types || types.includes(event.type));
