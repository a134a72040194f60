/** Command handler: decides a stream's commands one after another and appends those of many streams in one call. */
import { type Aggregate, type AnyAggregate, type DomainEvent, streamOf } from '#domain/kernel/decider.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog, Position, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { type Clock, systemClock } from '#infra/lib/clock.ts';
import { ActingHandler, Busy, type Executor, type Outcome, type ShownChange } from './acting.ts';
import { type BatchOptions, runBatch } from './batch.ts';
import { appendFacts } from './facts.ts';
import { GroupCommit } from './group-commit.ts';
import { type CommandMetrics, unmeasured } from './metrics.ts';
import type { SnapshotStore } from './snapshots.ts';
import { StateCache } from './state-cache.ts';
import { CHUNK, StreamQueue } from './stream-queue.ts';

export { type ActingHandler, systemContext } from './acting.ts';

export interface CommandHandler extends Executor {
  as(context: Context, clock?: Clock): ActingHandler;

  /**
   * To `access-*` and `reads-*` only, at any revision.
   * @throws TypeError for other streams; otherwise as `execute`
   */
  append(
    stream: string,
    events: readonly DomainEvent[],
    context: Context,
  ): Promise<{ readonly revision: number; readonly position: Position }>;

  /** Drops cached states with this subject's personal data (or all, if undefined). Call it after destroying a key. */
  forget(subject: string | undefined): void;

  /** New commands get Busy. Resolves when all queued ones are answered. Close the HTTP server first. */
  drain(): Promise<void>;
}

export interface CommandHandlerOptions {
  readonly log: EventLog;
  readonly codec: Codec;
  readonly clock?: Clock;
  readonly snapshots?: SnapshotStore;
  readonly metrics?: CommandMetrics;
  readonly cachedStreams?: number;
  readonly mostWaiting?: number;
  readonly mostWaitingPerStream?: number;
  /** So that one stream does not starve others. */
  readonly mostPerBatch?: number;
  /** Default 1: the logs serialise appends. */
  readonly appendsInFlight?: number;
  /** Milliseconds of retries after conflicts and lost replies. Default 2,000. */
  readonly patience?: number;
}

/** Bytes per append call, and per stream within it. */
const CALL_BYTES = 900_000;
const STREAM_BYTES = 400_000;

