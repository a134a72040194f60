import type { ClientBase, Pool } from 'pg';
import type { Mail, MailKind, Message, Outbox, Transport } from './mailer.ts';

/** How late a mail may be, in milliseconds. A later one is not sent any more, only listed. */
export const TOO_LATE = 24 * 3_600_000;

/** Why such a mail was given up. */
export const TOO_LATE_WORDS = 'more than 24 hours late';

/** The outbox in PostgreSQL: one row of `app.outbox` a mail. */
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

interface Row {
  id: string;
  kind: MailKind;
  account_id: string;
  data: Mail['data'];
  key: string;
  attempts: number;
  age: number;
}

export interface SenderOptions {
  readonly pool: Pool;
  readonly transport: Transport;
  /** Writes the message of a mail; `undefined` if there is nobody to send it to any more, or nothing to tell. */
  compose(mail: Mail): Promise<Message | undefined>;
  /** Called after a mail was sent. */
  sent?(mail: Mail): Promise<void>;
  onError?(error: unknown, mail: Mail): void;
  /** When it is aborted, the mail under way is the last one to be sent. */
  readonly signal?: AbortSignal;
}

/** How long to wait after so many failed attempts before the next, in seconds: from 5 s, doubling up to 15 minutes. */
const backoff = (attempts: number): number => Math.min(900, 5 * 2 ** attempts);

/**
 * Sends the mails that are due, one after the other, and returns how many. Several processes may call it at the same time: a
 * mail's row is locked while it is sent. If the process dies right after a mail was sent, that mail is sent again.
 */
export const sendDueMails = async (options: SenderOptions): Promise<number> => {
  let sent = 0;
  while (!options.signal?.aborted) {
    const client = await options.pool.connect();
    let broken = true;
    try {
      await client.query('begin');
      const { rows } = await client.query<Row>(
        `select id, kind, account_id, data, key, attempts, extract(epoch from now() - created_at) * 1000 as age
           from app.outbox where sent_at is null and given_up is null and due_at <= now()
          order by due_at limit 1 for update skip locked`,
      );
      const row = rows[0];
      if (row && (await sendOne(client, row, options))) sent++;
      await client.query('commit');
      broken = false;
      if (!row) return sent;
    } finally {
      client.release(broken);
    }
  }
  return sent;
};

const ADDRESS = /[^\s@<>]+@[^\s@<>]+/g;

/** Why a mail was not taken, without addresses: servers quote the one that they refuse, and the row stays after an erasure. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(ADDRESS, '[…]').slice(0, 500);

const sendOne = async (client: ClientBase, row: Row, options: SenderOptions): Promise<boolean> => {
  if (Number(row.age) > TOO_LATE) {
    // Without a secret in it, it can be sent after all, if somebody says so.
    await client.query(
      `update app.outbox set given_up = $2, data = case when data ? 'token' then null else data end where id = $1`,
      [row.id, TOO_LATE_WORDS],
    );
    return false;
  }
  const mail: Mail = { kind: row.kind, accountId: row.account_id, data: row.data, key: row.key };
  try {
    const message = await options.compose(mail);
    if (!message) {
      await client.query(`update app.outbox set given_up = 'nobody to write to', data = null where id = $1`, [
        row.id,
      ]);
      return false;
    }
    await options.transport.send(message, row.key);
    await client.query(
      `update app.outbox set sent_at = now(), data = null, attempts = attempts + 1 where id = $1`,
      [row.id],
    );
  } catch (error) {
    options.onError?.(error, mail);
    await client.query(
      `update app.outbox set attempts = attempts + 1, last_error = $2, due_at = now() + make_interval(secs => $3)
        where id = $1`,
      [row.id, reasonOf(error), backoff(row.attempts)],
    );
    return false;
  }
  try {
    await options.sent?.(mail);
  } catch (error) {
    // The mail was sent: another attempt would send it twice.
    options.onError?.(error, mail);
  }
  return true;
};

/**
 * Makes a mail due now that waits, or was given up for being late. Returns whether there is one; one with a secret link is lost once
 * it was given up.
 */
export const retryMail = async (pool: Pool, id: string): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `update app.outbox set due_at = now(), given_up = null,
            created_at = case when given_up is null then created_at else now() end
      where id::text = $1 and sent_at is null and data is not null and (given_up is null or given_up = $2)`,
    [id, TOO_LATE_WORDS],
  );
  if (rowCount === 1) await pool.query('notify outbox');
  return rowCount === 1;
};

/** For how long the oldest waiting mail has waited, in seconds; 0 if none waits. */
export const oldestMail = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ age: number | null }>(
    `select extract(epoch from now() - min(created_at))::float8 as age from app.outbox
      where sent_at is null and given_up is null`,
  );
  return rows[0]?.age ?? 0;
};

/** The last 200 mails that were given up: kind, account, reason and time, but never their contents. */
export const givenUpMails = async (
  pool: Pool,
): Promise<readonly { id: string; kind: MailKind; accountId: string; why: string; createdAt: Date }[]> => {
  const { rows } = await pool.query(
    `select id, kind, account_id as "accountId", given_up as why, created_at as "createdAt"
       from app.outbox where given_up is not null order by id desc limit 200`,
  );
  return rows;
};
