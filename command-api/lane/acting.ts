import { randomUUID } from 'node:crypto';
import {
  type Aggregate,
  type AnyAggregate,
  type DomainEvent,
  isRejection,
  type Rejection,
  reject,
} from '#domain/kernel/decider.ts';
import { refusalOf } from '#domain/kernel/refusal.ts';
import { overwritten } from '#domain/kernel/revision.ts';
import { type Position, START } from '#infra/event-log/event-log.ts';
import type { Actor, Context } from '#infra/event-log/recorded.ts';
import type { Clock } from '#infra/lib/clock.ts';

/** Thrown when too many commands wait, or one could not be appended in time. Nothing of the command was written. The server answers 503. */
export class Busy extends Error {
  override readonly name = 'Busy';
  readonly code = 'BUSY';
  /** After how many seconds to try again. */
  readonly retryAfter: number;
  constructor(why: string, retryAfter = 1) {
    super(why);
    this.retryAfter = retryAfter;
  }
}

/** A command that was accepted. */
export interface Done<State, Event extends DomainEvent> {
  readonly ok: true;
  /** The state after this command, and perhaps after others that were decided with it. */
  readonly state: State;
  /** The events that this command recorded; none if nothing had to change. */
  readonly events: readonly Event[];
  /** The revision of this command's last event, or of the state that was read; -1 if there is no stream. */
  readonly revision: number;
  /** The position that a reader must have reached to see the state. */
  readonly position: Position;
}

/** What came of a command: it was accepted, or its decider rejected it. */
export type Outcome<State, Event extends DomainEvent> =
  | Done<State, Event>
  | { readonly ok: false; readonly rejection: Rejection };

/** A stream's state as it was read. */
export interface StreamReading<State> {
  readonly state: State;
  /** -1 if there is no stream. */
  readonly revision: number;
  readonly position: Position;
}

/** When a field that a form shows last changed, and who changed it: an account's id, or null. */
export interface ShownChange {
  readonly at: string;
  readonly by: string | null;
}

/** Decides commands on streams, and reads them. */
export interface Executor {
  /**
   * Decides a command, and appends its events. The rejection is `ERASED` if an event needs a key that was destroyed, and
   * `CHANGED_MEANWHILE` if it would overwrite what has changed since the revision `since` (`domain/kernel/revision.ts`).
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
    since?: string,
  ): Promise<Outcome<State, Event>>;

  /** Reads the state as of now: from the log after the call, or confirmed by an append after the call. @throws Busy, LogUnavailable */
  state<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
  ): Promise<StreamReading<State>>;

  /** The last change of these fields of a thing, of those that its forms show. Reads the whole stream. */
  lastChange(
    aggregate: AnyAggregate,
    id: string | number,
    fields: readonly string[],
  ): Promise<ShownChange | undefined>;
}

/** The context of work that no request asked for. The system is its actor, `id` says which part of it. */
export const systemContext = (clock: Clock, id?: string): Context => ({
  commandId: randomUUID(),
  actor: id === undefined ? { kind: 'system' } : { kind: 'system', id },
  at: clock().toISOString(),
  correlationId: randomUUID(),
});

/**
 * The lane for all commands of one request or one job. The first command has the given context, so that a caller can repeat it
 * under the same command id. Each further command has an id and a time of its own, and the same actor and correlation. All
 * methods throw what the lane throws.
 */
export class ActingLane {
  readonly #lane: Executor;
  readonly #clock: Clock;
  #context: Context;
  #since: string | undefined;
  #used = false;
  #position: Position = START;

  constructor(lane: Executor, context: Context, clock: Clock) {
    this.#lane = lane;
    this.#context = context;
    this.#clock = clock;
  }

  /** The context of the last command; before the first command, the one that it will have. */
  get context(): Context {
    return this.#context;
  }

  /** The position that a reader must have reached to see all that was recorded or read here; `START` if that is nothing. */
  get position(): Position {
    return this.#position;
  }

  /** Decides a command, and appends its events. @throws Refusal if the decider rejects it */
  async do<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    command: Command,
  ): Promise<Done<State, Event>> {
    const outcome = await this.ask(aggregate, id, command);
    if (outcome.ok) return outcome;
    throw refusalOf(outcome.rejection);
  }

  /** As `do`, but returns a rejection instead of throwing it. */
  async ask<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    command: Command,
  ): Promise<Outcome<State, Event>> {
    if (this.#used) this.#context = this.#following();
    this.#used = true;
    const outcome = await this.#lane.execute(aggregate, id, command, this.#context, this.#since);
    if (outcome.ok) this.#passed(outcome.position);
    else return { ok: false, rejection: await this.#named(aggregate, id, outcome.rejection) };
    return outcome;
  }

  /**
   * Decides a command without recording anything, so that another stream is changed only if it would be accepted.
   * @returns the state that it would leave
   * @throws Refusal if it would be rejected
   */
  async preview<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    command: Command,
  ): Promise<State> {
    const { state } = await this.state(aggregate, id);
    const decision = aggregate.decide(state, command);
    if (isRejection(decision)) throw refusalOf(decision);
    const { at } = this.#context;
    const next = decision.reduce((before, event) => aggregate.evolve(before, event, at), state);
    const { shown } = aggregate;
    const changed = shown && this.#since ? overwritten(this.#since, shown(state), shown(next)) : [];
    if (changed.length === 0) return next;
    throw refusalOf(await this.#named(aggregate, id, reject('CHANGED_MEANWHILE', { changed })));
  }

  /** From now on, commands that would overwrite what has changed since this revision (`domain/kernel/revision.ts`) are rejected with CHANGED_MEANWHILE. */
  since(revision: string | undefined): void {
    this.#since = revision;
  }

  /** Reads the state as of now. */
  async state<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
  ): Promise<StreamReading<State>> {
    const reading = await this.#lane.state(aggregate, id);
    this.#passed(reading.position);
    return reading;
  }

  /** An acting lane for another actor, with the same correlation. */
  as(actor: Actor): ActingLane {
    return new ActingLane(this.#lane, { ...this.#following(), actor }, this.#clock);
  }

  /** Adds when it was and who it was to a rejection for a change that somebody else made. */
  async #named<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    rejection: Rejection,
  ): Promise<Rejection> {
    const changed = rejection.details?.changed;
    if (rejection.rejected !== 'CHANGED_MEANWHILE' || !Array.isArray(changed)) return rejection;
    const last = await this.#lane.lastChange(aggregate as unknown as AnyAggregate, id, changed);
    return { ...rejection, details: { changed, ...last } };
  }

  #following(): Context {
    return { ...this.#context, commandId: randomUUID(), at: this.#clock().toISOString() };
  }

  #passed(position: Position): void {
    if (position > this.#position) this.#position = position;
  }
}
