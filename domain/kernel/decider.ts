/** A decider folds events into a state and decides commands on it. Deciders are pure: times and ids come with the command. */
import type { ErrorCode } from './errors.ts';
import type { Shown } from './revision.ts';

export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** An error code of `domain/kernel/errors.ts`, and details sent in the HTTP answer. */
export interface Rejection {
  readonly rejected: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** `details` are sent to the caller: nothing personal or secret. */
export const reject = (code: ErrorCode, details?: Record<string, unknown>): Rejection =>
  details ? { rejected: code, details } : { rejected: code };

/** Rejects an input with a message per field; the first is the answer's message. */
export const badInput = (fields: Readonly<Record<string, string>>): Rejection =>
  reject('BAD_INPUT', { fields, errors: Object.values(fields) });

export const isRejection = (outcome: readonly DomainEvent[] | Rejection): outcome is Rejection =>
  'rejected' in outcome;

/** No events mean success without a change. */
export type Decision<Event extends DomainEvent> = readonly Event[] | Rejection;

/** `evolve` never mutates. `at` is the time of the event's command (`meta.at`, ISO instant). */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initial: State;
  evolve(state: State, event: Event, at: string): State;
  decide(state: State, command: Command): Decision<Event>;
}

/**
 * A decider with its stream `{name}-{id}`. Only long streams need a `snapshot`, taken at least `every`
 * events apart. Raise its `version` with every change of the fold: older snapshots are then ignored.
 */
export interface Aggregate<State, Command, Event extends DomainEvent> extends Decider<State, Command, Event> {
  readonly name: string;
  /** Key subject of the personal data in the state, or null. The state is reloaded once that key is destroyed. */
  names?(state: State): string | null;
  /** Fields shown by edit forms. A command with a `revisionOf` these does not overwrite later changes. */
  shown?(state: State): Shown;
  /**
   * Stores each instance's state as JSON in the read model `document`, until the state is null. For small
   * aggregates with UUIDs. Their events must not be sealed: the row would outlive the key.
   */
  readonly document?: {
    /** Paths of stored images in the state; they cannot be deleted from the gallery. */
    images(state: NonNullable<State>): readonly string[];
  };
  readonly snapshot?: {
    readonly version: number;
    readonly every: number;
    toJSON(state: State): unknown;
    fromJSON(json: unknown): State;
  };
}

export type AnyAggregate = Aggregate<unknown, unknown, DomainEvent>;

export const streamOf = (aggregate: { readonly name: string }, id: string | number): string =>
  `${aggregate.name}-${id}`;
