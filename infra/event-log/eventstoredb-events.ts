/** How EventStoreDB stores our events: `data` byte for byte, and everything else in the store's metadata, as JSON. */
import {
  type AllStreamResolvedEvent,
  type BinaryEventType,
  binaryEvent,
  type EventData,
  type ResolvedEvent,
} from '@eventstore/db-client';
import * as z from 'zod';
import { fromPosition, toPosition } from './batch.ts';
import type { NewEvent, Position, RecordedEvent } from './event-log.ts';

/** The stream that holds the log's id. It is no part of the log: readers never see it. */
export const IDENTITY = 'reprise-log-identity';
/** The protocol's value for an unknown position. */
const NO_POSITION = 2n ** 64n - 1n;

const envelopeSchema = z.object({ meta: z.string(), version: z.number(), recordedAt: z.string() });

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
export const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** Our position for one of the store's, which begin with 0 and ours with 1; `undefined` where the store did not tell it. */
export const placeOf = (position: { readonly commit: bigint } | undefined): Position | undefined =>
  position && position.commit !== NO_POSITION ? toPosition(position.commit + 1n) : undefined;
/** The store's position for one of ours. */
export const commitOf = (position: Position): bigint => fromPosition(position) - 1n;

/** An event read from a stream of the store, or from `$all`. */
export type Stored = NonNullable<ResolvedEvent['event'] | AllStreamResolvedEvent['event']>;

/** An event to send to the store, and how many bytes the store will count for it. */
export interface Outgoing {
  readonly event: EventData<BinaryEventType>;
  readonly bytes: number;
}

export const toOutgoing = (
  { id, type, version, data, meta, recordedAt }: NewEvent,
  now: string,
): Outgoing => {
  const bytes = encode(data);
  const metadata = encode(JSON.stringify({ meta, version, recordedAt: recordedAt ?? now }));
  return {
    event: binaryEvent({ id, type, data: bytes, metadata }),
    bytes: bytes.length + metadata.length + 2 * type.length,
  };
};

/** The event that the store gave. @throws TypeError for an event that was not written by this product */
export const toRecorded = (event: Stored, position: Position): RecordedEvent => {
  const envelope = envelopeSchema.safeParse(event.metadata);
  if (!envelope.success || !(event.data instanceof Uint8Array))
    throw new TypeError(`${event.streamId} holds an event that isn't ours`);
  const { meta, version, recordedAt } = envelope.data;
  return {
    id: event.id,
    type: event.type,
    version,
    data: decode(event.data),
    meta,
    stream: event.streamId,
    revision: Number(event.revision),
    position,
    recordedAt,
  };
};

/** Whether an event belongs to the log: it is neither one of the store's own nor the one that holds the log's id. */
export const isOurs = ({ type, streamId }: Stored): boolean =>
  !type.startsWith('$') && !streamId.startsWith('$') && streamId !== IDENTITY;
