/**
 * The types of all rules. A decider folds events into a state, and decides a command on that state: the result is events or a
 * rejection. Deciders are pure: times and ids come with the command, never from a clock or a generator.
 */
import type { ErrorCode } from './errors.ts';
import type { Shown } from './revision.ts';

/** An event as rules see it: its type and data, without its place in the log. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** Why a command was refused: a code of `domain/kernel/errors.ts`, and details for the caller, which are in the HTTP answer. */
export interface Rejection {
  readonly rejected: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Makes a rejection. The caller sees `details`: they must hold nothing personal or secret. */
export const reject = (code: ErrorCode, details?: Record<string, unknown>): Rejection =>
  details ? { rejected: code, details } : { rejected: code };

/** Rejects an input, with a text for people by each field that is wrong, where its form shows it. The first text is the answer's message. */
export const badInput = (fields: Readonly<Record<string, string>>): Rejection =>
  reject('BAD_INPUT', { fields, errors: Object.values(fields) });

/** Whether a decision is a rejection. */
export const isRejection = (outcome: readonly DomainEvent[] | Rejection): outcome is Rejection =>
  'rejected' in outcome;

/** The result of deciding: new events, or a rejection. No events mean success with nothing to record, since it is so already. */
export type Decision<Event extends DomainEvent> = readonly Event[] | Rejection;

/**
 * The behaviour of an aggregate. `evolve` returns the next state and changes nothing. Its `at` is when the event's command was
 * given (`meta.at`, an ISO instant), so that a state can tell when something happened.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initial: State;
  evolve(state: State, event: Event, at: string): State;
  decide(state: State, command: Command): Decision<Event>;
}

/**
 * A decider with its place in the log: the stream of an instance is `{name}-{id}`. Only aggregates with long streams have a
 * `snapshot`, which is taken after `every` events at the earliest. Raise its `version` with every change of the fold: older snapshots are then ignored.
 */
export interface Aggregate<State, Command, Event extends DomainEvent> extends Decider<State, Command, Event> {
  readonly name: string;
  /** Whose personal data a state keeps: the key's subject, or null. The state is read anew once that key was destroyed. */
  names?(state: State): string | null;
  /** What forms that edit it show. A command that was given with a `revisionOf` these overwrites none that has changed since. */
  shown?(state: State): Shown;
  /**
   * Makes each instance a row of the read model `document`: its state as JSON, until that is null. For small aggregates that are listed as
   * they are. Their events hold nothing sealed, since a row would keep it after the key was destroyed; their ids are UUIDs.
   */
  readonly document?: {
    /** The paths of the stored images that a state names. They are kept, and can't be deleted from the gallery. */
    images(state: NonNullable<State>): readonly string[];
  };
  readonly snapshot?: {
    readonly version: number;
    readonly every: number;
    toJSON(state: State): unknown;
    fromJSON(json: unknown): State;
  };
}

/** Any aggregate. Only its own functions read its states and commands. */
export type AnyAggregate = Aggregate<unknown, unknown, DomainEvent>;

/** The stream of an instance of an aggregate. */
export const streamOf = (aggregate: { readonly name: string }, id: string | number): string =>
  `${aggregate.name}-${id}`;
