/**
 * The payment sandbox: the used part of the provider's REST API under `/sandbox/stripe/v1`. Any number of
 * processes can serve it. Browsers post forms to:
 * - `…/payment_intents/{id}/confirm` with `key` (publishable), `client_secret`,
 *   `payment_method_data[type]=card` and `payment_method_data[card][number|exp_month|exp_year|cvc]`. 200 with
 *   the intent: `succeeded`, or `requires_action` with `next_action`; 402 with
 *   `{ error: { message, code, decline_code } }`.
 * - `next_action.redirect_to_url.url` with `client_secret` and `outcome=complete|fail`, in place of the bank's
 *   page. 200 with the intent: `succeeded`, or `requires_payment_method` with `last_payment_error`.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ClientBase, Pool } from 'pg';
import { toRefusal } from '#infra/http/errors.ts';
import { every, type Recurring } from '#infra/lib/every.ts';
import { isSameSecret } from '#infra/lib/same-secret.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { type SandboxAccount, sandboxAccount } from './account.ts';
import { answerDispute, type DisputeRow, disputeBody } from './disputes.ts';
import { badParameter, missing, SandboxError, unauthorized } from './errors.ts';
import { type Form, parseForm, textAt } from './form.ts';
import {
  answerChallenge,
  cancelIntent,
  confirmIntent,
  createIntent,
  findIntent,
  type IntentRow,
  intentBody,
  type Reply,
} from './intents.ts';
import { createRefund, type RefundRow, refundBody, settleRefunds } from './refunds.ts';
import { deliverWebhooks } from './webhooks.ts';

export const SANDBOX_PATH = '/sandbox/stripe';

export interface SandboxOptions {
  readonly pool: Pool;
  webhookUrl(): string;
  readonly production: boolean;
  readonly wanted: boolean;
  readonly refundsSettleIn?: number;
  readonly every?: number;
  onError?(error: unknown): void;
}

const PUBLIC = { config: { capability: 'play-provider', csrf: 'exempt', session: 'ignored' } } as const;
const BODY_LIMIT = 16 * 1024;
/** Milliseconds. Answers are kept for a day, as the provider does. */
const SWEEP_EVERY = 3_600_000;

const bearer = (request: FastifyRequest): string | undefined => {
  const header = request.headers.authorization ?? '';
  if (header.startsWith('Bearer ')) return header.slice('Bearer '.length);
  return header.startsWith('Basic ')
    ? Buffer.from(header.slice(6), 'base64').toString().split(':')[0]
    : undefined;
};

const bodyOf = (request: FastifyRequest): Form => (request.body as Form | undefined) ?? {};
const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;
const queryOf = (request: FastifyRequest): Form => parseForm(request.url.split('?')[1] ?? '');

/**
 * Makes a change once per idempotency key, with its answer in the same transaction
 * (https://docs.stripe.com/api/idempotent_requests).
 * @param caller separates browsers' keys from the site's guessable ones, so that a browser can't claim a
 * refund's key in advance
 */
const once = (
  pool: Pool,
  request: FastifyRequest,
  caller: 'site' | 'browser',
  change: (client: ClientBase) => Promise<Reply>,
): Promise<Reply> =>
  inTransaction(pool, async (client) => {
    const given = request.headers['idempotency-key'];
    if (typeof given !== 'string') return change(client);
    const key = caller === 'site' ? given : `browser ${given}`;
    const print = createHash('sha256')
      .update(`${request.url}\n${JSON.stringify(bodyOf(request))}`)
      .digest('hex');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
    const { rows } = await client.query<{ request: string; status: number; body: object }>(
      'select request, status, body from app.sandbox_reply where key = $1',
      [key],
    );
    const [known] = rows;
    if (known && known.request !== print) {
      throw new SandboxError(400, {
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      });
    }
    if (known) return known;
    const reply = await change(client);
    await client.query('insert into app.sandbox_reply (key, request, status, body) values ($1, $2, $3, $4)', [
      key,
      print,
      reply.status,
      JSON.stringify(reply.body),
    ]);
    return reply;
  });

const MOST_A_PAGE = 100;

const wholeAt = (query: Form, ...path: readonly string[]): number | undefined => {
  const text = textAt(query, ...path);
  if (text === undefined) return undefined;
  if (!/^\d{1,12}$/.test(text)) throw badParameter(path.join('.'), `Invalid integer: ${path.join('.')}`);
  return Number(text);
};

const page = async <Row extends { id: string }>(
  pool: Pool,
  table: 'sandbox_intent' | 'sandbox_refund' | 'sandbox_dispute',
  query: Form,
  match: { column: 'intent_id'; value: string | undefined } | undefined,
): Promise<{ rows: Row[]; more: boolean }> => {
  const limit = Math.min(wholeAt(query, 'limit') || 10, MOST_A_PAGE);
  const values: unknown[] = [
    limit + 1,
    textAt(query, 'starting_after') ?? null,
    wholeAt(query, 'created', 'gte') ?? null,
  ];
  const where = match?.value === undefined ? '' : `and ${match.column} = $${values.push(match.value)}`;
  const { rows } = await pool.query<Row>(
    `select * from app.${table}
      where ($2::text is null or seq < (select seq from app.${table} where id = $2))
        and ($3::bigint is null or created_at >= to_timestamp($3::bigint)) ${where}
      order by seq desc limit $1`,
    values,
  );
  return { rows: rows.slice(0, limit), more: rows.length > limit };
};

const findRefund = async (pool: Pool, id: string): Promise<RefundRow | undefined> =>
  (await pool.query<RefundRow>('select * from app.sandbox_refund where id = $1', [id])).rows[0];

