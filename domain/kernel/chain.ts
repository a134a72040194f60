/**
 * Chains: processes over several streams, such as a purchase. There is no transaction across streams, so a chain goes step by step. Each
 * step asks one stream, or an outside system, for one thing, and a repeat of a step succeeds. Steps that don't depend on each other run
 * together, as a group. A chain that was stopped anywhere can be continued by any process, and by several at once; in the end it is
 * finished or undone. A chain is pure. `command-api/lane/run-chain.ts` runs it; `tests/kit/chains.ts` stops it after each of its steps.
 */
import type { Aggregate, AnyAggregate, DomainEvent, Rejection } from './decider.ts';

export interface Order {
  readonly aggregate: AnyAggregate;
  readonly id: string | number;
  readonly command?: unknown;
}

export const look = <State, Command, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>,
  id: string | number,
): Order => ({ aggregate: aggregate as AnyAggregate, id });

export const ask = <State, Command, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>,
  id: string | number,
  command: NoInfer<Command>,
): Order => ({ aggregate: aggregate as AnyAggregate, id, command });

export const isOrder = <Call>(asked: Order | Call): asked is Order =>
  typeof asked === 'object' && asked !== null && 'aggregate' in asked;

export interface Seen {
  readonly aggregate: AnyAggregate;
  readonly state: unknown;
  /** Whether the command recorded events; false if it had no effect. */
  readonly news: boolean;
}

export type Answer = Seen | Rejection;

export const stateOf = <State, Command, Event extends DomainEvent>(
  seen: Seen,
  aggregate: Aggregate<State, Command, Event>,
): State | undefined =>
  // An answer's state always comes from the aggregate that it names.
  seen.aggregate === (aggregate as AnyAggregate) ? (seen.state as State) : undefined;

/**
 * `View`: what is known so far. `Call` and `Reply`: request to and answer of an external service; unused by
 * chains that only ask streams.
 */
export interface Chain<View, Step extends { readonly do: string }, Rest, Call = never, Reply = never> {
  readonly name: string;
  /** The missing steps that can run now, together and in any order, or why there is none. */
  next(view: View): readonly Step[] | Rest;
  order(view: View, step: Step): Order | Call;
  /** The view after a step was answered. Of a group, all steps are answered first, and then learnt in the group's order. */
  learn(view: View, step: Step, answer: Answer | Reply): View;
}

/** Whether the result of `next` is a group of steps. */
export const areSteps = <Step, Rest>(next: readonly Step[] | Rest): next is readonly Step[] =>
  Array.isArray(next);
