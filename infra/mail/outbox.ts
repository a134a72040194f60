import type { Pool, PoolClient } from 'pg';
import { backOff, type Trouble } from '#infra/lib/outage.ts';
import { keepable } from '#infra/postgres/keepable.ts';
import { type Failed, type Queue, runQueue } from '#infra/queue/queue.ts';
import {
  MAIL_KINDS,
  type Mail,
  type MailKind,
  type Message,
  type Outbox,
  RecipientRefused,
  type Transport,
} from './mailer.ts';

/** In milliseconds. Later mails are only listed. */
export const TOO_LATE = 24 * 3_600_000;

export const TOO_LATE_WORDS = 'more than 24 hours late';

/** How long an address must be refused before its mail is given up, in milliseconds: servers can be wrong temporarily. */
const REFUSED_FOR = 3_600_000;

export const REFUSED_WORDS = 'refused by the mail server';

export const createOutbox = (pool: Pool): Outbox => ({
  async enqueue(mails, within) {
    const all = [mails].flat();
    if (all.length === 0) return;
    await (within ?? pool).query({
      name: 'outbox-enqueue',
      text: `insert into app.outbox (key, kind, account_id, data, created_at)
             select key, kind, account_id, data, coalesce(since, now())
               from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[])
                 as mail (key, kind, account_id, data, since)
             on conflict (key) do nothing`,
      values: [
        all.map((mail) => mail.key),
        all.map((mail) => mail.kind),
        all.map((mail) => mail.accountId),
        all.map((mail) => JSON.stringify(mail.data)),
        all.map((mail) => mail.since ?? null),
      ],
    });
    if (!within) await pool.query(`notify outbox`);
  },
});

interface Claimed extends Mail {
  readonly id: string;
  readonly attempts: number;
  /** Milliseconds. */
  readonly age: number;
  /** For how long the mail server has refused the address, in milliseconds. */
  readonly refused: number | null;
  /** Its transaction keeps the row locked until the mail is sent. */
  readonly client: PoolClient;
}

export interface SenderOptions {
  readonly pool: Pool;
  readonly transport: Transport;
  compose(mail: Mail): Promise<Message | undefined>;
  /** Most concurrent mails, limited to half of the pool's connections. Default 1. */
  readonly atOnce?: number;
  /** Awaited before mails are claimed, so that more urgent work goes first. */
  turn?(): Promise<void>;
  sent?(mail: Mail): Promise<void>;
  onFailure?(mail: Mail, error: unknown): void;
  /** Polling interval in milliseconds. Default 2,000. */
  readonly every?: number;
  readonly trouble?: Trouble;
}

const waitAfter = (attempts: number): number => backOff(attempts, 5_000, 15 * 60_000);

const ADDRESS = /[^\s@<>]+@[^\s@<>]+/g;

/** Without addresses: servers quote refused ones, and the row outlives an erasure. */
const reasonOf = (error: unknown): string =>
  keepable((error instanceof Error ? error.message : String(error)).replace(ADDRESS, '[…]').slice(0, 500));

const NOBODY = 'nobody to write to';
/** A mail without a secret can still be retried by hand. */
const WITHOUT_SECRETS = `case when data ? 'token' then null else data end`;

/** Skips kinds that only a newer program knows. */
const NEXT = `
  select id, kind, account_id as "accountId", data, key, attempts,
      extract(epoch from now() - created_at)::float8 * 1000 as age,
      extract(epoch from now() - refused_since)::float8 * 1000 as refused
    from app.outbox where sent_at is null and given_up is null and due_at <= now() and kind = any($1)
   order by due_at limit 1 for update skip locked`;

const claimNext = async (pool: Pool): Promise<readonly Claimed[]> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<Omit<Claimed, 'client'>>({
      name: 'outbox-next',
      text: NEXT,
      values: [MAIL_KINDS],
    });
    if (rows[0]) return [{ ...rows[0], client }];
    await client.query('commit');
    client.release();
    return [];
  } catch (error) {
    client.release(true);
    throw error;
  }
};

