import { expect } from 'vitest';
import type { Decider, Decision, DomainEvent, Rejection } from '#domain/kernel/decider.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { fold } from './fold.ts';

/** The result of a command, to be compared with what the rule says. */
export interface Then<State, Event extends DomainEvent> {
  /** Exactly these events, or this refusal with its details. */
  then(expected: readonly Event[] | Rejection): void;
  /** Success without an event: it is so already. */
  thenNothing(): void;
  /** Refused with this code, with any details. */
  thenRejected(code: ErrorCode): void;
  /** Not refused, with any events. */
  thenNotRejected(): void;
  /** The state after the new events. @throws if the command was refused */
  readonly state: State;
  readonly decision: Decision<Event>;
}

/**
 * Tests a rule: given these events, when this command is given, then this is the result. For specs only.
 *
 * @example given(booking, [placed]).when(cancel).then([cancelled])
 */
export const given = <State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  history: readonly Event[],
) => ({
  when(command: Command): Then<State, Event> {
    const before = fold(decider, history);
    const decision = decider.decide(before, command);
    return {
      decision,
      get state() {
        if ('rejected' in decision) throw new Error(`refused: ${decision.rejected}`);
        return fold(decider, decision, before);
      },
      // biome-ignore lint/suspicious/noThenProperty: it is the last part of given, when, then; nobody awaits it
      then: (expected) => expect(decision).toEqual(expected),
      thenNothing: () => expect(decision).toEqual([]),
      thenNotRejected: () => expect(decision).not.toHaveProperty('rejected'),
      thenRejected: (code) => expect(decision).toMatchObject({ rejected: code }),
    };
  },
});
