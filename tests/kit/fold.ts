import type { Decider, DomainEvent } from '#domain/kernel/decider.ts';

/** Folds events into a state. For all of them `at` is when they happened, an ISO instant. */
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
