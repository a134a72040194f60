import { type EventOf, type Personal, sealed } from '#domain/personal.ts';

/** What seals a message to support: its writer's key, which goes with the account, or one of its own where nobody was signed in. */
const keyOf = (data: { readonly supportId: number; readonly accountId?: string | null }): string =>
  data.accountId ?? `support-${data.supportId}`;

/** Events of `support-{id}`: a message is in the log before anybody is told of it. */
export const supportEvents = {
  SupportMessageReceived: sealed<{
    supportId: number;
    /** Who was signed in; missing in events of an earlier program. */
    accountId?: string | null;
    category: string;
    name: Personal<string>;
    email: Personal<string>;
    subject: Personal<string>;
    message: Personal<string>;
    /** The confirmation number as the person typed it. */
    booking: Personal<string>;
  }>(['name', 'email', 'subject', 'message', 'booking'], keyOf),
};
export type SupportEvent = EventOf<typeof supportEvents>;
