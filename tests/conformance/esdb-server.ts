/**
 * A gRPC server that speaks EventStoreDB's protocol on this machine, built on the service definitions that the
 * client package ships, so that every run of the tests drives the product over a real connection.
 *
 * It is one node. What it stands for in a cluster, its clock and what it gossips can be told (`NodeConduct`;
 * `esdb-cluster.ts` makes a cluster of three). As the real one does, it takes a hundred streams a connection, decides
 * appends in the order in which they came, refuses them by what is written before reads see it, and takes deadlines by
 * its own clock. Who doesn't ask for the leader is answered as a follower would that lags: without the last event of all.
 *
 * What it does not prove: that the product decides, orders, persists and fails as this does. It knows no TLS, no access
 * rights, no scavenging, no disk; `$all` positions and the place of system events are made up; stream reads always know
 * their positions. The legs of the suite against a real EventStoreDB (a container, or EVENT_STORE_TEST_URL) prove those.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import grpc, {
  type ServerDuplexStream,
  type ServerReadableStream,
  type ServerWritableStream,
  type ServiceError,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { EsdbStore, type ExpectedRevision, type ProposedEvent, type StoredEvent } from './esdb-store.ts';

const require = createRequire(createRequire(import.meta.url).resolve('@eventstore/db-client'));
const {
  Any,
}: typeof import('google-protobuf/google/protobuf/any_pb.js') = require('google-protobuf/google/protobuf/any_pb.js');
type ReadReq = InstanceType<typeof pb.ReadReq>;
type ReadResp = InstanceType<typeof pb.ReadResp>;
type AppendReq = InstanceType<typeof pb.AppendReq>;
type AppendResp = InstanceType<typeof pb.AppendResp>;
type BatchAppendReq = InstanceType<typeof pb.BatchAppendReq>;
type BatchAppendResp = InstanceType<typeof pb.BatchAppendResp>;
type ReadOptions = InstanceType<typeof pb.ReadReq.Options>;
type Proposed =
  | InstanceType<typeof pb.BatchAppendReq.ProposedMessage>
  | InstanceType<typeof pb.AppendReq.ProposedMessage>;

const BACKWARDS = 1;
const STREAMS = 100;

export interface Member {
  readonly port: number;
  readonly leads: boolean;
  readonly alive: boolean;
}

/** What a node is at the moment. Without it: the only one, with the right time. */
export interface NodeConduct {
  /** Who leads, as far as this node knows: itself, the node at another port, or nobody (no quorum). */
  leader(): 'itself' | number | 'nobody';
  gossip(): readonly Member[];
  /** How far its clock is ahead, in milliseconds. */
  readonly clockAhead: number;
  /** Is told of each read that is not a push subscription. */
  asked?(): void;
}

/** What a node answers that does not lead: who does, or that it can't tell. */
const notHandled = (leader: number | 'nobody'): Partial<ServiceError> => {
  if (leader === 'nobody') return { code: grpc.status.UNAVAILABLE, details: 'Server Is Not Ready' };
  const metadata = new grpc.Metadata();
  metadata.set('exception', 'not-leader');
  metadata.set('leader-endpoint-host', '127.0.0.1');
  metadata.set('leader-endpoint-port', String(leader));
  return { code: grpc.status.NOT_FOUND, details: 'Leader info available', metadata };
};

/** The fields of a message, as its setters name and take them. */
type Fields<Message> = {
  [Name in keyof Message as Name extends `set${infer Field}` ? Field : never]?: Message[Name] extends (
    value: infer Value,
  ) => unknown
    ? Value
    : never;
};

const filled = <Message extends object>(message: Message, fields: Fields<Message>): Message => {
  const setters = message as Record<string, (value: unknown) => unknown>;
  for (const [field, value] of Object.entries(fields)) setters[`set${field}`]?.(value);
  return message;
};

/** A place in `$all`, as both of its numbers. */
const at = (position: bigint) => ({
  CommitPosition: String(position),
  PreparePosition: String(position),
});

