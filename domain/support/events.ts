import { type EventOf, type Personal, sealed } from '#domain/personal.ts';

/** Whose key seals a message to support: each has one of its own, since whoever wrote it may have no account. */
export const supportKey = (supportId: number): string => `support-${supportId}`;

/** Events of `support-{id}`: a message is in the log before anybody is told of it. */
export const supportEvents = {
  SupportMessageReceived: sealed<{
    supportId: number;
    category: string;
    name: Personal<string>;
    email: Personal<string>;
    subject: Personal<string>;
    message: Personal<string>;
    /** The confirmation number as the person typed it. */
    booking: Personal<string>;
  }>(['name', 'email', 'subject', 'message', 'booking'], (data) => supportKey(data.supportId)),
};
export type SupportEvent = EventOf<typeof supportEvents>;
