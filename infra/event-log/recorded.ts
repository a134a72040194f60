/**
 * Events as the program sees them: opened, parsed, at their schema's newest version. `codec.ts` turns them into
 * the log's bytes and back.
 */
import type { DomainEvent } from '#domain/decider.ts';
import type { Personal } from '#domain/personal.ts';
import type { Position } from './event-log.ts';

/** A sealed value as it stands in the log: base64url bytes, and whose key of which version opens them. */
export interface Sealed {
  readonly $sealed: string;
  readonly key: number;
  readonly of: string;
}

/** Who did it. `id` is an account's; `ip` is the address that the request came from. */
export interface Actor {
  readonly kind: 'visitor' | 'user' | 'system';
  readonly id?: string;
  readonly role?: string;
  /** Plain on its way in; sealed on its way out unless the reader asked to have it opened. */
  readonly ip?: Personal<string> | Sealed;
}

/** Why, when and by whom: what a caller hands in with each command, and what stands in an event's `meta`. */
export interface Context {
  /** Of the command. Event ids derive from it, and a lost reply is found by it. */
  readonly commandId: string;
  readonly actor: Actor;
  /** The command's time, ISO 8601 in UTC. */
  readonly at: string;
  /** Shared by everything that one request (or one webhook, or one job's chain) set off. */
  readonly correlationId: string;
  /** The event that made us do this, if one did. */
  readonly causationId?: string;
}

/** The meta of a recorded event. */
export type Meta = Context;

/** An event with its place in the log. */
export interface Recorded<Event extends DomainEvent = DomainEvent> {
  /** `type` and opened, upcast `data`. */
  readonly event: Event;
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  /** When the log took it, ISO 8601 in UTC. */
  readonly recordedAt: string;
  readonly meta: Meta;
}
