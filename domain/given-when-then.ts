import { expect } from 'vitest';
import { type Decider, type Decision, type DomainEvent, fold, type Rejection } from './decider.ts';
import type { ErrorCode } from './errors.ts';

/** What a command came to, to be held against what the rule says. */
export interface Then<State, Event extends DomainEvent> {
  /** Exactly these events, or this refusal with its details. */
  then(expected: readonly Event[] | Rejection): void;
  /** It is already so: success, and nothing is recorded. */
  thenNothing(): void;
  /** Refused with this code, whatever the details. */
  thenRejected(code: ErrorCode): void;
  /** Something is recorded, whatever it is. */
  thenNotRejected(): void;
  /** For questions: the state with the new events folded in. Fails where the command was refused. */
  readonly state: State;
  readonly decision: Decision<Event>;
}

/**
 * Reads like the rule: given what happened, when this is asked, then that comes of it. For specs only.
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
      // biome-ignore lint/suspicious/noThenProperty: the last word of given, when, then; nobody awaits it
      then: (expected) => expect(decision).toEqual(expected),
      thenNothing: () => expect(decision).toEqual([]),
      thenNotRejected: () => expect(decision).not.toHaveProperty('rejected'),
      thenRejected: (code) => expect(decision).toMatchObject({ rejected: code }),
    };
  },
});
