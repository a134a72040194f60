/** Posted until accepted: https://docs.stripe.com/webhooks#verify-official-libraries */
import { createHmac, randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';

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

export const signatureOf = (secret: string, body: string, at: number): string =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;

const POST_TIMEOUT = 10_000;
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
    return false;
  }
};

const CLAIM = `
  update app.sandbox_webhook set tries = tries + 1, due_at = now() + make_interval(secs => least(30, power(2, least(tries, 10))))
   where id in (select id from app.sandbox_webhook where due_at <= now() order by due_at limit $1 for update skip locked)
  returning id, body, tries`;

/** Processes share the work: each claims its own. */
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
