/**
 * EventStoreDB's messages: what we ask, and what its answers mean. `data` is stored byte for byte, and everything else of an
 * event in the store's metadata, as JSON.
 */

import shared from '@eventstore/db-client/generated/shared_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import { fromPosition, toPosition } from '#infra/event-log/batch.ts';
import {
  EventTooLarge,
  type Expected,
  LogUnavailable,
  type NewEvent,
  OutcomeUnknown,
  type Position,
  type RecordedEvent,
} from '#infra/event-log/event-log.ts';

/** The stream that holds the log's id. It is no part of the log: readers never see it. */
export const IDENTITY = 'reprise-log-identity';
/** The protocol's value for an unknown position. */
const NO_POSITION = 2n ** 64n - 1n;

/** What the store's metadata of our events holds. */
interface Envelope {
  readonly meta: string;
  readonly version: number;
  readonly recordedAt: string;
}

/** Checked by hand: it is done for every event that is read. */
const isEnvelope = (value: unknown): value is Envelope => {
  const { meta, version, recordedAt } = Object(value);
  return typeof meta === 'string' && typeof version === 'number' && typeof recordedAt === 'string';
};

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString();

type ReadResponse = InstanceType<typeof pb.ReadResp>;
type Recorded = InstanceType<typeof pb.ReadResp.ReadEvent.RecordedEvent>;

/** Our position for one of the store's, which begin with 0 and ours with 1; `undefined` where the store did not tell it. */
const placeOf = (commit: string): Position | undefined => {
  const place = BigInt(commit);
  return place === NO_POSITION ? undefined : toPosition(place + 1n);
};
/** The store's position for one of ours. */
const commitOf = (position: Position): bigint => fromPosition(position) - 1n;

/** An event to send to the store, and how many bytes the store will count for it. */
export interface Outgoing {
  readonly message: InstanceType<typeof pb.BatchAppendReq.ProposedMessage>;
  readonly bytes: number;
}

/** An event as it is sent. `now`, an ISO instant, is when it was recorded, unless it says so itself. */
export const toOutgoing = (
  { id, type, version, data, meta, recordedAt }: NewEvent,
  now: string,
): Outgoing => {
  const bytes = Buffer.from(data);
  const metadata = Buffer.from(JSON.stringify({ meta, version, recordedAt: recordedAt ?? now }));
  const message = new pb.BatchAppendReq.ProposedMessage();
  const uuid = new shared.UUID();
  uuid.setString(id);
  message.setId(uuid);
  message.getMetadataMap().set('type', type).set('content-type', 'application/octet-stream');
  message.setData(bytes);
  message.setCustomMetadata(metadata);
  return { message, bytes: bytes.length + metadata.length + 2 * Buffer.byteLength(type) };
};

const identifierOf = (stream: string): InstanceType<typeof shared.StreamIdentifier> => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  return identifier;
};

/**
 * The request for an append. It names no deadline: the protocol's are times of day, by which a machine whose clock is behind
 * would always be late. The store has a limit of its own (two seconds), and so have we.
 */
export const toAppendRequest = (
  id: string,
  stream: string,
  expected: Expected,
  events: readonly Outgoing[],
): InstanceType<typeof pb.BatchAppendReq> => {
  const request = new pb.BatchAppendReq();
  const options = new pb.BatchAppendReq.Options();
  options.setStreamIdentifier(identifierOf(stream));
  if (expected === 'any') options.setAny(new shared.Empty());
  else if (expected === 'none') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  const uuid = new shared.UUID();
  uuid.setString(id);
  request.setCorrelationId(uuid);
  request.setOptions(options);
  request.setProposedMessagesList(events.map(({ message }) => message));
  request.setIsFinal(true);
  return request;
};

/** What the store decided of an append. */
export type Verdict =
  /** The revision of the last event. The position, if it was told, is that of the first. */
  | { readonly ok: true; readonly revision: number; readonly position: Position | undefined }
  /** The stream's last revision, or -1 if it has none; undefined if the store did not say. */
  | { readonly ok: false; readonly current: number | undefined };

/** What an answer to an append means. `lost`: the node can't take appends at the moment. */
export type AppendOutcome =
  | { readonly verdict: Verdict; readonly error?: undefined; readonly lost: false }
  | { readonly verdict?: undefined; readonly error: Error; readonly lost: boolean };

/** What a node says that has not looked at an append at all: it waits for an election, or has too much to do. */
const NOT_HANDLED = 'google.protobuf.Empty';
const ERRORS = 'event_store.client';

/** Reads the answer to an append. */
export const outcomeOf = (answer: InstanceType<typeof pb.BatchAppendResp>): AppendOutcome => {
  const success = answer.getSuccess();
  if (success) {
    const position = placeOf(success.getPosition()?.getCommitPosition() ?? String(NO_POSITION));
    const revision = Number(success.getCurrentRevision());
    return { verdict: { ok: true, revision, position }, lost: false };
  }
  const error = answer.getError();
  const details = error?.getDetails();
  const words = error?.getMessage() ?? '';
  switch (details?.getTypeName()) {
    case `${ERRORS}.WrongExpectedVersion`: {
      const wrong = shared.WrongExpectedVersion.deserializeBinary(details.getValue_asU8());
      const current = wrong.hasCurrentStreamRevision()
        ? Number(wrong.getCurrentStreamRevision())
        : wrong.hasCurrentNoStream()
          ? -1
          : undefined;
      return { verdict: { ok: false, current }, lost: false };
    }
    case `${ERRORS}.MaximumAppendSizeExceeded`:
      return { error: new EventTooLarge('more than the store takes in one append'), lost: false };
    case `${ERRORS}.AccessDenied`:
      return { error: new LogUnavailable('the store does not let us append'), lost: false };
    case NOT_HANDLED:
      return { error: new LogUnavailable(`the store: ${words}`), lost: !/busy/i.test(words) };
    default:
      return { error: new OutcomeUnknown(`the store: ${words}`), lost: false };
  }
};