const nameOf = (identifier: InstanceType<typeof shared.StreamIdentifier> | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

const toProposed = (message: Proposed): ProposedEvent => ({
  id: message.getId()?.getString() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? '',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});

const toReadResp = ({ stream, id, revision, position, data, metadata, ...event }: StoredEvent): ReadResp => {
  const streamName = Buffer.from(stream).toString('base64');
  const recorded = filled(new pb.ReadResp.ReadEvent.RecordedEvent(), {
    Id: filled(new shared.UUID(), { String: id }),
    StreamIdentifier: filled(new shared.StreamIdentifier(), { StreamName: streamName }),
    StreamRevision: String(revision),
    ...{ ...at(position), Data: data, CustomMetadata: metadata },
  });
  const about = { type: event.type, 'content-type': event.contentType, created: event.created };
  for (const [name, value] of Object.entries(about)) recorded.getMetadataMap().set(name, value);
  const read = filled(new pb.ReadResp.ReadEvent(), { Event: recorded, CommitPosition: String(position) });
  return filled(new pb.ReadResp(), { Event: read });
};

/** The filter of a read or subscription, by stream name or by type. */
const filterOf = (options: ReadOptions): ((event: StoredEvent) => boolean) => {
  const filter = options.getFilter();
  if (!filter) return () => true;
  const byType = filter.getEventType();
  const expression = byType ?? filter.getStreamIdentifier();
  const prefixes = expression?.getPrefixList() ?? [];
  const regex = new RegExp(expression?.getRegex() ?? '');
  return (event) => {
    const subject = byType ? event.type : event.stream;
    return prefixes.length > 0 ? prefixes.some((prefix) => subject.startsWith(prefix)) : regex.test(subject);
  };
};

/** The first of some events, which stand in the order of what is compared, that is at or after something; their number if none is. */
const firstFrom = (events: readonly StoredEvent[], isBefore: (event: StoredEvent) => boolean): number => {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const event = events[middle];
    if (event && isBefore(event)) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The first so many events that pass. A real one does not read on either. */
const firstOf = (
  events: readonly StoredEvent[],
  passes: (event: StoredEvent) => boolean,
  count: number,
): StoredEvent[] => {
  const found: StoredEvent[] = [];
  for (const event of events) {
    if (found.length >= count) break;
    if (passes(event)) found.push(event);
  }
  return found;
};

/** Events of `$all` that a request names. A read includes its position, a subscription starts after it. */
const chooseAll = (seen: readonly StoredEvent[], options: ReadOptions, backwards: boolean): StoredEvent[] => {
  const all = options.getAll();
  const position = all?.getPosition();
  if (!position) return backwards === all?.hasEnd() ? [...seen] : [];
  const from = BigInt(position.getCommitPosition());
  // Backwards, the product starts below the position that it is given.
  const first = firstFrom(seen, ({ position: at }) => at < from);
  return backwards ? seen.slice(0, first) : seen.slice(first);
};

const chooseStream = (
  events: readonly StoredEvent[],
  options: ReadOptions,
  backwards: boolean,
): StoredEvent[] => {
  const asked = options.getStream();
  if (!asked?.hasRevision()) return backwards === asked?.hasEnd() ? [...events] : [];
  const from = BigInt(asked.getRevision());
  const first = firstFrom(events, ({ revision }) => (backwards ? revision <= from : revision < from));
  return backwards ? events.slice(0, first) : events.slice(first);
};

type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

const subscribe = (store: EsdbStore, options: ReadOptions, call: ReadCall): void => {
  const id = { SubscriptionId: crypto.randomUUID() };
  const confirmation = filled(new pb.ReadResp.SubscriptionConfirmation(), id);
  call.write(filled(new pb.ReadResp(), { Confirmation: confirmation }));
  const passes = filterOf(options);
  const all = options.getAll();
  const position = all?.getPosition();
  let next = all?.hasEnd()
    ? store.all.length
    : position
      ? store.all.findLastIndex((event) => event.position <= BigInt(position.getCommitPosition())) + 1
      : 0;
  const push = () => {
    for (; next < store.all.length; next += 1) {
      const event = store.all[next];
      if (event && passes(event)) call.write(toReadResp(event));
      else if (event && options.hasFilter()) {
        const checkpoint = filled(new pb.ReadResp.Checkpoint(), at(event.position));
        call.write(filled(new pb.ReadResp(), { Checkpoint: checkpoint }));
      }
    }
  };
  const stop = store.onAppend(push);
  call.on('cancelled', stop);
  call.on('close', stop);
  push();
};

const read = (store: EsdbStore, conduct: NodeConduct, call: ReadCall): void => {
  const options = call.request.getOptions();
  if (!options) {
    call.end();
    return;
  }
  const leader = conduct.leader();
  if (call.metadata.get('requires-leader')[0] === 'true' && leader !== 'itself') {
    call.emit('error', notHandled(leader));
    return;
  }
  if (options.hasSubscription()) {
    subscribe(store, options, call);
    return;
  }
  conduct.asked?.();
  const backwards = options.getReadDirection() === BACKWARDS;
  const identifier = options.getStream()?.getStreamIdentifier();
  const fromLeader = call.metadata.get('requires-leader')[0] === 'true';
  const unseen = fromLeader ? undefined : store.all.at(-1);
  const there = identifier ? store.stream(nameOf(identifier)) : store.all;
  const seen = unseen && there.at(-1) === unseen ? there.slice(0, -1) : there;
  if (identifier && seen.length === 0) {
    const notFound = filled(new pb.ReadResp.StreamNotFound(), { StreamIdentifier: identifier });
    call.write(filled(new pb.ReadResp(), { StreamNotFound: notFound }));
    call.end();
    return;
  }
  const chosen = (identifier ? chooseStream : chooseAll)(seen, options, backwards);
  if (backwards) chosen.reverse();
  const left = firstOf(chosen, filterOf(options), Number(options.getCount()))[Symbol.iterator]();
  const more = (): void => {
    for (let step = left.next(); !step.done; step = left.next()) {
      if (!call.write(toReadResp(step.value))) {
        call.once('drain', more);
        return;
      }
    }
    call.end();
  };
  more();
};

/** As a real one is set up unless it is told otherwise. */
const LARGEST_APPEND = 1024 * 1024;
const sizeOf = ({ data, metadata, type }: ProposedEvent): number =>
  data.length + metadata.length + 2 * type.length;

const ERRORS = 'event_store.client';

const refusal = (message: string, type: string, details: Uint8Array): InstanceType<typeof status.Status> => {
  const packed = new Any();
  packed.pack(details, type);
  return filled(new status.Status(), { Message: message, Details: packed });
};

/** Whether the deadline of an append is over, by the node's clock. */
const isLate = (request: BatchAppendReq | undefined, { clockAhead }: NodeConduct): boolean => {
  const deadline = request?.getOptions()?.getDeadline()?.toDate();
  return deadline !== undefined && deadline.getTime() <= Date.now() + clockAhead;
};

const batchResponse = async (
  store: EsdbStore,
  conduct: NodeConduct,
  requests: readonly BatchAppendReq[],
): Promise<BatchAppendResp> => {
  const options = requests[0]?.getOptions();
  if (!options) throw new Error('a batch without options');
  const response = filled(new pb.BatchAppendResp(), {
    CorrelationId: requests[0]?.getCorrelationId(),
    StreamIdentifier: options.getStreamIdentifier(),
  });
  const refused = (name: string, details: Uint8Array, type = `${ERRORS}.${name}`) =>
    filled(response, { Error: refusal(name, type, details) });
  if (conduct.leader() === 'nobody')
    return refused('Server Is Not Ready', new Uint8Array(), 'google.protobuf.Empty');
  if (isLate(requests[0], conduct)) return refused('Timeout', new shared.Timeout().serializeBinary());
  const expected: ExpectedRevision = options.hasNoStream()
    ? 'no_stream'
    : options.hasAny()
      ? 'any'
      : options.hasStreamExists()
        ? 'stream_exists'
        : BigInt(options.getStreamPosition());
  const events = requests.flatMap((request) => request.getProposedMessagesList()).map(toProposed);
  if (events.reduce((sum, event) => sum + sizeOf(event), 0) > LARGEST_APPEND) {
    const tooLarge = filled(new shared.MaximumAppendSizeExceeded(), { Maxappendsize: LARGEST_APPEND });
    return refused('MaximumAppendSizeExceeded', tooLarge.serializeBinary());
  }
  const result = await store.append(nameOf(options.getStreamIdentifier()), expected, events);
  if (result.ok) {
    const success = filled(new pb.BatchAppendResp.Success(), {
      CurrentRevision: String(result.revision),
      Position: filled(new shared.AllStreamPosition(), at(result.position)),
    });
    return filled(response, { Success: success });
  }
  const wrong = filled(new shared.WrongExpectedVersion(), {
    ...(result.current === undefined ? {} : { CurrentStreamRevision: String(result.current) }),
    ...(typeof expected === 'bigint' ? { ExpectedStreamPosition: String(expected) } : {}),
  });
  return refused('WrongExpectedVersion', wrong.serializeBinary());
};

const batchAppend = (
  store: EsdbStore,
  conduct: NodeConduct,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
): void => {
  const waiting = new Map<string, BatchAppendReq[]>();
  let over = false;
  const end = () => {
    over = true;
  };
  call.on('cancelled', end);
  call.on('data', (request: BatchAppendReq) => {
    if (over) return;
    const id = request.getCorrelationId()?.getString() ?? '';
    const parts = [...(waiting.get(id) ?? []), request];
    waiting.set(id, parts);
    if (!request.getIsFinal()) return;
    waiting.delete(id);
    const leader = conduct.leader();
    if (typeof leader === 'number') {
      // As the real one: it ends the whole call, whatever else is under way on it.
      end();
      call.emit('error', notHandled(leader));
      return;
    }
    batchResponse(store, conduct, parts).then((response) => {
      if (!over) call.write(response);
    });
  });
  call.on('end', () => call.end());
};

/** The older call, one append a stream of messages: what a client uses that must send credentials. */
const append = (
  store: EsdbStore,
  call: ServerReadableStream<AppendReq, AppendResp>,
  callback: sendUnaryData<AppendResp>,
): void => {
  const events: ProposedEvent[] = [];
  let options: ReturnType<AppendReq['getOptions']>;
  call.on('data', (request: AppendReq) => {
    options ??= request.getOptions();
    const proposed = request.getProposedMessage();
    if (proposed) events.push(toProposed(proposed));
  });
  call.on('end', async () => {
    const expected: ExpectedRevision = options?.hasNoStream()
      ? 'no_stream'
      : options?.hasRevision()
        ? BigInt(options.getRevision())
        : 'any';
    const result = await store.append(nameOf(options?.getStreamIdentifier()), expected, events);
    if (result.ok) {
      const success = filled(new pb.AppendResp.Success(), {
        CurrentRevision: String(result.revision),
        Position: filled(new pb.AppendResp.Position(), at(result.position)),
      });
      callback(null, filled(new pb.AppendResp(), { Success: success }));
      return;
    }
    const current = result.current === undefined ? {} : { CurrentRevision: String(result.current) };
    const wrong = filled(new pb.AppendResp.WrongExpectedVersion(), current);
    callback(null, filled(new pb.AppendResp(), { WrongExpectedVersion: wrong }));
  });
};

const supportedMethods = (): InstanceType<typeof features.SupportedMethods> => {
  const methods = ['batchappend', 'append', 'read'].map((MethodName) =>
    filled(new features.SupportedMethod(), { ServiceName: 'event_store.client.streams.streams', MethodName }),
  );
  const about = { EventStoreServerVersion: 'loopback', MethodsList: methods };
  return filled(new features.SupportedMethods(), about);
};

const { FOLLOWER, LEADER } = { FOLLOWER: 6, LEADER: 8 } as const;

const clusterInfo = (members: readonly Member[]): InstanceType<typeof gossip.ClusterInfo> => {
  const told = members.map(({ port, leads, alive }) =>
    filled(new gossip.MemberInfo(), {
      HttpEndPoint: filled(new gossip.EndPoint(), { Address: '127.0.0.1', Port: port }),
      ...{ State: leads ? LEADER : FOLLOWER, IsAlive: alive, TimeStamp: String(Date.now()) },
    }),
  );
  return filled(new gossip.ClusterInfo(), { MembersList: told });
};

/** What a server says with the certificate beside this file, which is for the name `node.reprise.test`. */
export const CERTIFICATE = join(import.meta.dirname, 'node.reprise.test.crt');
export const encrypted = (): grpc.ServerCredentials =>
  grpc.ServerCredentials.createSsl(null, [
    {
      cert_chain: readFileSync(CERTIFICATE),
      private_key: readFileSync(join(import.meta.dirname, 'node.reprise.test.key')),
    },
  ]);

export type EsdbServer = Awaited<ReturnType<typeof startEsdbServer>>;

/** Starts the server on 127.0.0.1. Hand the same `store` and `port` to a second start to restart it. */
export const startEsdbServer = async (
  store = new EsdbStore(),
  port = 0,
  told: Partial<NodeConduct> = {},
  credentials = grpc.ServerCredentials.createInsecure(),
) => {
  const conduct: NodeConduct = { leader: () => 'itself', gossip: () => [], clockAhead: 0, ...told };
  const server = new grpc.Server({ 'grpc.max_concurrent_streams': STREAMS });
  server.addService(streamsService.StreamsService, {
    read: (call: ReadCall) => read(store, conduct, call),
    batchAppend: (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>) =>
      batchAppend(store, conduct, call),
    append: (call: ServerReadableStream<AppendReq, AppendResp>, callback: sendUnaryData<AppendResp>) =>
      append(store, call, callback),
  });
  server.addService(featuresService.ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, callback: sendUnaryData<unknown>) => {
      const leader = conduct.leader();
      if (leader === 'nobody') callback(notHandled(leader));
      else callback(null, supportedMethods());
    },
  });
  server.addService(gossipService.GossipService, {
    read: (_call: unknown, callback: sendUnaryData<unknown>) => callback(null, clusterInfo(conduct.gossip())),
  });
  const bound = await new Promise<number>((done, failed) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, at) => (error ? failed(error) : done(at)));
  });
  return {
    port: bound,
    url: `esdb://127.0.0.1:${bound}?tls=false`,
    /** Breaks every connection at once; what was appended stays in `store`. */
    stop: async (): Promise<void> => server.forceShutdown(),
  };
};