export const createCommandHandler = ({
  log,
  codec,
  clock = systemClock,
  snapshots,
  metrics = unmeasured,
  cachedStreams = 20_000,
  mostWaiting = 10_000,
  mostWaitingPerStream = 5_000,
  mostPerBatch = 512,
  appendsInFlight = 1,
  patience = 2_000,
}: CommandHandlerOptions): CommandHandler => {
  const queues = new StateCache<StreamQueue>(cachedStreams);
  const commits = new GroupCommit(log, { inFlight: appendsInFlight, mostBytes: CALL_BYTES, metrics });
  let arrivals = 0;
  let unanswered = 0;
  let draining = false;
  const drained = Promise.withResolvers<void>();
  const batch: BatchOptions = {
    source: { log, codec, snapshots: snapshots ?? null, metrics },
    commits,
    arrivals: () => arrivals,
    mostBytes: STREAM_BYTES,
    patience,
  };

  const answered = (): void => {
    if (--unanswered === 0 && draining) drained.resolve();
  };

  const run = async (queue: StreamQueue): Promise<void> => {
    while (queue.waiting.length > 0) {
      const callers =
        queue.waiting.length > mostPerBatch ? queue.waiting.splice(0, mostPerBatch) : queue.waiting;
      if (callers === queue.waiting) queue.waiting = [];
      const left = await runBatch(queue, callers, batch);
      if (left.length > 0) queue.waiting = [...left, ...queue.waiting];
    }
    queue.running = false;
    if (queue.outdated) queue.reset();
  };

  let due: StreamQueue[] = [];
  /** So that callers of this turn are decided together. */
  const wake = (queue: StreamQueue): void => {
    if (queue.running) return;
    queue.running = true;
    if (due.push(queue) > 1) return;
    setImmediate(() => {
      const queues = due;
      due = [];
      for (const queue of queues) run(queue);
    });
  };

  const refuse = (why: 'queue' | 'draining'): Promise<never> =>
    Promise.reject(new Busy(why === 'queue' ? 'Too many commands are waiting' : 'Shutting down'));

  const enqueue = (
    aggregate: AnyAggregate,
    id: string | number,
    command: unknown,
    context: Context | null,
    since?: string,
  ): Promise<Outcome<unknown, DomainEvent>> => {
    if (draining) return refuse('draining');
    const stream = streamOf(aggregate, id);
    const queue = queues.take(stream, () => new StreamQueue(aggregate, stream));
    if (queue.aggregate !== aggregate)
      return Promise.reject(
        new TypeError(`${stream} belongs to another aggregate object named ${aggregate.name}`),
      );
    if (unanswered >= mostWaiting || queue.waiting.length >= mostWaitingPerStream) return refuse('queue');
    unanswered++;
    return new Promise((resolve, reject) => {
      // A batch may fail after answering some callers.
      let open = true;
      const close = (): boolean => {
        if (!open) return false;
        open = false;
        answered();
        return true;
      };
      queue.waiting.push({
        command,
        context,
        since,
        arrived: ++arrivals,
        settle(outcome) {
          if (close()) resolve(outcome);
        },
        fail(error) {
          if (close()) reject(error);
        },
      });
      wake(queue);
    });
  };

  const handler: CommandHandler = {
    execute: <State, Command, Event extends DomainEvent>(
      aggregate: Aggregate<State, Command, Event>,
      id: string | number,
      command: Command,
      context: Context,
      since?: string,
    ) =>
      // The queue is untyped.
      enqueue(aggregate as AnyAggregate, id, command, context, since) as Promise<Outcome<State, Event>>,

    async state<State, Command, Event extends DomainEvent>(
      aggregate: Aggregate<State, Command, Event>,
      id: string | number,
    ) {
      const outcome = await enqueue(aggregate as AnyAggregate, id, undefined, null);
      if (!outcome.ok) throw new Error('A reading was refused');
      return { state: outcome.state as State, revision: outcome.revision, position: outcome.position };
    },

    async lastChange(aggregate, id, fields) {
      const stream = streamOf(aggregate, id);
      let { initial: state } = aggregate;
      let shown = '';
      let last: ShownChange | undefined;
      const take = async (records: readonly RecordedEvent[]): Promise<void> => {
        for (const { event, meta } of await codec.decode(records)) {
          state = aggregate.evolve(state, event, meta.at);
          const all = aggregate.shown?.(state) ?? {};
          const next = JSON.stringify(fields.map((name) => all[name]));
          if (next !== shown) last = { at: meta.at, by: meta.actor.id ?? null };
          shown = next;
        }
      };
      let chunk: RecordedEvent[] = [];
      for await (const record of log.readStream(stream)) {
        if (chunk.push(record) < CHUNK) continue;
        await take(chunk);
        chunk = [];
      }
      await take(chunk);
      return last;
    },

    as: (context, theirs = clock) => new ActingHandler(handler, context, theirs),

    async append(stream, events, context) {
      if (draining || unanswered >= mostWaiting) return refuse(draining ? 'draining' : 'queue');
      unanswered++;
      try {
        return await appendFacts({ log, codec, commits, patience, metrics }, stream, events, context);
      } finally {
        answered();
      }
    },

    forget(subject) {
      for (const queue of queues.values()) {
        // A read in progress may still load the erased data.
        if (queue.inUse) queue.outdated ||= queue.aggregate.names !== undefined;
        else if (queue.names(subject)) queue.reset();
      }
    },

    drain() {
      draining = true;
      if (unanswered === 0) drained.resolve();
      return drained.promise;
    },
  };
  return handler;
};
