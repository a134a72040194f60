/**
 * Events as deciders, folds and readers see them: parsed, their personal fields opened, at the newest version of their schema.
 * `codec.ts` turns them into the log's bytes and back.
 */
import type { DomainEvent } from '#domain/kernel/decider.ts';
import type { Personal } from '#domain/kernel/personal.ts';
import type { Position } from './event-log.ts';

/** A sealed value in the log: its bytes in base64url, and the version (`key`) and the owner (`of`) of the key that opens it. */
export interface Sealed {
  readonly $sealed: string;
  readonly key: number;
  readonly of: string;
}

/** Who gave a command. `id` is the account's, `ip` the address of the request. */
export interface Actor {
  readonly kind: 'visitor' | 'user' | 'system';
  readonly id?: string;
  readonly role?: string;
  /** Plain in a command. Sealed in what is read, unless the reader asked for it to be opened. */
  readonly ip?: Personal<string> | Sealed;
}

/** By whom, when and why a command was given. Callers pass it with each command; each of its events has it as `meta`. */
export interface Context {
  /** The command's id. Ids of events derive from it; after a lost reply the command's events are found by it. */
  readonly commandId: string;
  readonly actor: Actor;
  /** When the command was given, ISO 8601 in UTC. */
  readonly at: string;
  /** The same for all commands that follow from one request, one webhook or one job. */
  readonly correlationId: string;
  /** The id of the event that this command reacts to, if there is one. */
  readonly causationId?: string;
}

/** An event with its place in the log. */
export interface Recorded<Event extends DomainEvent = DomainEvent> {
  /** Its type and its data. */
  readonly event: Event;
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** When the log appended it, ISO 8601 in UTC. */
  readonly recordedAt: string;
  readonly meta: Context;
}
