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

interface Pending {
  settle(verdict: Verdict): void;
  fail(error: Error): void;
}

export interface ConnectionOptions {
  readonly node: Node;
  readonly access: Access;
  /** Milliseconds. */
  readonly timeoutMs: number;
  onLost(next: Node | undefined): void;
}

const LARGEST_MESSAGE = 17 * 1024 * 1024;

const ELSEWHERE: readonly number[] = [
  grpc.status.UNAVAILABLE,
  grpc.status.CANCELLED,
  grpc.status.INTERNAL,
  grpc.status.UNKNOWN,
];

const leaderIn = (error: unknown): Node | 'unnamed' | undefined => {
  const metadata = error instanceof Error && 'metadata' in error ? error.metadata : undefined;
  if (!(metadata instanceof grpc.Metadata) || metadata.get('exception')[0] !== 'not-leader') return undefined;
  const [address] = metadata.get('leader-endpoint-host');
  const [port] = metadata.get('leader-endpoint-port');
  return address && port ? { address: String(address), port: Number(port) } : 'unnamed';
};

export class NotLeader extends LogUnavailable {}

/** Once lost, it stays lost and takes no more appends. */
export class Connection {
  readonly node: Node;
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
    // A follower may miss the newest events.
    this.#metadata.set('requires-leader', 'true');
    this.#client = new streams.StreamsClient(`${node.address}:${node.port}`, access.credentials, {
      'grpc.keepalive_time_ms': access.keepAliveInterval,
      'grpc.keepalive_timeout_ms': access.keepAliveTimeout,
      'grpc.max_receive_message_length': LARGEST_MESSAGE,
      // gRPC retries would send an append twice.
      'grpc.enable_retries': 0,
      // With the shared pool, a new connection would wait out the back-off of the failed one.
      'grpc.use_local_subchannel_pool': 1,
    });
  }

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
   * Appends reach the node in call order.
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

  #appends(): ClientDuplexStream<Requests, Answers> {
    if (this.#batch) return this.#batch;
    const batch = this.#client.batchAppend(this.#metadata, {});
    this.#batch = batch;
    batch
      .on('data', (answer: Answers) => {
        const pending = this.#pending.get(answer.getCorrelationId()?.getString() ?? '');
        if (!pending) return;
        const { verdict, error, lost } = outcomeOf(answer);
        if (verdict) pending.settle(verdict);
        else pending.fail(error);
        if (lost) this.#retire(undefined);
      })
      .on('end', () => this.#endOfAppends(undefined))
      .on('error', (error) => this.#endOfAppends(error));
    return batch;
  }

  #endOfAppends(error: Error | undefined): void {
    this.#batch = undefined;
    // A node that loses leadership may have written one of several pending appends: only a single one is
    // known to be undone.
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

  #retire(next: Node | undefined): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#options.onLost(next);
    if (this.#pending.size === 0) this.close();
  }
}

const LONGEST_CONNECTING = 2_000;
