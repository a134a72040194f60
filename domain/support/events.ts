import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import type { Personal } from '#domain/kernel/personal.ts';

/** How the names of the keys of messages by nobody who was signed in begin. They are destroyed after two years. */
export const SUPPORT_KEYS = 'support-';

/** The key that seals a message: the account's, which is destroyed with it, or a key of its own if nobody was signed in. */
const keyOf = (data: { readonly supportId: number; readonly accountId?: string | null }): string =>
  data.accountId ?? `${SUPPORT_KEYS}${data.supportId}`;

/** The events of `support-{id}`. A message is in the log before it is mailed to anybody. */
export const supportEvents = {
  SupportMessageReceived: defineEvent<{
    supportId: number;
    /** The account that was signed in. Missing in older events. */
    accountId?: string | null;
    category: string;
    name: Personal<string>;
    email: Personal<string>;
    subject: Personal<string>;
    message: Personal<string>;
    /** The booking's reference, as the person typed it. */
    booking: Personal<string>;
  }>()({
    sealed: ['name', 'email', 'subject', 'message', 'booking'],
    person: keyOf,
    audit: null,
    work: true,
  }),
};
export type SupportEvent = EventOf<typeof supportEvents>;
