import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import type { Personal } from '#domain/kernel/personal.ts';

/** Keys of signed-out visitors' messages; destroyed after two years. */
export const SUPPORT_KEYS = 'support-';

const keyOf = (data: { readonly supportId: number; readonly accountId?: string | null }): string =>
  data.accountId ?? `${SUPPORT_KEYS}${data.supportId}`;

/** Stream `support-{id}`. Logged before it is mailed. */
export const supportEvents = {
  SupportMessageReceived: defineEvent<{
    supportId: number;
    /** Missing in older events. */
    accountId?: string | null;
    category: string;
    name: Personal<string>;
    email: Personal<string>;
    subject: Personal<string>;
    message: Personal<string>;
    booking: Personal<string>;
  }>()({
    sealed: ['name', 'email', 'subject', 'message', 'booking'],
    person: keyOf,
    audit: null,
    work: true,
  }),
};
export type SupportEvent = EventOf<typeof supportEvents>;
