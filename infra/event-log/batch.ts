import { type Append, EventTooLarge, type Filter, LARGEST_EVENT, type Position, START } from './event-log.ts';

const DIGITS = 20;

export const toPosition = (place: number | bigint): Position =>
  Number(place) <= 0 ? START : String(place).padStart(DIGITS, '0');

/** @throws TypeError for malformed text */
export const fromPosition = (position: Position): bigint => {
  if (position === START) return 0n;
  if (!/^\d{20}$/.test(position)) throw new TypeError(`not a position of this log: ${position}`);
  return BigInt(position);
};

/** @throws EventTooLarge; TypeError for an empty item or two items of one stream */
export const checkBatch = (batch: readonly Append[]): void => {
  const streams = new Set<string>();
  for (const { stream, events } of batch) {
    if (streams.has(stream)) throw new TypeError(`two items of one batch name ${stream}`);
    streams.add(stream);
    if (events.length === 0) throw new TypeError(`nothing to append to ${stream}`);
    for (const { type, data, meta } of events) {
      // A UTF-16 unit takes at most 3 bytes in UTF-8: count bytes only if the text could be too long.
      if ((data.length + meta.length) * 3 <= LARGEST_EVENT) continue;
      const bytes = Buffer.byteLength(data) + Buffer.byteLength(meta);
      if (bytes > LARGEST_EVENT) throw new EventTooLarge(`${type} for ${stream} has ${bytes} bytes`);
    }
  }
};

export const passes = (
  { streamPrefixes, types }: Filter,
  event: { readonly stream: string; readonly type: string },
): boolean =>
  (!streamPrefixes || streamPrefixes.some((prefix) => event.stream.startsWith(prefix))) &&
  (!types || types.includes(event.type));
