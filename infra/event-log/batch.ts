/** What all adapters have in common: the form of positions, the check of a batch, and the filter. */
import { type Append, EventTooLarge, type Filter, LARGEST_EVENT, type Position, START } from './event-log.ts';

const DIGITS = 20;

/** The position for a number (from 1), padded with zeros so that positions sort as text. 0 is `START`. */
export const toPosition = (place: number | bigint): Position =>
  Number(place) <= 0 ? START : String(place).padStart(DIGITS, '0');

/** The number of a position; 0 for `START`. @throws TypeError for text that `toPosition` never writes */
export const fromPosition = (position: Position): bigint => {
  if (position === START) return 0n;
  if (!/^\d{20}$/.test(position)) throw new TypeError(`not a position of this log: ${position}`);
  return BigInt(position);
};

/** Checks a batch before anything is sent. @throws EventTooLarge; TypeError for an empty item or two items of one stream */
export const checkBatch = (batch: readonly Append[]): void => {
  const streams = new Set<string>();
  for (const { stream, events } of batch) {
    if (streams.has(stream)) throw new TypeError(`two items of one batch name ${stream}`);
    streams.add(stream);
    if (events.length === 0) throw new TypeError(`nothing to append to ${stream}`);
    for (const { type, data, meta } of events) {
      // A character takes at most 3 bytes: only text that could be too long has its bytes counted.
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
