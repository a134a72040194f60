import { isLoopback } from '#infra/config/config.ts';
import { MAIL_IS_DOWN, oldestMail } from '#infra/mail/outbox.ts';
import type { QueryContext } from '#query-api/context/context.ts';

export interface Found {
  readonly ready: boolean;
  readonly detail: string;
}
export const found = (ready: boolean, detail: string): Found => ({ ready, detail });

export const counted = (count: number, one: string, many: string): Found =>
  found(
    count > 0,
    count === 1 ? `1 ${one}` : `${count === 0 ? 'No' : count} ${many}${count === 0 ? ' yet' : ''}`,
  );

export const takesPayments = async ({
  payments,
  pool,
}: Pick<QueryContext, 'payments' | 'pool'>): Promise<Found> => {
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

export const sendsMail = async ({ config, pool }: Pick<QueryContext, 'config' | 'pool'>): Promise<Found> => {
  if (!config.mail.smtpUrl) return found(false, 'Mails are only written to files. Set SMTP_URL');
  const waits = await oldestMail(pool);
  return waits > MAIL_IS_DOWN
    ? found(false, `A mail has waited for ${Math.round(waits / 60)} minutes`)
    : found(true, `Mails are sent as ${config.mail.from}`);
};

export const scans = ({ config }: Pick<QueryContext, 'config'>, people: number): Found => {
  const { protocol, hostname } = new URL(config.baseUrl);
  if (protocol !== 'https:' && !isLoopback(hostname))
    return found(false, 'Browsers open cameras only over https: set BASE_URL to such an address');
  return counted(people, 'person may scan', 'people may scan');
};
