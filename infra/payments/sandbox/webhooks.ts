/** Signed webhooks, which are kept and posted until they are accepted: https://docs.stripe.com/webhooks#verify-official-libraries */
import { createHmac, randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';

/** Queues a webhook, in the transaction of the change that it tells of. */
export const announce = async (client: ClientBase, type: string, object: object): Promise<void> => {
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  const body = JSON.stringify({
    id,
    object: 'event',
    type,
    created: Math.floor(Date.now() / 1000),
    livemode: false,
    data: { object },
  });
  await client.query('insert into app.sandbox_webhook (id, body) values ($1, $2)', [id, body]);
};

/** The `stripe-signature` header of a body. @param at when it is sent, in seconds since the epoch */
export const signatureOf = (secret: string, body: string, at: number): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

/** How long an answer to a webhook may take, in milliseconds. */
const POST_TIMEOUT = 10_000;
/** How often a webhook is posted before it is given up. */
const MOST_TRIES = 200;

const post = async (url: string, body: string, secret: string): Promise<boolean> => {
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': signatureOf(secret, body, Math.floor(Date.now() / 1000)),
      },
      body,
      signal: AbortSignal.timeout(POST_TIMEOUT),
    });
    await reply.arrayBuffer();
    return reply.ok;
  } catch {
    // Nobody listens, or the answer takes too long: it is tried again, as after a refusal.
    return false;
  }
};

/** Claims webhooks that are due. Unless it is deleted, each is due again after 1 s, then after twice as long each time, up to 30 s. */
const CLAIM = `
  update app.sandbox_webhook set tries = tries + 1, due_at = now() + make_interval(secs => least(30, power(2, least(tries, 10))))
   where id in (select id from app.sandbox_webhook where due_at <= now() order by due_at limit $1 for update skip locked)
  returning id, body, tries`;

/** Posts at most `limit` webhooks that are due and returns how many. Several processes may call it: each claims its own. */
export const deliverWebhooks = async (
  pool: Pool,
  url: string,
  secret: string,
  limit = 16,
): Promise<number> => {
  const { rows } = await pool.query<{ id: string; body: string; tries: number }>(CLAIM, [limit]);
  await Promise.all(
    rows.map(async ({ id, body, tries }) => {
      const taken = await post(url, body, secret);
      if (taken || tries >= MOST_TRIES)
        await pool.query('delete from app.sandbox_webhook where id = $1', [id]);
    }),
  );
  return rows.length;
};