const readRequest = (options: InstanceType<typeof pb.ReadReq.Options>): InstanceType<typeof pb.ReadReq> => {
  const uuids = new pb.ReadReq.Options.UUIDOption();
  uuids.setString(new shared.Empty());
  options.setUuidOption(uuids);
  if (!options.hasFilter()) options.setNoFilter(new shared.Empty());
  const request = new pb.ReadReq();
  request.setOptions(options);
  return request;
};

const BACKWARDS = 1;

/** A part of a stream, by revisions. */
export interface StreamPart {
  /** Default: the first, or backwards the last. */
  readonly from: number | undefined;
  readonly backwards: boolean;
  readonly count: number;
}

/** Asks for a part of a stream. */
export const streamRequest = (stream: string, { from, backwards, count }: StreamPart) => {
  const part = new pb.ReadReq.Options.StreamOptions();
  part.setStreamIdentifier(identifierOf(stream));
  if (from !== undefined) part.setRevision(String(from));
  else if (backwards) part.setEnd(new shared.Empty());
  else part.setStart(new shared.Empty());
  const options = new pb.ReadReq.Options();
  options.setStream(part);
  options.setReadDirection(backwards ? BACKWARDS : 0);
  options.setCount(String(count));
  return readRequest(options);
};

/** Events of the whole store: after a position of ours, or backwards from one (default: the end). Some of the store's versions include the event at the position. */
export const allRequest = (at: Position | undefined, count: number, backwards = false) => {
  const part = new pb.ReadReq.Options.AllOptions();
  if (at) {
    const position = new pb.ReadReq.Options.Position();
    position.setCommitPosition(String(commitOf(at)));
    position.setPreparePosition(String(commitOf(at)));
    part.setPosition(position);
  } else if (backwards) part.setEnd(new shared.Empty());
  else part.setStart(new shared.Empty());
  const options = new pb.ReadReq.Options();
  options.setAll(part);
  options.setReadDirection(backwards ? BACKWARDS : 0);
  options.setCount(String(count));
  return readRequest(options);
};

/** Whatever is appended from now on, but for the store's own events. */
export const watchRequest = () => {
  const part = new pb.ReadReq.Options.AllOptions();
  part.setEnd(new shared.Empty());
  const expression = new pb.ReadReq.Options.FilterOptions.Expression();
  expression.setRegex('^[^$].*');
  const filter = new pb.ReadReq.Options.FilterOptions();
  filter.setEventType(expression);
  filter.setCount(new shared.Empty());
  filter.setCheckpointintervalmultiplier(1);
  const options = new pb.ReadReq.Options();
  options.setAll(part);
  options.setSubscription(new pb.ReadReq.Options.SubscriptionOptions());
  options.setFilter(filter);
  return readRequest(options);
};

/** An event as the store gave it, with its place. */
export interface Stored {
  readonly event: Recorded;
  readonly stream: string;
  readonly type: string;
  /** Undefined where the store did not tell it. */
  readonly position: Position | undefined;
}

/** The event in an answer to a read. @throws TypeError for an answer without one */
export const toStored = (response: ReadResponse): Stored => {
  const event = response.getEvent()?.getEvent();
  if (!event) throw new TypeError('an answer without an event');
  return {
    event,
    stream: Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    type: event.getMetadataMap().get('type') ?? '',
    position: placeOf(event.getCommitPosition()),
  };
};

/** The envelope that our events have. */
const envelopeOf = (event: Recorded) => {
  try {
    const envelope: unknown = JSON.parse(textOf(event.getCustomMetadata_asU8()));
    return isEnvelope(envelope) ? envelope : undefined;
  } catch {
    return undefined;
  }
};

/** The event that the store gave. @throws TypeError for an event that was not written by this product */
export const toRecorded = ({ event, stream, type }: Stored, position: Position): RecordedEvent => {
  const envelope = envelopeOf(event);
  if (!envelope) throw new TypeError(`${stream} holds an event that isn't ours`);
  return {
    id: event.getId()?.getString() ?? '',
    type,
    version: envelope.version,
    data: textOf(event.getData_asU8()),
    meta: envelope.meta,
    stream,
    revision: Number(event.getStreamRevision()),
    position,
    recordedAt: envelope.recordedAt,
  };
};

/** Whether an event belongs to the log: it is neither one of the store's own nor the one that holds the log's id. */
export const isOurs = ({ type, stream }: Stored): boolean =>
  !type.startsWith('$') && !stream.startsWith('$') && stream !== IDENTITY;

/** An event that gives the log an id. */
export const naming = (id: string): Outgoing => {
  const message = new pb.BatchAppendReq.ProposedMessage();
  const uuid = new shared.UUID();
  uuid.setString(id);
  message.setId(uuid);
  message.getMetadataMap().set('type', 'LogNamed').set('content-type', 'application/octet-stream');
  message.setData(Buffer.from(id));
  return { message, bytes: 0 };
};

/** The id that such an event gave. */
export const nameIn = ({ event }: Stored): string => textOf(event.getData_asU8());