const change = async ({ client, id }: Claimed, set: string, ...values: unknown[]): Promise<void> => {
  let broken = true;
  try {
    await client.query(`update app.outbox set ${set} where id = $1`, [id, ...values]);
    await client.query('commit');
    broken = false;
  } finally {
    client.release(broken);
  }
};

/**
 * Sends due mails. Several processes may do so: each row is locked while its mail is sent. A mail is sent twice
 * if the process dies right after sending it.
 */
export const sendMails = (options: SenderOptions): Queue => {
  const { pool, transport, compose, atOnce = 1, turn, trouble, onFailure } = options;
  return runQueue<Claimed, 'done' | Failed | { readonly givenUp: string }>({
    // Each mail under way holds a connection and needs another to be written; leave the rest of the pool to
    // other work.
    concurrency: Math.min(atOnce, Math.floor(pool.options.max / 2)),
    every: options.every ?? 2_000,
    cautious: true,
    ...(turn && { turn }),
    ...(trouble && { trouble }),
    ...(onFailure && { onFailure }),

    claim: () => claimNext(pool),
    async giveBack(mails) {
      for (const { client } of mails) client.release(true);
    },

    async handle(mail) {
      if (mail.age > TOO_LATE) return { givenUp: TOO_LATE_WORDS };
      const message = await compose(mail);
      if (!message) return { givenUp: NOBODY };
      await transport.send(message, mail.key);
      return 'done';
    },

    async settle(mail, outcome) {
      if (outcome === 'done') {
        await change(mail, 'sent_at = now(), data = null, attempts = attempts + 1');
        // The mail was sent; retrying would send it twice.
        await options.sent?.(mail).catch((error: unknown) => onFailure?.(mail, error));
      } else if ('givenUp' in outcome) {
        const left = outcome.givenUp === NOBODY ? 'null' : WITHOUT_SECRETS;
        await change(mail, `given_up = $2, data = ${left}`, outcome.givenUp);
      } else {
        const refused = outcome.failed instanceof RecipientRefused;
        const givenUp = refused && (mail.refused ?? 0) >= REFUSED_FOR;
        await change(
          mail,
          `attempts = attempts + 1, last_error = $2, due_at = now() + $3 * interval '1 millisecond',
             refused_since = case when $4 then coalesce(refused_since, now()) else refused_since end,
             given_up = $5, data = case when $5::text is null then data else ${WITHOUT_SECRETS} end`,
          reasonOf(outcome.failed),
          waitAfter(mail.attempts),
          refused,
          givenUp ? REFUSED_WORDS : null,
        );
      }
    },
  });
};

/** Makes a waiting or given-up mail due now. Returns whether it exists; a given-up mail with a secret link is lost. */
export const retryMail = async (pool: Pool, id: string): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `update app.outbox set due_at = now(), given_up = null, refused_since = null,
            created_at = case when given_up is null then created_at else now() end
      where id::text = $1 and sent_at is null and data is not null and (given_up is null or given_up = any($2))`,
    [id, [TOO_LATE_WORDS, REFUSED_WORDS]],
  );
  if (rowCount === 1) await pool.query('notify outbox');
  return rowCount === 1;
};

/** Age in seconds from which a waiting mail means that mail is down. */
export const MAIL_IS_DOWN = 600;

export const oldestMail = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ age: number | null }>(
    `select extract(epoch from now() - min(created_at))::float8 as age from app.outbox
      where sent_at is null and given_up is null`,
  );
  return rows[0]?.age ?? 0;
};

export const givenUpMails = async (
  pool: Pool,
): Promise<readonly { id: string; kind: MailKind; accountId: string; why: string; createdAt: Date }[]> => {
  const { rows } = await pool.query(
    `select id, kind, account_id as "accountId", given_up as why, created_at as "createdAt"
       from app.outbox where given_up is not null order by id desc limit 200`,
  );
  return rows;
};
