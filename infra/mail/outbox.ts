import type { ClientBase, Pool } from 'pg';
import { backOff, isPassing } from '#infra/lib/outage.ts';
import { keepable } from '#infra/postgres/keepable.ts';
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

interface Row {
  id: string;
  kind: MailKind;
  account_id: string;
  data: Mail['data'];
  key: string;
  attempts: number;
  age: number;
  refused: number | null;
}

export interface SenderOptions {
  readonly pool: Pool;
  readonly transport: Transport;
  compose(mail: Mail): Promise<Message | undefined>;
  /** Most concurrent mails, limited to half of the pool's connections. Default 1. */
  readonly atOnce?: number;
  /** Awaited before each mail, so that more urgent work goes first. */
  turn?(): Promise<void>;
  sent?(mail: Mail): Promise<void>;
  onError?(error: unknown, mail: Mail): void;
  readonly signal?: AbortSignal;
}

const waitAfter = (attempts: number): number => backOff(attempts, 5_000, 15 * 60_000);

type Outcome = 'none' | 'sent' | 'unsent';

/**
 * Keeps the row of the due mail locked until it is sent. Skips kinds that only a newer program knows.
 * @throws outages (`isPassing`)
 */
const sendNext = async (options: SenderOptions): Promise<Outcome> => {
  const client = await options.pool.connect();
  let broken = true;
  try {
    await client.query('begin');
    const { rows } = await client.query<Row>({
      name: 'outbox-next',
      text: `select id, kind, account_id, data, key, attempts, extract(epoch from now() - created_at) * 1000 as age,
                    extract(epoch from now() - refused_since)::float8 * 1000 as refused
               from app.outbox where sent_at is null and given_up is null and due_at <= now() and kind = any($1)
              order by due_at limit 1 for update skip locked`,
      values: [MAIL_KINDS],
    });
    const row = rows[0];
    const { sent, away } = row ? await sendOne(client, row, options) : {};
    await client.query('commit');
    broken = false;
    if (away !== undefined) throw away;
    if (!row) return 'none';
    return sent ? 'sent' : 'unsent';
  } finally {
    client.release(broken);
  }
};

/**
 * Sends due mails concurrently and returns how many. Several processes may call it: each row is locked while
 * its mail is sent. A mail is sent twice if the process dies right after sending it.
 * @throws outages that stop all mail; only the mails that met one were tried
 */
export const sendDueMails = async (options: SenderOptions): Promise<number> => {
  const { pool, atOnce = 1, signal, turn } = options;
  // Each sender holds a connection and needs another to write the mail; leave the rest of the pool to other
  // work.
  const mostLines = Math.min(atOnce, Math.floor(pool.options.max / 2));
  let sent = 0;
  let failure: unknown;
  const lines: Promise<void>[] = [];
  /** Each success starts another sender, so that a failing server is not tried many times at once. */
  const line = async (): Promise<void> => {
    try {
      while (!signal?.aborted && failure === undefined) {
        await turn?.();
        const outcome = await sendNext(options);
        if (outcome === 'none') return;
        if (outcome === 'unsent') continue;
        sent += 1;
        if (lines.length < mostLines) lines.push(line());
      }
    } catch (error) {
      failure ??= error;
    }
  };
  lines.push(line());
  for (const one of lines) await one;
  if (failure !== undefined) throw failure;
  return sent;
};

const ADDRESS = /[^\s@<>]+@[^\s@<>]+/g;

/** Without addresses: servers quote refused ones, and the row outlives an erasure. */
const reasonOf = (error: unknown): string =>
  keepable((error instanceof Error ? error.message : String(error)).replace(ADDRESS, '[…]').slice(0, 500));

/** A mail without a secret can still be retried by hand. */
const giveUp = async (client: ClientBase, id: string, why: string): Promise<void> => {
  await client.query(
    `update app.outbox set given_up = $2, data = case when data ? 'token' then null else data end where id = $1`,
    [id, why],
  );
};

const sendOne = async (
  client: ClientBase,
  row: Row,
  options: SenderOptions,
): Promise<{ readonly sent?: boolean; readonly away?: unknown }> => {
  if (Number(row.age) > TOO_LATE) {
    await giveUp(client, row.id, TOO_LATE_WORDS);
    return {};
  }
  const mail: Mail = { kind: row.kind, accountId: row.account_id, data: row.data, key: row.key };
  try {
    const message = await options.compose(mail);
    if (!message) {
      await client.query(`update app.outbox set given_up = 'nobody to write to', data = null where id = $1`, [
        row.id,
      ]);
      return {};
    }
    await options.transport.send(message, row.key);
    await client.query(
      `update app.outbox set sent_at = now(), data = null, attempts = attempts + 1 where id = $1`,
      [row.id],
    );
  } catch (error) {
    const passes = isPassing(error);
    if (!passes) options.onError?.(error, mail);
    const refused = error instanceof RecipientRefused;
    await client.query(
      `update app.outbox set attempts = attempts + 1, last_error = $2, due_at = now() + $3 * interval '1 millisecond',
              refused_since = case when $4 then coalesce(refused_since, now()) else refused_since end
        where id = $1`,
      [row.id, reasonOf(error), waitAfter(row.attempts), refused],
    );
    if (refused && (row.refused ?? 0) >= REFUSED_FOR) await giveUp(client, row.id, REFUSED_WORDS);
    return passes ? { away: error } : {};
  }
  try {
    await options.sent?.(mail);
  } catch (error) {
    // The mail was sent; retrying would send it twice.
    options.onError?.(error, mail);
  }
  return { sent: true };
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
