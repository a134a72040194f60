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

export const IDENTITY = 'reprise-log-identity';
const NO_POSITION = 2n ** 64n - 1n;

interface Envelope {
  readonly meta: string;
  readonly version: number;
  readonly recordedAt: string;
}

/** Written by hand for speed: runs for every event read. */
const isEnvelope = (value: unknown): value is Envelope => {
  const { meta, version, recordedAt } = Object(value);
  return typeof meta === 'string' && typeof version === 'number' && typeof recordedAt === 'string';
};

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString();

type ReadResponse = InstanceType<typeof pb.ReadResp>;
type Recorded = InstanceType<typeof pb.ReadResp.ReadEvent.RecordedEvent>;

/** The store's positions begin with 0, ours with 1. */
const placeOf = (commit: string): Position | undefined => {
  const place = BigInt(commit);
  return place === NO_POSITION ? undefined : toPosition(place + 1n);
};
const commitOf = (position: Position): bigint => fromPosition(position) - 1n;

export interface Outgoing {
  readonly message: InstanceType<typeof pb.BatchAppendReq.ProposedMessage>;
  readonly bytes: number;
}

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

/** The protocol's deadlines are absolute times: a client with a slow clock would always be late. */
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

export type Verdict =
  /** Revision of the last event; position, if sent, of the first. */
  | { readonly ok: true; readonly revision: number; readonly position: Position | undefined }
  | { readonly ok: false; readonly current: number | undefined };

export type AppendOutcome =
  | { readonly verdict: Verdict; readonly error?: undefined; readonly lost: false }
  | { readonly verdict?: undefined; readonly error: Error; readonly lost: boolean };

/** From a node that did not process the append: election pending, or overloaded. */
const NOT_HANDLED = 'google.protobuf.Empty';
const ERRORS = 'event_store.client';

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

export interface StreamPart {
  readonly from: number | undefined;
  readonly backwards: boolean;
  readonly count: number;
}

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

export interface Stored {
  readonly event: Recorded;
  readonly stream: string;
  readonly type: string;
  readonly position: Position | undefined;
}

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

const envelopeOf = (event: Recorded) => {
  try {
    const envelope: unknown = JSON.parse(textOf(event.getCustomMetadata_asU8()));
    return isEnvelope(envelope) ? envelope : undefined;
  } catch {
    return undefined;
  }
};

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

export const isOurs = ({ type, stream }: Stored): boolean =>
  !type.startsWith('$') && !stream.startsWith('$') && stream !== IDENTITY;

export const naming = (id: string): Outgoing => {
  const message = new pb.BatchAppendReq.ProposedMessage();
  const uuid = new shared.UUID();
  uuid.setString(id);
  message.setId(uuid);
  message.getMetadataMap().set('type', 'LogNamed').set('content-type', 'application/octet-stream');
  message.setData(Buffer.from(id));
  return { message, bytes: 0 };
};

export const nameIn = ({ event }: Stored): string => textOf(event.getData_asU8());
