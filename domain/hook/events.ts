import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

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
  HookAdded: defineEvent<HookFacts>()({ audit: ['create', 'webhook', 'Added'], work: false }),
  HookEdited: defineEvent<HookFacts>()({ audit: ['update', 'webhook', 'Edited'], work: false }),
  /** It has a new secret; the former one is good for a while. */
  HookSecretRenewed: defineEvent<{ hookId: number }>()({
    audit: ['update', 'webhook', 'New secret'],
    work: false,
  }),
  HookStopped: defineEvent<{ hookId: number; why: StopReason }>()({
    audit: ['update', 'webhook', ({ why }) => (why === 'gone' ? 'Stopped: gone' : 'Stopped: failing')],
    work: false,
  }),
  HookRemoved: defineEvent<{ hookId: number }>()({ audit: ['delete', 'webhook', 'Deleted'], work: false }),
};
export type HookEvent = EventOf<typeof hookEvents>;
