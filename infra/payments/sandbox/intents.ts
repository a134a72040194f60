import type { ClientBase, Pool } from 'pg';
import { isSameSecret } from '#infra/lib/same-secret.ts';
import { type CardError, readCard, type UsedCard } from './cards.ts';
import { openDispute } from './disputes.ts';
import { badParameter, missing, SandboxError } from './errors.ts';
import { type Form, textAt, textsAt } from './form.ts';
import { newId } from './new-id.ts';
import { announce } from './webhooks.ts';

export interface Reply {
  readonly status: number;
  readonly body: object;
}

type Status = 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';

export interface IntentRow {
  readonly id: string;
  readonly client_secret: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: Status;
  readonly metadata: Readonly<Record<string, string>>;
  readonly card: UsedCard | null;
  readonly error: object | null;
  readonly next_action: object | null;
  readonly refunded: number;
  readonly cancellation_reason: string | null;
  readonly canceled_at: Date | null;
  readonly created_at: Date;
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);
export const intentBody = (row: IntentRow) => ({
  id: row.id,
  object: 'payment_intent' as const,
  amount: row.amount,
  amount_received: row.status === 'succeeded' ? row.amount : 0,
  currency: row.currency,
  client_secret: row.client_secret,
  status: row.status,
  metadata: row.metadata,
  last_payment_error: row.error,
  next_action: row.next_action,
  payment_method_types: ['card'],
  capture_method: 'automatic',
  confirmation_method: 'automatic',
  cancellation_reason: row.cancellation_reason,
  canceled_at: row.canceled_at ? seconds(row.canceled_at) : null,
  created: seconds(row.created_at),
  livemode: false,
});

/**
 * Locks it until the transaction ends.
 * @throws SandboxError if it does not exist
 */
export const lockIntent = async (client: ClientBase, id: string): Promise<IntentRow> => {
  const { rows } = await client.query<IntentRow>(
    'select * from app.sandbox_intent where id = $1 for update',
    [id],
  );
  const [row] = rows;
  if (!row) throw missing('payment_intent', id);
  return row;
};

export const findIntent = async (pool: Pool, id: string): Promise<IntentRow | undefined> =>
  (await pool.query<IntentRow>('select * from app.sandbox_intent where id = $1', [id])).rows[0];

type NewIntent = Pick<IntentRow, 'id' | 'client_secret' | 'amount' | 'status' | 'metadata' | 'card'> & {
  readonly created_at?: Date;
};

/** A repeat gives the intent stored before. */
export const storeIntent = async (
  client: ClientBase | Pool,
  { id, client_secret, amount, status, metadata, card, created_at }: NewIntent,
): Promise<IntentRow> => {
  const { rows } = await client.query<IntentRow>(
    `insert into app.sandbox_intent (id, client_secret, amount, currency, status, metadata, card, created_at)
     values ($1, $2, $3, 'gbp', $4, $5, $6, coalesce($7, now())) on conflict (id) do update set id = excluded.id returning *`,
    [id, client_secret, amount, status, JSON.stringify(metadata), card && JSON.stringify(card), created_at],
  );
  const [row] = rows;
  if (!row) throw new Error('the sandbox could not store an intent');
  return row;
};

const update = async (client: ClientBase, row: IntentRow, event: string): Promise<IntentRow> => {
  await client.query(
    `update app.sandbox_intent set status = $2, card = $3, error = $4, next_action = $5,
       cancellation_reason = $6, canceled_at = $7 where id = $1`,
    [
      row.id,
      row.status,
      row.card === null ? null : JSON.stringify(row.card),
      row.error === null ? null : JSON.stringify(row.error),
      row.next_action === null ? null : JSON.stringify(row.next_action),
      row.cancellation_reason,
      row.canceled_at,
    ],
  );
  await announce(client, `payment_intent.${event}`, intentBody(row));
  return row;
};

const SMALLEST = 30;
const LARGEST = 99_999_999;

