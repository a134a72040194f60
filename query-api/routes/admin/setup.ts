import { SETUP_STEPS, type SetupStep, setupCalls } from '#domain/contracts/admin-setup.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { presentAccounts } from '#query-api/queries/accounts.ts';
import { count } from '#query-api/queries/count.ts';
import { counted, type Found, found, scans, sendsMail, takesPayments } from '#query-api/queries/readiness.ts';

export const adminSetupRoutes = (
  app: App,
  context: Pick<QueryContext, 'db' | 'pool' | 'payments' | 'config'>,
): void => {
  const { db } = context;
  route(app, setupCalls.read, async () => {
    const listed = async (table: 'category' | 'city' | 'venue' | 'listing') => {
      const there = db.selectFrom(table).where('archived', '=', false);
      return (await there.select(count.as('count')).executeTakeFirstOrThrow()).count;
    };
    const [counts, logo, people, paid, mailed] = await Promise.all([
      Promise.all([listed('category'), listed('city'), listed('venue'), listed('listing')]),
      db.selectFrom('setting').where('key', '=', 'site_logo_url').select('value').executeTakeFirst(),
      presentAccounts(db)
        .where('a.role', 'in', ['staff', 'admin', 'superuser'])
        .where('a.is_active', '=', true)
        .select(count.as('count'))
        .executeTakeFirstOrThrow(),
      takesPayments(context),
      sendsMail(context),
    ]);
    const [categories, cities, venues, listings] = counts;
    const steps: Readonly<Record<SetupStep, Found>> = {
      categories: counted(categories, 'category', 'categories'),
      city: counted(cities, 'city', 'cities'),
      venue: counted(venues, 'venue', 'venues'),
      logo: logo ? found(true, 'Your own') : found(false, 'The one that the site brought'),
      payments: paid,
      mail: mailed,
      scanner: scans(context, people.count),
      event: counted(listings, 'event', 'events'),
    };
    return SETUP_STEPS.map((name) => ({ name, ...steps[name] }));
  });
};
