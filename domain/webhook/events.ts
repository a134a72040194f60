import { defineEvent, type EventOf } from '#domain/kernel/event.ts';

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
export type WebhookType = (typeof HOOK_TYPES)[number];

export type StopReason = 'gone' | 'failing';

export interface WebhookFacts {
  readonly hookId: number;
  readonly url: string;
  readonly description: string;
  readonly types: readonly WebhookType[];
  readonly isActive: boolean;
}

export const webhookEvents = {
  HookAdded: defineEvent<WebhookFacts>()({ audit: ['create', 'webhook', 'Added'], work: false }),
  HookEdited: defineEvent<WebhookFacts>()({ audit: ['update', 'webhook', 'Edited'], work: false }),
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
export type WebhookEvent = EventOf<typeof webhookEvents>;