export const createIntent = async (client: ClientBase, form: Form): Promise<Reply> => {
  const amount = Number(textAt(form, 'amount'));
  if (!Number.isInteger(amount)) throw badParameter('amount', 'Invalid integer: amount');
  if (amount < SMALLEST) {
    throw badParameter('amount', 'Amount must be at least £0.30 gbp', 'amount_too_small');
  }
  if (amount > LARGEST)
    throw badParameter('amount', 'Amount must be no more than £999,999.99', 'amount_too_large');
  const currency = textAt(form, 'currency')?.toLowerCase();
  if (currency !== 'gbp')
    throw badParameter('currency', 'The sandbox knows pounds only: gbp', 'parameter_invalid_string');
  const id = newId('pi');
  const client_secret = `${id}_secret_${newId('x').slice(2)}`;
  const metadata = textsAt(form, 'metadata');
  const status = 'requires_payment_method';
  const row = await storeIntent(client, { id, client_secret, amount, status, metadata, card: null });
  return { status: 200, body: intentBody(row) };
};

export const cancelIntent = async (client: ClientBase, id: string, form: Form): Promise<Reply> => {
  const row = await lockIntent(client, id);
  if (row.status === 'canceled' || row.status === 'succeeded') {
    throw new SandboxError(400, {
      code: 'payment_intent_unexpected_state',
      message: `You cannot cancel this PaymentIntent because it has a status of ${row.status}.`,
    });
  }
  const canceled: IntentRow = {
    ...row,
    status: 'canceled',
    next_action: null,
    cancellation_reason: textAt(form, 'cancellation_reason') ?? null,
    canceled_at: new Date(),
  };
  return { status: 200, body: intentBody(await update(client, canceled, 'canceled')) };
};

const demandSecret = (row: IntentRow, form: Form): void => {
  if (isSameSecret(textAt(form, 'client_secret'), row.client_secret)) return;
  throw badParameter(
    'client_secret',
    'The client_secret provided does not match any associated PaymentIntent on this account.',
    'resource_missing',
  );
};

const decline = async (client: ClientBase, row: IntentRow, error: CardError): Promise<Reply> => {
  const full = { type: 'card_error', ...error };
  const waiting: IntentRow = { ...row, status: 'requires_payment_method', next_action: null, error: full };
  const body = intentBody(await update(client, waiting, 'payment_failed'));
  return { status: 402, body: { error: { ...full, payment_intent: body } } };
};

const settle = async (client: ClientBase, row: IntentRow): Promise<Reply> => {
  const error = row.card?.behaviour.error;
  if (error) return decline(client, row, error);
  const paid: IntentRow = { ...row, status: 'succeeded', next_action: null, error: null };
  const body = intentBody(await update(client, paid, 'succeeded'));
  if (row.card?.behaviour.disputed) await openDispute(client, paid);
  return { status: 200, body };
};

const unexpected = (row: IntentRow): SandboxError =>
  new SandboxError(400, {
    code: 'payment_intent_unexpected_state',
    message: `This PaymentIntent's status is ${row.status}: it can't be confirmed.`,
  });

export const confirmIntent = async (
  client: ClientBase,
  id: string,
  form: Form,
  challengeUrl: string,
): Promise<Reply> => {
  const row = await lockIntent(client, id);
  demandSecret(row, form);
  if (row.status === 'succeeded' || row.status === 'canceled') throw unexpected(row);
  const typed = (name: string): string | undefined => textAt(form, 'payment_method_data', 'card', name);
  const card = readCard(
    { number: typed('number'), expMonth: typed('exp_month'), expYear: typed('exp_year'), cvc: typed('cvc') },
    new Date(),
  );
  if ('wrong' in card) return { status: 402, body: { error: { type: 'card_error', ...card.wrong } } };
  if (!card.behaviour.challenge) return settle(client, { ...row, card });
  const next_action = {
    type: 'redirect_to_url',
    redirect_to_url: { url: challengeUrl, return_url: textAt(form, 'return_url') ?? null },
  };
  const asked: IntentRow = { ...row, card, status: 'requires_action', next_action, error: null };
  return { status: 200, body: intentBody(await update(client, asked, 'requires_action')) };
};

/** The buyer's answer to the bank, for which the provider has pages of its own. */
export const answerChallenge = async (client: ClientBase, id: string, form: Form): Promise<Reply> => {
  const row = await lockIntent(client, id);
  demandSecret(row, form);
  if (row.status !== 'requires_action') throw unexpected(row);
  if (textAt(form, 'outcome') === 'complete') return settle(client, row);
  const reply = await decline(client, row, {
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  });
  return {
    status: 200,
    body:
      'error' in reply.body ? (reply.body.error as { payment_intent: object }).payment_intent : reply.body,
  };
};
