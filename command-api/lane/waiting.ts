import type { DomainEvent, Rejection } from '#domain/decider.ts';
import type { Position } from '#infra/event-log/event-log.ts';
import type { Context } from '#infra/event-log/recorded.ts';

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

/** An append whose reply was lost: if an event with this id turns up, the command stands. */
export interface Attempt {
  readonly lastId: string;
  readonly events: readonly DomainEvent[];
}

/** A caller that waits on one stream: for a command's outcome, or (`context` is null) just for the state as of now. */
export interface Waiting {
  readonly command: unknown;
  readonly context: Context | null;
  /** Arrivals are numbered; a state read after this number is one read since the command arrived. */
  readonly arrived: number;
  settle(outcome: Outcome<unknown, DomainEvent>): void;
  fail(error: unknown): void;
  /** The command's meta text, once made. */
  meta?: string;
  attempts?: Attempt[];
}
