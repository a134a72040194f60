/**
 * Chains: processes over several streams, such as a purchase. There is no transaction across streams, so a chain goes step by step. Each
 * step asks one stream, or an outside system, for one thing, and a repeat of a step succeeds. Steps that don't depend on each other run
 * together, as a group. A chain that was stopped anywhere can be continued by any process, and by several at once; in the end it is
 * finished or undone. A chain is pure. `command-api/lane/run-chain.ts` runs it; `tests/kit/chains.ts` stops it after each of its steps.
 */
import type { Aggregate, AnyAggregate, DomainEvent, Rejection } from './decider.ts';

/** What a step asks of a stream: its present state (`look`), or to decide a command (`ask`). */
export interface Order {
  readonly aggregate: AnyAggregate;
  readonly id: string | number;
  /** Missing if only the state is asked for. */
  readonly command?: unknown;
}

/** An order for a stream's state. */
export const look = <State, Command, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>,
  id: string | number,
): Order => ({ aggregate: aggregate as AnyAggregate, id });

/** An order to decide a command. */
export const ask = <State, Command, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>,
  id: string | number,
  command: NoInfer<Command>,
): Order => ({ aggregate: aggregate as AnyAggregate, id, command });

/** Whether a step asks a stream, and not somebody outside. */
export const isOrder = <Call>(asked: Order | Call): asked is Order =>
  typeof asked === 'object' && asked !== null && 'aggregate' in asked;

/** The answer of a stream: its state, after an accepted command or without one. */
export interface Seen {
  readonly aggregate: AnyAggregate;
  readonly state: unknown;
  /** Whether the command recorded events. If not, it was so already. */
  readonly news: boolean;
}

/** The answer to an order. */
export type Answer = Seen | Rejection;

/** The state in an answer if it is this aggregate's; otherwise undefined. */
export const stateOf = <State, Command, Event extends DomainEvent>(
  seen: Seen,
  aggregate: Aggregate<State, Command, Event>,
): State | undefined =>
  // An answer's state always comes from the aggregate that it names.
  seen.aggregate === (aggregate as AnyAggregate) ? (seen.state as State) : undefined;

/**
 * A chain. `View` is what is known so far. `Call` is what it asks of somebody outside the streams, and `Reply` the answer; a chain that
 * asks only streams has neither.
 */
export interface Chain<View, Step extends { readonly do: string }, Rest, Call = never, Reply = never> {
  readonly name: string;
  /** The missing steps that can run now, together and in any order, or why there is none. */
  next(view: View): readonly Step[] | Rest;
  /** What a step asks for. */
  order(view: View, step: Step): Order | Call;
  /** The view after a step was answered. Of a group, all steps are answered first, and then learnt in the group's order. */
  learn(view: View, step: Step, answer: Answer | Reply): View;
}

/** Whether the result of `next` is a group of steps. */
export const areSteps = <Step, Rest>(next: readonly Step[] | Rest): next is readonly Step[] =>
  Array.isArray(next);
