/**
 * The lane executes commands: it decides them one after the other on a stream's state and appends what
 * comes out, many at a time.
 */
import { type Aggregate, type AnyAggregate, type DomainEvent, streamOf } from '#domain/decider.ts';
import { type Clock, systemClock } from '#infra/clock.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog, Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';
import { ActingLane, Busy, type Executor, type Outcome } from './acting.ts';
import { appendFacts } from './facts.ts';
import { GroupCommit } from './group-commit.ts';
import { Line } from './line.ts';
import { type LaneMetrics, unmeasured } from './metrics.ts';
import { playRound, type RoundOptions } from './round.ts';
import type { SnapshotStore } from './snapshots.ts';
import { StateCache } from './state-cache.ts';

export { type ActingLane, Busy, type Outcome, systemContext } from './acting.ts';

export interface Lane extends Executor {
  /** The lane for all that one request or one job sets off. `clock` gives the times of the commands after the first; default: the lane's. */
  as(context: Context, clock?: Clock): ActingLane;

  /**
   * Records facts on which nobody decides (`access-*`, `reads-*`), whatever the stream holds.
   * @throws TypeError for any other stream; otherwise as `execute`
   */
  append(
    stream: string,
    events: readonly DomainEvent[],
    context: Context,
  ): Promise<{ readonly revision: number; readonly position: Position }>;

  /** Takes no more commands (they get Busy) and resolves when all that were taken are answered. Close the HTTP server first. */
  drain(): Promise<void>;
}

export interface LaneOptions {
  readonly log: EventLog;
  readonly codec: Codec;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Without a store, long streams are read whole at first touch. */
  readonly snapshots?: SnapshotStore;
  readonly metrics?: LaneMetrics;
  /** States kept at the most. Default 20,000. */
  readonly cachedStreams?: number;
  /** Callers that may wait, on all streams together and on one. Defaults 10,000 and 5,000. */
  readonly mostWaiting?: number;
  readonly mostWaitingPerStream?: number;
  /** Callers of one stream that are decided in one go; the rest wait for the next, so that no stream keeps the others waiting. Default 512. */
  readonly mostPerRound?: number;
  /** Append calls under way at once. Default 1: more gain nothing while the log takes one append after the other. */
  readonly appendsInFlight?: number;
  /** How long conflicts and lost replies are met by trying again, in milliseconds. Default 2,000. */
  readonly patience?: number;
}

/** Bytes an append call carries at the most, and one stream's part of it. */
const CALL_BYTES = 900_000;
const STREAM_BYTES = 400_000;

/** A lane on one log. One a process; any number of processes may work on the same streams. */
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
  };

  let due: Line[] = [];
  /** Starts after this turn's input has been read, so that callers who came together are decided together. */
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

  const refuse = (why: 'queue' | 'draining'): Promise<never> => {
    metrics.busy(why, 1);
    return Promise.reject(new Busy(why === 'queue' ? 'Too many commands are waiting' : 'Shutting down'));
  };

  const enqueue = (
    aggregate: AnyAggregate,
    id: string | number,
    command: unknown,
    context: Context | null,
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
      // The first answer counts: a failure of the whole round may come after a caller had its own.
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
    ) =>
      // The queue holds callers of all aggregates; what comes back is what this one's decider made.
      enqueue(aggregate as AnyAggregate, id, command, context) as Promise<Outcome<State, Event>>,

    async state<State, Command, Event extends DomainEvent>(
      aggregate: Aggregate<State, Command, Event>,
      id: string | number,
    ) {
      const outcome = await enqueue(aggregate as AnyAggregate, id, undefined, null);
      if (!outcome.ok) throw new Error('A reading was refused');
      return { state: outcome.state as State, revision: outcome.revision, position: outcome.position };
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

    drain() {
      draining = true;
      if (unanswered === 0) drained.resolve();
      return drained.promise;
    },
  };
  return lane;
};
