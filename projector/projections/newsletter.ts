import { typesOf } from '#domain/kernel/event.ts';
import { isErased } from '#domain/kernel/personal.ts';
import { type NewsletterEvent, newsletterEvents } from '#domain/newsletter/events.ts';
import { subscriberTable } from '#infra/read-models/tables.ts';
import type { DeclaredProjection, Projected } from '#projector/engine/projection.ts';

/** Erased addresses have no row; a rebuild reads erased values and creates none. */
const subscriberRows: Projected<typeof subscriberTable, NewsletterEvent> = {
  table: subscriberTable,
  types: typesOf(newsletterEvents),
  keys: ({ event }) => [event.data.subscription],
  fold: (row, { event, meta }) => {
    if (event.type === 'NewsletterErased') return undefined;
    if (event.type === 'NewsletterUnsubscribed') return row && { ...row, active: false };
    const { subscription: id, email, source } = event.data;
    return isErased(email) ? undefined : { id, email, source, active: true, subscribed_at: meta.at };
  },
};

export const newsletter: DeclaredProjection = { name: 'newsletter', fold: 1, tables: [subscriberRows] };