const list = (url: string, data: readonly object[], has_more: boolean) => ({
  object: 'list',
  url,
  data,
  has_more,
});

/** @throws in production, unless PAYMENTS names the sandbox */
export const sandboxPlugin = async (app: FastifyInstance, options: SandboxOptions): Promise<void> => {
  if (options.production && !options.wanted) {
    throw new Error('the payment sandbox refuses to run in production unless PAYMENTS=sandbox');
  }
  const { pool } = options;
  const account = await sandboxAccount(pool);
  await app.register(async (scope) => routes(scope, options, account), { prefix: `${SANDBOX_PATH}/v1` });

  let stopped = false;
  let swept = 0;
  const work = async (): Promise<void> => {
    await settleRefunds(pool);
    if (Date.now() - swept > SWEEP_EVERY) {
      swept = Date.now();
      await pool.query(`delete from app.sandbox_reply where created_at < now() - interval '24 hours'`);
    }
    while (!stopped && (await deliverWebhooks(pool, options.webhookUrl(), account.webhookSecret)) > 0);
  };
  let working: Recurring | undefined;
  app.addHook('onListen', async () => {
    working = every(options.every ?? 250, work, (error) => options.onError?.(error));
  });
  app.addHook('preClose', async () => {
    stopped = true;
    await working?.stop();
  });
};

const routes = (app: FastifyInstance, options: SandboxOptions, account: SandboxAccount): void => {
  const { pool } = options;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    (_request, body, done) => {
      const text = String(body);
      // PostgreSQL can't store NUL, and the provider refuses it.
      if (text.includes('%00') || text.includes('\0')) return done(badParameter('body', 'Invalid string'));
      done(null, parseForm(text));
    },
  );
  // Without a body the client sends an empty one with a length.
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    payload.on('end', () => done(null, {}));
  });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof SandboxError) return reply.code(error.status).send(error.body);
    const { status } = toRefusal(error);
    if (status >= 500) options.onError?.(error);
    const message = status >= 500 ? 'The sandbox has a fault.' : String((error as Error).message);
    const type = status >= 500 ? 'api_error' : 'invalid_request_error';
    return reply.code(status).send({ error: { type, message } });
  });

  const demandSecret = (request: FastifyRequest): void => {
    if (!isSameSecret(bearer(request), account.secretKey)) throw unauthorized('Invalid API Key provided.');
  };
  const demandPublishable = (request: FastifyRequest): void => {
    const key = bearer(request) ?? textAt(bodyOf(request), 'key');
    if (!isSameSecret(key, account.publishableKey) && !isSameSecret(key, account.secretKey))
      throw unauthorized('Invalid API Key provided.');
  };
  const send = (reply: FastifyReply, { status, body }: Reply) => reply.code(status).send(body);
  const secretly = (
    url: string,
    change: (client: ClientBase, request: FastifyRequest) => Promise<Reply>,
  ): void => {
    app.post(url, PUBLIC, async (request, reply) => {
      demandSecret(request);
      return send(reply, await once(pool, request, 'site', (client) => change(client, request)));
    });
  };

  secretly('/payment_intents', (client, request) => createIntent(client, bodyOf(request)));
  secretly('/payment_intents/:id/cancel', (client, request) =>
    cancelIntent(client, idOf(request), bodyOf(request)),
  );
  secretly('/refunds', (client, request) =>
    createRefund(client, bodyOf(request), options.refundsSettleIn ?? 3_000),
  );

  secretly('/disputes/:id', (client, request) => answerDispute(client, idOf(request), bodyOf(request)));

  app.get('/payment_intents', PUBLIC, async (request) => {
    demandSecret(request);
    const { rows, more } = await page<IntentRow>(pool, 'sandbox_intent', queryOf(request), undefined);
    return list('/v1/payment_intents', rows.map(intentBody), more);
  });
  app.get('/payment_intents/:id', PUBLIC, async (request) => {
    demandSecret(request);
    const row = await findIntent(pool, idOf(request));
    if (!row) throw missing('payment_intent', idOf(request));
    return intentBody(row);
  });
  app.get('/refunds', PUBLIC, async (request) => {
    demandSecret(request);
    const query = queryOf(request);
    const match = { column: 'intent_id', value: textAt(query, 'payment_intent') } as const;
    const { rows, more } = await page<RefundRow>(pool, 'sandbox_refund', query, match);
    return list('/v1/refunds', rows.map(refundBody), more);
  });
  app.get('/disputes', PUBLIC, async (request) => {
    demandSecret(request);
    const query = queryOf(request);
    const match = { column: 'intent_id', value: textAt(query, 'payment_intent') } as const;
    const { rows, more } = await page<DisputeRow>(pool, 'sandbox_dispute', query, match);
    return list('/v1/disputes', rows.map(disputeBody), more);
  });
  app.get('/refunds/:id', PUBLIC, async (request) => {
    demandSecret(request);
    const row = await findRefund(pool, idOf(request));
    if (!row) throw missing('refund', idOf(request), 'id');
    return refundBody(row);
  });

  app.post('/payment_intents/:id/confirm', PUBLIC, async (request, reply) => {
    demandPublishable(request);
    const id = idOf(request);
    const challengeUrl = `${SANDBOX_PATH}/v1/payment_intents/${encodeURIComponent(id)}/challenge`;
    const form = bodyOf(request);
    const confirm = (client: ClientBase) => confirmIntent(client, id, form, challengeUrl);
    return send(reply, await once(pool, request, 'browser', confirm));
  });
  app.post('/payment_intents/:id/challenge', PUBLIC, async (request, reply) => {
    return send(
      reply,
      await inTransaction(pool, (client) => answerChallenge(client, idOf(request), bodyOf(request))),
    );
  });
};
