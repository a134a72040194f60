/** Command handler: decides a stream's commands one after another and appends those of many streams in one call. */
import { type Aggregate, type AnyAggregate, type DomainEvent, streamOf } from '#domain/kernel/decider.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog, Position, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { type Clock, systemClock } from '#infra/lib/clock.ts';
import { ActingLane, Busy, type Executor, type Outcome, type ShownChange } from './acting.ts';
import { appendFacts } from './facts.ts';
import { GroupCommit } from './group-commit.ts';
import { CHUNK, Line } from './line.ts';
import { type LaneMetrics, unmeasured } from './metrics.ts';
import { playRound, type RoundOptions } from './round.ts';
import type { SnapshotStore } from './snapshots.ts';
import { StateCache } from './state-cache.ts';

export { type ActingLane, systemContext } from './acting.ts';

export interface Lane extends Executor {
  as(context: Context, clock?: Clock): ActingLane;

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

export interface LaneOptions {
  readonly log: EventLog;
  readonly codec: Codec;
  readonly clock?: Clock;
  readonly snapshots?: SnapshotStore;
  readonly metrics?: LaneMetrics;
  readonly cachedStreams?: number;
  readonly mostWaiting?: number;
  readonly mostWaitingPerStream?: number;
  /** So that one stream does not starve others. */
  readonly mostPerRound?: number;
  /** Default 1: the logs serialise appends. */
  readonly appendsInFlight?: number;
  /** Milliseconds of retries after conflicts and lost replies. Default 2,000. */
  readonly patience?: number;
}

/** Bytes per append call, and per stream within it. */
const CALL_BYTES = 900_000;
const STREAM_BYTES = 400_000;

export const createLane = ({
  log,
  codec,
  clock = systemClock,
  snapshots,
  metrics = unmeasured,
  cachedStreams = 20_000,
  mostWaiting = 10_000,
  mostWaitingPerStream = 5_000,
  mostPerRound = 512,
  appendsInFlight = 1,
  patience = 2_000,
}: LaneOptions): Lane => {
  const lines = new StateCache<Line>(cachedStreams);
  const commits = new GroupCommit(log, { inFlight: appendsInFlight, mostBytes: CALL_BYTES, metrics });
  let arrivals = 0;
  let unanswered = 0;
  let draining = false;
  const drained = Promise.withResolvers<void>();
  const round: RoundOptions = {
    source: { log, codec, snapshots: snapshots ?? null, metrics },
    commits,
    arrivals: () => arrivals,
    mostBytes: STREAM_BYTES,
    patience,
  };

  const answered = (): void => {
    if (--unanswered === 0 && draining) drained.resolve();
  };

  const run = async (line: Line): Promise<void> => {
    while (line.waiting.length > 0) {
      const callers =
        line.waiting.length > mostPerRound ? line.waiting.splice(0, mostPerRound) : line.waiting;
      if (callers === line.waiting) line.waiting = [];
      const left = await playRound(line, callers, round);
      if (left.length > 0) line.waiting = [...left, ...line.waiting];
    }
    line.running = false;
    if (line.outdated) line.reset();
  };

  let due: Line[] = [];
  /** So that callers of this turn are decided together. */
  const wake = (line: Line): void => {
    if (line.running) return;
    line.running = true;
    if (due.push(line) > 1) return;
    setImmediate(() => {
      const lines = due;
      due = [];
      for (const line of lines) run(line);
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
    const line = lines.take(stream, () => new Line(aggregate, stream));
    if (line.aggregate !== aggregate)
      return Promise.reject(
        new TypeError(`${stream} belongs to another aggregate object named ${aggregate.name}`),
      );
    if (unanswered >= mostWaiting || line.waiting.length >= mostWaitingPerStream) return refuse('queue');
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
      line.waiting.push({
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
      wake(line);
    });
  };

  const lane: Lane = {
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

    as: (context, theirs = clock) => new ActingLane(lane, context, theirs),

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
      for (const line of lines.values()) {
        // A read in progress may still load the erased data.
        if (line.inUse) line.outdated ||= line.aggregate.names !== undefined;
        else if (line.names(subject)) line.reset();
      }
    },

    drain() {
      draining = true;
      if (unanswered === 0) drained.resolve();
      return drained.promise;
    },
  };
  return lane;
};
