/**
 * Processes over several streams, such as a purchase. There is no transaction across streams, so each step asks
 * one stream, or an outside system, for one thing, and can be repeated. Independent steps run together. Any
 * program can continue an interrupted process until it is finished or undone.
 * `command-api/commands/run-process.ts` runs it.
 */
import type { Aggregate, AnyAggregate, DomainEvent, Rejection } from './decider.ts';

export interface StreamRequest {
  readonly aggregate: AnyAggregate;
  readonly id: string | number;
  readonly command?: unknown;
}

export const load = <State, Command, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>,
  id: string | number,
): StreamRequest => ({ aggregate: aggregate as AnyAggregate, id });

export const decide = <State, Command, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>,
  id: string | number,
  command: NoInfer<Command>,
): StreamRequest => ({ aggregate: aggregate as AnyAggregate, id, command });

export const isStreamRequest = <Call>(asked: StreamRequest | Call): asked is StreamRequest =>
  typeof asked === 'object' && asked !== null && 'aggregate' in asked;

export interface Seen {
  readonly aggregate: AnyAggregate;
  readonly state: unknown;
  /** The command recorded events. */
  readonly news: boolean;
}

export type Answer = Seen | Rejection;

export const stateOf = <State, Command, Event extends DomainEvent>(
  seen: Seen,
  aggregate: Aggregate<State, Command, Event>,
): State | undefined =>
  // An answer's state is always from the aggregate that it names.
  seen.aggregate === (aggregate as AnyAggregate) ? (seen.state as State) : undefined;

/** `Call` and `Reply`: request to and answer of an outside system. */
export interface ProcessManager<
  View,
  Step extends { readonly do: string },
  Rest,
  Call = never,
  Reply = never,
> {
  readonly name: string;
  /** Missing steps that can run now, in any order, or the reason for none. */
  next(view: View): readonly Step[] | Rest;
  request(view: View, step: Step): StreamRequest | Call;
  /** The answers of a group are applied in its order, once all are there. */
  apply(view: View, step: Step, answer: Answer | Reply): View;
}

export const areSteps = <Step, Rest>(next: readonly Step[] | Rest): next is readonly Step[] =>
  Array.isArray(next);
