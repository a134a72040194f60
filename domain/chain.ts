/**
 * Chains: what spans several streams, such as a purchase. There is no transaction across streams, so a chain goes step by
 * step: each step asks one stream, or somebody outside, for one thing, and all of them answer a repeat with success. Stopped
 * anywhere and taken up again, by anyone and by several at once, a chain ends finished or undone. A chain is pure; it is run by
 * `command-api/lane/run-chain.ts`, and stopped after each of its steps by `tests/kit/chains.ts`.
 */
import type { Aggregate, DomainEvent, Rejection } from './decider.ts';

/** An aggregate of whatever kind: its own functions alone look into its states and commands. */
export type AnyAggregate = Aggregate<unknown, unknown, DomainEvent>;

/** What a step asks of a stream: a command to be decided, or just the state as of now. Made by `look` and `ask`. */
export interface Order {
  readonly aggregate: AnyAggregate;
  readonly id: string | number;
  /** Absent: a look. */
  readonly command?: unknown;
}

/** Reads a stream's state. */
export const look = <State, Command, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>,
  id: string | number,
): Order => ({ aggregate: aggregate as AnyAggregate, id });

/** Puts a command to a stream. */
export const ask = <State, Command, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>,
  id: string | number,
  command: NoInfer<Command>,
): Order => ({ aggregate: aggregate as AnyAggregate, id, command });

/** Tells what is asked of a stream from what is asked of others. */
export const isOrder = <Call>(asked: Order | Call): asked is Order =>
  typeof asked === 'object' && asked !== null && 'aggregate' in asked;

/** What a stream answered: its state after a look or an accepted command. */
export interface Seen {
  readonly aggregate: AnyAggregate;
  readonly state: unknown;
  /** Whether the command recorded anything; else it was already so. */
  readonly news: boolean;
}

/** What came of an order. */
export type Answer = Seen | Rejection;

/** The state that was seen, if it is this aggregate's. */
export const stateOf = <State, Command, Event extends DomainEvent>(
  seen: Seen,
  aggregate: Aggregate<State, Command, Event>,
): State | undefined =>
  // An order's state comes from the very aggregate that it names.
  seen.aggregate === (aggregate as AnyAggregate) ? (seen.state as State) : undefined;

/**
 * A chain. Its view is what whoever runs it knows so far. `Call` is what it asks of others than streams (by its `call`), and
 * `Reply` their answer; chains that ask nobody else have neither.
 */
export interface Chain<View, Step extends { readonly do: string }, Rest, Call = never, Reply = never> {
  readonly name: string;
  /** The next missing step, or why there is none for now. */
  next(view: View): Step | Rest;
  /** What a step asks, and of whom. */
  order(view: View, step: Step): Order | Call;
  /** What is known after a step. */
  learn(view: View, step: Step, answer: Answer | Reply): View;
}

/** Tells a step from a reason to rest. */
export const isStep = <Step extends { readonly do: string }>(next: Step | unknown): next is Step =>
  typeof next === 'object' && next !== null && 'do' in next;
