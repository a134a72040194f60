/**
 * One connection to one node of EventStoreDB. It speaks the store's protocol by the definitions that its client package ships,
 * without that client: docs/decisions/010-event-log.md says why.
 */
import { randomUUID } from 'node:crypto';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type pb from '@eventstore/db-client/generated/streams_pb.js';
import grpc, { type ClientDuplexStream } from '@grpc/grpc-js';
import { type Expected, LogUnavailable, OutcomeUnknown } from '#infra/event-log/event-log.ts';
import type { Access, Node } from './address.ts';
import {
  type Outgoing,
  outcomeOf,
  type Stored,
  toAppendRequest,
  toStored,
  type Verdict,
  watchRequest,
} from './protocol.ts';

type Requests = InstanceType<typeof pb.BatchAppendReq>;
type Answers = InstanceType<typeof pb.BatchAppendResp>;
type Read = InstanceType<typeof pb.ReadReq>;
type Found = InstanceType<typeof pb.ReadResp>;

/** An append whose answer has not come. */
interface Pending {
  settle(verdict: Verdict): void;
  fail(error: Error): void;
}

export interface ConnectionOptions {
  readonly node: Node;
  readonly access: Access;
  /** After how long without an answer an append or a read is given up, in milliseconds. */
  readonly timeoutMs: number;
  /** Is called once, at the moment when the node turns out to be of no more use, with the new leader if the node named one. */
  onLost(next: Node | undefined): void;
}

/** The largest message that a node may send, in bytes: the store's own limit of an event, and some. */
const LARGEST_MESSAGE = 17 * 1024 * 1024;

/** Errors of a call that say that the node can't serve it at the moment, but perhaps another one. */
const ELSEWHERE: readonly number[] = [
  grpc.status.UNAVAILABLE,
  grpc.status.CANCELLED,
  grpc.status.INTERNAL,
  grpc.status.UNKNOWN,
];

/** The leader that an error names, or that it says only that there is another. */
const leaderIn = (error: unknown): Node | 'unnamed' | undefined => {
  const metadata = error instanceof Error && 'metadata' in error ? error.metadata : undefined;
  if (!(metadata instanceof grpc.Metadata) || metadata.get('exception')[0] !== 'not-leader') return undefined;
  const [address] = metadata.get('leader-endpoint-host');
  const [port] = metadata.get('leader-endpoint-port');
  return address && port ? { address: String(address), port: Number(port) } : 'unnamed';
};

/** The node that was asked leads no more: what was read for nothing can be read at another one. */
export class NotLeader extends LogUnavailable {}

/** A connection to a node. One that is lost stays lost, and takes no more appends. */
export class Connection {
  readonly node: Node;
  /** Since when something is asked for and nothing has come, on the clock of `performance`; undefined while nothing is awaited. */
  silentSince: number | undefined;
  readonly #options: ConnectionOptions;
  readonly #client: InstanceType<typeof streams.StreamsClient>;
  readonly #metadata: grpc.Metadata;
  readonly #pending = new Map<string, Pending>();
  readonly #calls = new Set<{ cancel(): void }>();
  #batch: ClientDuplexStream<Requests, Answers> | undefined;
  #asked = 0;
  #lost = false;
  #closed = false;

