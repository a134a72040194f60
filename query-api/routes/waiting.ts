import { waitingCalls } from '#domain/contracts/waiting.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';

export const waitingRoutes = (app: App, { db, clock }: QueryContext): void => {
  route(app, waitingCalls.list, async ({ principal }) => {
    const rows = await db
      .selectFrom('waiter as w')
      .innerJoin('listing as l', 'l.id', 'w.listing_id')
      .innerJoin('venue as v', 'v.id', 'l.venue_id')
      .select(['l.id', 'l.title', 'v.name as venue', 'l.date', 'l.time', 'w.since'])
      .where('w.user_id', '=', principal.accountId)
      .where('l.starts_at', '>', clock().toISOString())
      .where('l.archived', '=', false)
      .orderBy('w.since')
      .execute();
    return rows.map(({ id: eventId, ...row }) => ({ eventId, ...row }));
  });

  route(app, waitingCalls.counts, async () => {
    const rows = await db
      .selectFrom('waiter as w')
      .innerJoin('listing as l', 'l.id', 'w.listing_id')
      .innerJoin('account as a', 'a.id', 'w.user_id')
      .select(({ fn }) => ['l.id', fn.countAll<string>().as('waiting')])
      .where('l.starts_at', '>', clock().toISOString())
      .where('l.archived', '=', false)
      // Accounts that can't sign in lose their place when their turn comes.
      .where('a.is_active', '=', true)
      .where('a.deleted_at', 'is', null)
      .where('a.erased_at', 'is', null)
      .groupBy('l.id')
      .execute();
    return rows.map(({ id, waiting }) => ({ eventId: id, waiting: Number(waiting) }));
  });
};
