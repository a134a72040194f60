import { randomUUID } from 'node:crypto';
import type { Aggregate, DomainEvent, Rejection } from '#domain/decider.ts';
import { refusalOf } from '#domain/refusal.ts';
import type { Clock } from '#infra/clock.ts';
import { type Position, START } from '#infra/event-log/event-log.ts';
import type { Actor, Context } from '#infra/event-log/recorded.ts';

/** Thrown when there is more to do than can be done soon: nothing of the command has been written. Answer 503 with `Retry-After`. */
export class Busy extends Error {
  override readonly name = 'Busy';
  readonly code = 'BUSY';
  /** Seconds. */
  readonly retryAfter: number;
  constructor(why: string, retryAfter = 1) {
    super(why);
    this.retryAfter = retryAfter;
  }
}

/** A command that was accepted. */
export interface Done<State, Event extends DomainEvent> {
  readonly ok: true;
  /** After this command (and perhaps after others that were decided with it). */
  readonly state: State;
  /** What this command recorded; empty when it was already so. */
  readonly events: readonly Event[];
  /** Of this command's last event, or of the state that was read. -1: no stream. */
  readonly revision: number;
  /** What a reader must have seen to see this: the last append's, or that of the last event read. */
  readonly position: Position;
}

/** A command was accepted, or rejected by its decider. */
export type Outcome<State, Event extends DomainEvent> =
  | Done<State, Event>
  | { readonly ok: false; readonly rejection: Rejection };

/** A stream's state as it was read. */
export interface StreamReading<State> {
  readonly state: State;
  /** -1: no stream. */
  readonly revision: number;
  readonly position: Position;
}

/** Decides commands on streams, and reads them. */
export interface Executor {
  /**
   * Decides a command and records what comes of it.
   * A key that was destroyed comes back as the rejection `ERASED`.
   * @throws Busy when the queue is full, or when conflicts went on for 2 s; nothing has been written
   * @throws EventTooLarge
   * @throws LogUnavailable nothing has been written
   * @throws OutcomeUnknown the reply was lost and the log could not be read within 2 s: repeat the command (targets answer repeats)
   */
  execute<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    command: Command,
    context: Context,
  ): Promise<Outcome<State, Event>>;

  /** The state as of now: read from the log since the call, or confirmed by an append since. @throws Busy, LogUnavailable */
  state<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
  ): Promise<StreamReading<State>>;
}

/** The context of what nobody asked for by a request: a correlation of its own, and the system as its actor. */
export const systemContext = (clock: Clock, id?: string): Context => ({
  commandId: randomUUID(),
  actor: id === undefined ? { kind: 'system' } : { kind: 'system', id },
  at: clock().toISOString(),
  correlationId: randomUUID(),
});

/**
 * The lane in the hands of one actor, for all that one request or one job sets off. The first command has the given context
 * whole, so that a caller can repeat it under the same command id. Each further one has an id and a time of its own, and
 * the same actor and correlation. Errors are those of the lane.
 */
export class ActingLane {
  readonly #lane: Executor;
  readonly #clock: Clock;
  #context: Context;
  #used = false;
  #position: Position = START;

  constructor(lane: Executor, context: Context, clock: Clock) {
    this.#lane = lane;
    this.#context = context;
    this.#clock = clock;
  }

  /** Of the last command; before the first, what that one will have. */
  get context(): Context {
    return this.#context;
  }

  /** How far a reader must be to see all that was recorded or read here; `START` before anything was. */
  get position(): Position {
    return this.#position;
  }

  /** Decides a command and records what comes of it. @throws Refusal where the decider rejects it */
  async do<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    command: Command,
  ): Promise<Done<State, Event>> {
    const outcome = await this.ask(aggregate, id, command);
    if (outcome.ok) return outcome;
    throw refusalOf(outcome.rejection);
  }

  /** As `do`, for callers to whom a rejection is an answer like any other. */
  async ask<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    command: Command,
  ): Promise<Outcome<State, Event>> {
    if (this.#used) this.#context = this.#following();
    this.#used = true;
    const outcome = await this.#lane.execute(aggregate, id, command, this.#context);
    if (outcome.ok) this.#passed(outcome.position);
    return outcome;
  }

  /** The state as of now, as the lane reads it. */
  async state<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
  ): Promise<StreamReading<State>> {
    const reading = await this.#lane.state(aggregate, id);
    this.#passed(reading.position);
    return reading;
  }

  /** Somebody else going on with the same: another actor under the same correlation. */
  as(actor: Actor): ActingLane {
    return new ActingLane(this.#lane, { ...this.#following(), actor }, this.#clock);
  }

  #following(): Context {
    return { ...this.#context, commandId: randomUUID(), at: this.#clock().toISOString() };
  }

  #passed(position: Position): void {
    if (position > this.#position) this.#position = position;
  }
}
