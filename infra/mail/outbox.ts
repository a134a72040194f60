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

/** How late a mail may be, in milliseconds. A later one is not sent any more, only listed. */
export const TOO_LATE = 24 * 3_600_000;

/** Why such a mail was given up. */
export const TOO_LATE_WORDS = 'more than 24 hours late';

/** For how long an address must have been refused until its mail is given up, in milliseconds: a server may be wrong for a while. */
const REFUSED_FOR = 3_600_000;

/** Why such a mail was given up. */
export const REFUSED_WORDS = 'refused by the mail server';

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
  /** How long ago the address was first refused, in milliseconds. */
  refused: number | null;
}

export interface SenderOptions {
  readonly pool: Pool;
  readonly transport: Transport;
  /** Writes the message of a mail; `undefined` if there is nobody to send it to any more, or nothing to tell. */
  compose(mail: Mail): Promise<Message | undefined>;
  /** How many mails are sent at once, at the most, and no more than half of the pool's connections. Default 1. */
  readonly atOnce?: number;
  /** Waited for before each mail, so that what is more urgent goes first. */
  turn?(): Promise<void>;
  /** Called after a mail was sent. */
  sent?(mail: Mail): Promise<void>;
  /** A mail could not be sent, for a reason of its own. */
  onError?(error: unknown, mail: Mail): void;
  /** When it is aborted, the mails under way are the last ones to be sent. */
  readonly signal?: AbortSignal;
}

/** How long to wait after so many failed attempts before the next, in milliseconds. */
const waitAfter = (attempts: number): number => backOff(attempts, 5_000, 15 * 60_000);

/** What came of looking for a mail: none is due, one was sent, or one was not (now, or for good). */
type Outcome = 'none' | 'sent' | 'unsent';

/**
 * Takes one mail that is due, and keeps its row locked until it is sent. A kind that only a newer program knows is left to that one.
 * @throws what `isPassing` says will pass
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
 * Sends the mails that are due, several at once, and returns how many. Several processes may call it at the same time: a
 * mail's row is locked while it is sent. If the process dies right after a mail was sent, that mail is sent again.
 * @throws what keeps any mail from being sent, such as a mail server that is away. Only the mails that met it have been tried
 */
export const sendDueMails = async (options: SenderOptions): Promise<number> => {
  const { pool, atOnce = 1, signal, turn } = options;
  // Each line keeps a connection for as long as it sends, and needs another one to write the mail. The rest of the process has its own work.
  const mostLines = Math.min(atOnce, Math.floor(pool.options.max / 2));
  let sent = 0;
  let failure: unknown;
  const lines: Promise<void>[] = [];
  /** Sends one mail after the other. Each success opens another line: nothing is tried many times at once while it fails. */
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

/** Why a mail was not taken, without addresses: servers quote the one that they refuse, and the row stays after an erasure. */
const reasonOf = (error: unknown): string =>
  keepable((error instanceof Error ? error.message : String(error)).replace(ADDRESS, '[…]').slice(0, 500));

/** Without a secret in it, it can be sent after all, if somebody says so. */
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
    // The mail was sent: another attempt would send it twice.
    options.onError?.(error, mail);
  }
  return { sent: true };
};

/**
 * Makes a mail due now that waits, or was given up for being late or refused. Returns whether there is one; one with a secret link is lost once
 * it was given up.
 */
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

/** From so many seconds on a waiting mail means that mail is down. */
export const MAIL_IS_DOWN = 600;

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
