import { SETUP_STEPS, type SetupStep, setupCalls } from '#domain/contracts/admin-setup.ts';
import { isLoopback } from '#infra/config.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { oldestMail } from '#infra/mail/outbox.ts';
import type { QueryContext } from '#query-api/context.ts';
import { presentAccounts } from '#query-api/queries/accounts.ts';
import { count } from '#query-api/queries/count.ts';

/** A mail that has waited for so many seconds means that mail is down. */
const LATE = 600;

interface Found {
  readonly ready: boolean;
  readonly detail: string;
}
const found = (ready: boolean, detail: string): Found => ({ ready, detail });
const counted = (count: number, one: string, many: string): Found =>
  found(
    count > 0,
    count === 1 ? `1 ${one}` : `${count === 0 ? 'No' : count} ${many}${count === 0 ? ' yet' : ''}`,
  );

/** Whether the site has what it needs to sell: its catalogue, payments, mail and the door. */
export const adminSetupRoutes = (
  app: App,
  { db, pool, payments, config }: Pick<QueryContext, 'db' | 'pool' | 'payments' | 'config'>,
): void => {
  const takesPayments = async (): Promise<Found> => {
    if (payments.testPayments)
      return found(
        false,
        payments.mode === 'stripe'
          ? 'Test payments: no real money moves. STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are test keys'
          : 'Test payments: no real money moves. Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET',
      );
    const { rows } = await pool.query<{ reason: string }>(
      `select coalesce(last_error, '') as reason from app.job where kind = 'reconcile' and tries > 0`,
    );
    return rows[0]
      ? found(false, `Stripe doesn’t answer: ${rows[0].reason}`)
      : found(true, 'Cards are charged by Stripe');
  };

  const sendsMail = async (): Promise<Found> => {
    if (!config.mail.smtpUrl) return found(false, 'Mails are only written to files. Set SMTP_URL');
    const waits = await oldestMail(pool);
    return waits > LATE
      ? found(false, `A mail has waited for ${Math.round(waits / 60)} minutes`)
      : found(true, `Mails are sent as ${config.mail.from}`);
  };

  const scans = (people: number): Found => {
    const { protocol, hostname } = new URL(config.baseUrl);
    if (protocol !== 'https:' && !isLoopback(hostname))
      return found(false, 'Browsers open cameras only over https: set BASE_URL to such an address');
    return counted(people, 'person may scan', 'people may scan');
  };

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
      takesPayments(),
      sendsMail(),
    ]);
    const [categories, cities, venues, listings] = counts;
    const steps: Readonly<Record<SetupStep, Found>> = {
      categories: counted(categories, 'category', 'categories'),
      city: counted(cities, 'city', 'cities'),
      venue: counted(venues, 'venue', 'venues'),
      logo: logo ? found(true, 'Your own') : found(false, 'The one that the site brought'),
      payments: paid,
      mail: mailed,
      scanner: scans(people.count),
      event: counted(listings, 'event', 'events'),
    };
    return SETUP_STEPS.map((name) => ({ name, ...steps[name] }));
  });
};
