/**
 * The shape of every rule in the house: events in, state out; command in, events or a rejection out.
 * Deciders are pure. Time and ids arrive in the command, never from a clock or a generator.
 */
import type { ErrorCode } from './errors.ts';

/** A fact as the domain sees it: what happened, without where or when it was recorded. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** Why a command was refused: a code from the one catalogue, and facts that help the caller (they reach the HTTP body). */
export interface Rejection {
  readonly rejected: ErrorCode;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Refuses a command. `details` are shown to the caller, so nothing personal or secret goes in. */
export const reject = (code: ErrorCode, details?: Record<string, unknown>): Rejection =>
  details ? { rejected: code, details } : { rejected: code };

/** Tells a refusal from a list of events. */
export const isRejection = (outcome: readonly DomainEvent[] | Rejection): outcome is Rejection =>
  'rejected' in outcome;

/** What a decision yields: new events (none means "already so": success, nothing to record), or a refusal. */
export type Decision<Event extends DomainEvent> = readonly Event[] | Rejection;

/**
 * An aggregate's whole behaviour. `evolve` never mutates: it returns the next state. `at` is when the event's command was
 * given (its `meta.at`, an ISO instant), so that a state can say when something happened.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initial: State;
  evolve(state: State, event: Event, at: string): State;
  decide(state: State, command: Command): Decision<Event>;
}

/**
 * A decider with its place in the log. `name` is the stream's prefix: an instance lives in `{name}-{id}`.
 * `snapshot` is present only where streams grow long; raise its `version` whenever the fold changes, and
 * older snapshots are ignored.
 */
export interface Aggregate<State, Command, Event extends DomainEvent> extends Decider<State, Command, Event> {
  readonly name: string;
  readonly snapshot?: {
    readonly version: number;
    readonly every: number;
    toJSON(state: State): unknown;
    fromJSON(json: unknown): State;
  };
}

/** The stream that holds one instance of an aggregate. */
export const streamOf = (aggregate: { readonly name: string }, id: string | number): string =>
  `${aggregate.name}-${id}`;

/** Folds a history whose events all happened at one time, `at` (an ISO instant). */
export const fold = <State, Event extends DomainEvent>(
  decider: Pick<Decider<State, never, Event>, 'initial' | 'evolve'>,
  events: Iterable<Event>,
  from: State = decider.initial,
  at = '2026-06-01T12:00:00.000Z',
): State => {
  let state = from;
  for (const event of events) state = decider.evolve(state, event, at);
  return state;
};
