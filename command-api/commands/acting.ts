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

/** Nothing was written. Becomes a 503. */
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

export interface Done<State, Event extends DomainEvent> {
  readonly ok: true;
  /** May include later commands of the same batch. */
  readonly state: State;
  readonly events: readonly Event[];
  /** -1 without a stream. */
  readonly revision: number;
  readonly position: Position;
}

export type Outcome<State, Event extends DomainEvent> =
  | Done<State, Event>
  | { readonly ok: false; readonly rejection: Rejection };

export interface StreamReading<State> {
  readonly state: State;
  readonly revision: number;
  readonly position: Position;
}

export interface ShownChange {
  readonly at: string;
  readonly by: string | null;
}

export interface Executor {
  /**
   * Rejected with `ERASED` if an event needs a destroyed key, with `CHANGED_MEANWHILE` if it would overwrite
   * a change made after `since`.
   * @throws Busy queue full, or conflicts for 2 s; nothing written
   * @throws EventTooLarge
   * @throws LogUnavailable nothing written
   * @throws OutcomeUnknown reply lost: repeat the command
   */
  execute<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    command: Command,
    context: Context,
    since?: string,
  ): Promise<Outcome<State, Event>>;

  /**
   * Linearizable.
   * @throws Busy, LogUnavailable
   */
  state<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
  ): Promise<StreamReading<State>>;

  /** Reads the whole stream. */
  lastChange(
    aggregate: AnyAggregate,
    id: string | number,
    fields: readonly string[],
  ): Promise<ShownChange | undefined>;
}

export const systemContext = (clock: Clock, id?: string): Context => ({
  commandId: randomUUID(),
  actor: id === undefined ? { kind: 'system' } : { kind: 'system', id },
  at: clock().toISOString(),
  correlationId: randomUUID(),
});

/**
 * All commands of one request or job. The first has the given context, and so can be repeated under the same
 * command id; later ones get their own id and time. Methods throw what the command handler throws.
 */
export class ActingHandler {
  readonly #handler: Executor;
  readonly #clock: Clock;
  #context: Context;
  #since: string | undefined;
  #used = false;
  #position: Position = START;

  constructor(handler: Executor, context: Context, clock: Clock) {
    this.#handler = handler;
    this.#context = context;
    this.#clock = clock;
  }

  get context(): Context {
    return this.#context;
  }

  get position(): Position {
    return this.#position;
  }

  /** @throws Refusal if the decider rejects the command */
  async do<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    command: Command,
  ): Promise<Done<State, Event>> {
    const outcome = await this.ask(aggregate, id, command);
    if (outcome.ok) return outcome;
    throw refusalOf(outcome.rejection);
  }

  async ask<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    command: Command,
  ): Promise<Outcome<State, Event>> {
    if (this.#used) this.#context = this.#following();
    this.#used = true;
    const outcome = await this.#handler.execute(aggregate, id, command, this.#context, this.#since);
    if (outcome.ok) this.#passed(outcome.position);
    else return { ok: false, rejection: await this.#named(aggregate, id, outcome.rejection) };
    return outcome;
  }

  /**
   * Decides without recording.
   * @throws Refusal
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

  /** Later commands that would overwrite a change after this revision get CHANGED_MEANWHILE. */
  since(revision: string | undefined): void {
    this.#since = revision;
  }

  async state<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
  ): Promise<StreamReading<State>> {
    const reading = await this.#handler.state(aggregate, id);
    this.#passed(reading.position);
    return reading;
  }

  as(actor: Actor): ActingHandler {
    return new ActingHandler(this.#handler, { ...this.#following(), actor }, this.#clock);
  }

  async #named<State, Command, Event extends DomainEvent>(
    aggregate: Aggregate<State, Command, Event>,
    id: string | number,
    rejection: Rejection,
  ): Promise<Rejection> {
    const changed = rejection.details?.changed;
    if (rejection.rejected !== 'CHANGED_MEANWHILE' || !Array.isArray(changed)) return rejection;
    const last = await this.#handler.lastChange(aggregate as unknown as AnyAggregate, id, changed);
    return { ...rejection, details: { changed, ...last } };
  }

  #following(): Context {
    return { ...this.#context, commandId: randomUUID(), at: this.#clock().toISOString() };
  }

  #passed(position: Position): void {
    if (position > this.#position) this.#position = position;
  }
}
