import type { CommandDeps } from '#command-api/deps/deps.ts';
import { addJobs, type NewJob } from '#command-api/jobs/jobs.ts';
import { allocateAttempt, type Opened, openCheckout } from '#command-api/purchase/open-checkout.ts';
import type { Purchases } from '#command-api/purchase/purchases.ts';
import { demandBuyer } from '#command-api/routes/buyer.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { type PaymentIntent, paymentCalls } from '#domain/contracts/payments.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { Notice, PaymentGateway } from '#infra/payments/gateway.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';

export type PaymentRouteDeps = Pick<
  CommandDeps,
  'handler' | 'ids' | 'sessions' | 'clock' | 'replies' | 'database'
> & {
  readonly purchases: Purchases;
  readonly gateway: PaymentGateway;
  wake(): void;
};

/** Milliseconds; the buyer's own call comes first. */
const OWN_CALL_FIRST = 1_500;

const toAnswer = ({ attempt: { quote, intent, until }, clientSecret }: Opened): PaymentIntent => ({
  clientSecret,
  paymentIntentId: intent?.intentId ?? null,
  amount: toDecimal(quote.total),
  currency: 'gbp',
  heldUntil: until,
  quote: {
    unitPrice: toDecimal(quote.unitPrice),
    quantity: quote.quantity,
    discount: toDecimal(quote.discount),
    total: toDecimal(quote.total),
    promoCode: quote.promotion?.code ?? null,
  },
});

/** The job fetches the object from the provider: the webhook's content is not trusted. */
const jobOf = ({ id, about }: Notice, now: Date): NewJob | undefined => {
  if (about.kind === 'intent') {
    const { intentId } = about;
    const dueAt = new Date(now.getTime() + OWN_CALL_FIRST);
    return { id: `webhook:${id}`, kind: 'intent', subject: intentId, payload: { intentId }, dueAt };
  }
  if (about.kind === 'other' || about.intentId === null) return undefined;
  const { intentId } = about;
  const kind = about.kind === 'dispute' ? 'dispute' : 'provider-refund';
  return { id: `webhook:${id}`, kind, subject: intentId, payload: { intentId }, dueAt: now };
};

const objectOf = (about: Notice['about']): string | null => {
  if (about.kind === 'intent') return about.intentId;
  if (about.kind === 'refund') return about.refundId;
  return about.kind === 'dispute' ? about.disputeId : null;
};

export const paymentRoutes = (app: App, deps: PaymentRouteDeps): void => {
  const { clock, gateway, purchases } = deps;
  const change = changesOn(app, deps);

  change(
    paymentCalls.createIntent,
    async ({ principal, body }, { acting, ids }) => {
      const { accountId } = await demandBuyer(principal, deps);
      const { eventId, promoCode, ...asked } = body;
      const wanted = { ...asked, listingId: eventId, promoCode: promoCode ?? null };
      return toAnswer(await openCheckout(purchases, accountId, wanted, ids, acting));
    },
    () => allocateAttempt(deps.ids),
  );

  route(app, paymentCalls.webhook, async ({ headers, rawBody }) => {
    const signature = headers['stripe-signature'];
    const notice =
      rawBody && typeof signature === 'string' ? gateway.verifyWebhook(rawBody, signature) : undefined;
    if (!notice) throw new Refusal('BAD_INPUT', {}, { message: 'The signature does not fit.' });
    const { id, type, about } = notice;
    const job = jobOf(notice, clock());
    const news = await inTransaction(deps.database.pool, async (client) => {
      const { rowCount } = await client.query(
        'insert into app.webhook (id, type, object_id) values ($1, $2, $3) on conflict (id) do nothing',
        [id, type, objectOf(about)],
      );
      if (rowCount === 1 && job) await addJobs(client, [job]);
      return rowCount === 1;
    });
    if (news) deps.wake();
    return { received: true as const };
  });
};
