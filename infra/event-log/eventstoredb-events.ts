/** Our events as EventStoreDB keeps them: `data` as the bytes it is, the rest in the metadata, as JSON around the text. */
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

/** Holds the log's id; no event of ours, so nobody sees it. */
export const IDENTITY = 'reprise-log-identity';
/** What the protocol says for "no position known". */
const NO_POSITION = 2n ** 64n - 1n;

const envelopeSchema = z.object({ meta: z.string(), version: z.number(), recordedAt: z.string() });

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
export const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** Positions of the store begin with 0, ours with 1: `START` is before the first. `undefined` where the store didn't tell. */
export const placeOf = (position: { readonly commit: bigint } | undefined): Position | undefined =>
  position && position.commit !== NO_POSITION ? toPosition(position.commit + 1n) : undefined;
export const commitOf = (position: Position): bigint => fromPosition(position) - 1n;

/** An event of the store, as a read of a stream or of `$all` gives it. */
export type Stored = NonNullable<ResolvedEvent['event'] | AllStreamResolvedEvent['event']>;

/** An event on its way to the store, and the bytes that the store will count for it. */
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

/** @throws TypeError for an event that no log of ours wrote */
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

/** Whether it is an event of the log, and not one of the store's own or the log's name. */
export const isOurs = ({ type, streamId }: Stored): boolean =>
  !type.startsWith('$') && !streamId.startsWith('$') && streamId !== IDENTITY;
