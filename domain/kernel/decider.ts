/** A decider folds events into a state and decides commands on it. It is pure: times and ids come with the command. */
import type { ErrorCode } from './errors.ts';
import type { Shown } from './revision.ts';

export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

export interface Rejection {
  readonly rejected: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** `details` are sent to the caller: nothing personal or secret. */
export const reject = (code: ErrorCode, details?: Record<string, unknown>): Rejection =>
  details ? { rejected: code, details } : { rejected: code };

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
 * Its stream is `{name}-{id}`. Long streams need a `snapshot`, taken at least `every` events apart; raise
 * its `version` with every change of the fold.
 */
export interface Aggregate<State, Command, Event extends DomainEvent> extends Decider<State, Command, Event> {
  readonly name: string;
  /** Key subject of the state's personal data. Once the key is destroyed, the state is reloaded. */
  names?(state: State): string | null;
  /** The fields of edit forms. A command with their `revisionOf` overwrites no later changes. */
  shown?(state: State): Shown;
  /**
   * Stores each state as JSON in the read model `document`. Only for small aggregates with UUIDs and without
   * sealed fields: the row would outlive the key.
   */
  readonly document?: {
    /** Paths of stored images, which cannot be deleted from the gallery. */
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