  private constructor(options: ConnectionOptions) {
    const { node, access } = options;
    this.node = node;
    this.#options = options;
    this.#metadata = access.metadata();
    // A node that follows may lag, and its answer would miss the newest events.
    this.#metadata.set('requires-leader', 'true');
    this.#client = new streams.StreamsClient(`${node.address}:${node.port}`, access.credentials, {
      'grpc.keepalive_time_ms': access.keepAliveInterval,
      'grpc.keepalive_timeout_ms': access.keepAliveTimeout,
      'grpc.max_receive_message_length': LARGEST_MESSAGE,
      // An append that is sent twice by itself would be answered once.
      'grpc.enable_retries': 0,
      // A shared one would make a new connection wait for as long as the old one has failed.
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  /** Connects. @throws LogUnavailable */
  static async to(options: ConnectionOptions): Promise<Connection> {
    const connection = new Connection(options);
    const channel = connection.#client.getChannel();
    const deadline = Date.now() + Math.min(options.timeoutMs, LONGEST_CONNECTING);
    await new Promise<void>((done, failed) => {
      const look = (error?: Error): void => {
        const state = channel.getConnectivityState(true);
        if (state === grpc.connectivityState.READY) done();
        else if (error || state === grpc.connectivityState.TRANSIENT_FAILURE)
          failed(new LogUnavailable(`no connection to ${options.node.address}:${options.node.port}`));
        else channel.watchConnectivityState(state, deadline, look);
      };
      look();
    }).catch((error: unknown) => {
      connection.close();
      throw error;
    });
    return connection;
  }

  /**
   * Appends events to one stream. Appends reach the node in the order of these calls.
   * @throws OutcomeUnknown; LogUnavailable if nothing was written; EventTooLarge
   */
  append(stream: string, expected: Expected, events: readonly Outgoing[]): Promise<Verdict> {
    if (this.#lost) return Promise.reject(new LogUnavailable('the connection to the store is lost'));
    const id = randomUUID();
    return new Promise<Verdict>((settle, fail) => {
      const late = setTimeout(
        () => answered.fail(new OutcomeUnknown('no answer in time')),
        this.#options.timeoutMs,
      );
      const forget = () => {
        clearTimeout(late);
        this.#pending.delete(id);
        this.#hear(-1);
        if (this.#lost && this.#pending.size === 0) this.close();
      };
      const answered: Pending = {
        settle(verdict) {
          forget();
          settle(verdict);
        },
        fail(error) {
          forget();
          fail(error);
        },
      };
      this.#pending.set(id, answered);
      this.#ask();
      this.#appends().write(toAppendRequest(id, stream, expected, events));
    });
  }

  /**
   * Reads what a request asks for, to its end. The node may take its time, as long as something comes.
   * @returns nothing for a stream that does not exist
   * @throws NotLeader; LogUnavailable
   */
  read(request: Read): Promise<readonly Found[]> {
    return new Promise((done, failed) => {
      const found: Found[] = [];
      const call = this.#call(request);
      this.#ask();
      const late = setTimeout(() => call.cancel(), this.#options.timeoutMs);
      const over = () => {
        clearTimeout(late);
        this.#calls.delete(call);
        this.#hear(-1);
      };
      call
        .on('data', (response: Found) => {
          late.refresh();
          this.#hear(0);
          if (response.hasEvent()) found.push(response);
        })
        .on('end', () => {
          over();
          done(found);
        })
        .on('error', (error) => {
          over();
          this.#lose(error);
          const Failure = leaderIn(error) ? NotLeader : LogUnavailable;
          failed(new Failure('the store of the log is away', { cause: error }));
        });
    });
  }

  /**
   * Calls `heard` with each event that is appended, and without one once nothing more will be missed, until the connection breaks or the
   * signal aborts. Then it resolves.
   */
  watch(heard: (event: Stored | undefined) => void, signal: AbortSignal): Promise<void> {
    return new Promise((over) => {
      const call = this.#call(watchRequest());
      const stop = () => call.cancel();
      signal.addEventListener('abort', stop, { once: true });
      const end = () => {
        signal.removeEventListener('abort', stop);
        this.#calls.delete(call);
        over();
      };
      call
        .on('data', (response: Found) => {
          if (!response.hasCheckpoint()) heard(response.hasEvent() ? toStored(response) : undefined);
        })
        .on('end', end)
        .on('error', (error) => {
          end();
          if (!signal.aborted) this.#lose(error);
        });
    });
  }

  /** Ends it at once. What is under way fails. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#lost = true;
    for (const call of this.#calls) call.cancel();
    this.#batch?.cancel();
    this.#failPending(new OutcomeUnknown('the connection was given up'));
    this.#client.close();
  }

  #call(request: Read): grpc.ClientReadableStream<Found> {
    const call = this.#client.read(request, this.#metadata, {});
    this.#calls.add(call);
    if (this.#closed) call.cancel();
    return call;
  }

  /** The call that carries all appends of this connection. */
  #appends(): ClientDuplexStream<Requests, Answers> {
    if (this.#batch) return this.#batch;
    const batch = this.#client.batchAppend(this.#metadata, {});
    this.#batch = batch;
    batch
      .on('data', (answer: Answers) => {
        // One that came too late has nobody who waits.
        const pending = this.#pending.get(answer.getCorrelationId()?.getString() ?? '');
        if (!pending) return;
        const { verdict, error, lost } = outcomeOf(answer);
        if (verdict) pending.settle(verdict);
        else pending.fail(error);
        // The others that are under way get answers of their own.
        if (lost) this.#retire(undefined);
      })
      .on('end', () => this.#endOfAppends(undefined))
      .on('error', (error) => this.#endOfAppends(error));
    return batch;
  }

  #endOfAppends(error: Error | undefined): void {
    this.#batch = undefined;
    // A node that no longer leads ends the whole call, also if it has written one of several.
    const undone = leaderIn(error) !== undefined && this.#pending.size === 1;
    this.#failPending(
      undone
        ? new LogUnavailable('the store has a new leader', { cause: error })
        : new OutcomeUnknown('the reply to an append was lost', { cause: error }),
    );
    this.#lose(error ?? new Error('the node ended the call'));
  }

  #failPending(error: Error): void {
    for (const pending of [...this.#pending.values()]) pending.fail(error);
  }

  #ask(): void {
    this.#asked += 1;
    this.silentSince ??= performance.now();
  }

  /** Something came, or so many calls more (a negative number: fewer) are awaited. */
  #hear(more: number): void {
    this.#asked += more;
    this.silentSince = this.#asked > 0 ? performance.now() : undefined;
  }

  #lose(error: Error): void {
    const leader = leaderIn(error);
    const code = 'code' in error ? Number(error.code) : undefined;
    if (!leader && code !== undefined && !ELSEWHERE.includes(code)) return;
    this.#retire(leader === 'unnamed' ? undefined : leader);
  }

  /** From now on others use another connection. Appends that are under way here may still be answered. */
  #retire(next: Node | undefined): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#options.onLost(next);
    if (this.#pending.size === 0) this.close();
  }
}

/** How long a connection may take to come about, in milliseconds. */
const LONGEST_CONNECTING = 2_000;
