import { type EventOf, plain } from '#domain/kernel/personal.ts';

/** What a hook can be told of, by the names that organisers' systems know. */
export const HOOK_TYPES = [
  'booking.placed',
  'booking.cancelled',
  'booking.reinstated',
  'booking.refunded',
  'ticket.reissued',
  'ticket.admitted',
  'ticket.refused',
  'ticket.undone',
  'event.created',
  'event.edited',
  'event.rescheduled',
  'event.activated',
  'event.deactivated',
  'event.capacity_changed',
  'event.sales_closed',
  'event.deleted',
] as const;
export type HookType = (typeof HOOK_TYPES)[number];

/** Why the site stopped a hook by itself: its system said that it is gone, or none of its answers was good for days. */
export type StopReason = 'gone' | 'failing';

/** A system of an organiser that is told what happens. Its secret is in no event. */
export interface HookFacts {
  readonly hookId: number;
  readonly url: string;
  readonly description: string;
  readonly types: readonly HookType[];
  readonly isActive: boolean;
}

/** The events of `hook-all`. */
export const hookEvents = {
  HookAdded: plain<HookFacts>(),
  HookEdited: plain<HookFacts>(),
  /** It has a new secret; the former one is good for a while. */
  HookSecretRenewed: plain<{ hookId: number }>(),
  HookStopped: plain<{ hookId: number; why: StopReason }>(),
  HookRemoved: plain<{ hookId: number }>(),
};
export type HookEvent = EventOf<typeof hookEvents>;
