import type { ClientBase, Pool } from 'pg';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { badParameter, SandboxError } from './errors.ts';
import { type Form, textAt, textsAt } from './form.ts';
import { type IntentRow, lockIntent, type Reply } from './intents.ts';
import { newId } from './new-id.ts';
import { announce } from './webhooks.ts';

export interface RefundRow {
  readonly id: string;
  readonly intent_id: string;
  readonly amount: number;
  readonly status: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly failure_reason: string | null;
  readonly settles_as: string | null;
  readonly created_at: Date;
}

export const refundBody = (row: RefundRow) => ({
  id: row.id,
  object: 'refund' as const,
  amount: row.amount,
  currency: 'gbp',
  payment_intent: row.intent_id,
  status: row.status,
  metadata: row.metadata,
  ...(row.failure_reason ? { failure_reason: row.failure_reason } : {}),
  created: Math.floor(row.created_at.getTime() / 1000),
});

const amountOf = (form: Form, left: number): number => {
  const given = textAt(form, 'amount');
  const amount = given === undefined ? left : Number(given);
  if (!Number.isInteger(amount) || amount < 1) throw badParameter('amount', 'Invalid positive integer');
  if (amount > left) {
    throw new SandboxError(400, {
      message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      param: 'amount',
    });
  }
  return amount;
};

const refundable = (intent: IntentRow): number => {
  if (intent.status !== 'succeeded') {
    throw new SandboxError(400, {
      code: 'charge_not_refundable',
      message: `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
    });
  }
  const left = intent.amount - intent.refunded;
  if (left > 0) return left;
  throw new SandboxError(400, {
    code: 'charge_already_refunded',
    message: 'This charge has already been refunded.',
  });
};

type NewRefund = Pick<RefundRow, 'id' | 'intent_id' | 'amount' | 'status' | 'metadata' | 'settles_as'> & {
  /** Milliseconds. */
  readonly settles_in?: number;
};

/** A repeat gives the refund stored before. */
export const storeRefund = async (
  client: ClientBase | Pool,
  { id, intent_id, amount, status, metadata, settles_as, settles_in = 0 }: NewRefund,
): Promise<RefundRow> => {
  const { rows } = await client.query<RefundRow>(
    `with made as (
       insert into app.sandbox_refund (id, intent_id, amount, status, metadata, settles_at, settles_as)
       values ($1, $2, $3, $4, $5, case when $6::text is null then null else now() + $7 * interval '1 millisecond' end, $6)
       on conflict (id) do nothing returning *),
     given as (update app.sandbox_intent i set refunded = refunded + made.amount from made where i.id = made.intent_id)
     select * from made union all select * from app.sandbox_refund where id = $1`,
    [id, intent_id, amount, status, JSON.stringify(metadata), settles_as, settles_in],
  );
  const [row] = rows;
  if (!row) throw new Error('the sandbox could not store a refund');
  return row;
};

export const createRefund = async (client: ClientBase, form: Form, settlesIn: number): Promise<Reply> => {
  const intent = await lockIntent(client, textAt(form, 'payment_intent') ?? '');
  const amount = amountOf(form, refundable(intent));
  const later = intent.card?.behaviour.refunds;
  const row = await storeRefund(client, {
    id: newId('re'),
    intent_id: intent.id,
    amount,
    status: later === 'later-success' ? 'pending' : 'succeeded',
    metadata: textsAt(form, 'metadata'),
    settles_as: later === undefined ? null : later === 'later-success' ? 'succeeded' : 'failed',
    settles_in: settlesIn,
  });
  const body = refundBody(row);
  await announce(client, 'refund.created', body);
  return { status: 200, body };
};

export const settleRefunds = (pool: Pool): Promise<number> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<RefundRow>(
      `update app.sandbox_refund set status = settles_as, settles_at = null,
         failure_reason = case when settles_as = 'failed' then 'expired_or_canceled_card' end
        where id in (select id from app.sandbox_refund where settles_at <= now() limit 50 for update skip locked)
       returning *`,
    );
    for (const row of rows) {
      if (row.status === 'failed') {
        await client.query('update app.sandbox_intent set refunded = refunded - $2 where id = $1', [
          row.intent_id,
          row.amount,
        ]);
      }
      await announce(client, row.status === 'failed' ? 'refund.failed' : 'refund.updated', refundBody(row));
    }
    return rows.length;
  });
