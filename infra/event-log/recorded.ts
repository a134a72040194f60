import type { DomainEvent } from '#domain/kernel/decider.ts';
import type { Personal } from '#domain/kernel/personal.ts';
import type { Position } from './event-log.ts';

export interface Sealed {
  readonly $sealed: string;
  readonly key: number;
  readonly of: string;
}

export interface Actor {
  readonly kind: 'visitor' | 'user' | 'system';
  readonly id?: string;
  readonly role?: string;
  /** Plain in a command; sealed when read, unless the reader asks to open it. */
  readonly ip?: Personal<string> | Sealed;
}

export interface Context {
  /** Event ids derive from it, and a lost reply's events are found by it. */
  readonly commandId: string;
  readonly actor: Actor;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly correlationId: string;
  readonly causationId?: string;
}

export interface Recorded<Event extends DomainEvent = DomainEvent> {
  readonly event: Event;
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly recordedAt: string;
  readonly meta: Context;
}
