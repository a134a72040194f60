import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import type { accountEvents } from '#domain/account/events.ts';
import type { EventOf } from '#domain/kernel/event.ts';
import { isErased } from '#domain/kernel/personal.ts';
import { type newsletterEvents, newsletterKey } from '#domain/newsletter/events.ts';
import { START } from '#infra/event-log/event-log.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import { openEventLogAt } from '#infra/foundation/open-log.ts';
import { imageFolder } from '#infra/images/image-store.ts';
import { createEmailId } from '#infra/keys/email-claims.ts';
import { COUNTS, receiptOf } from '#infra/keys/erasure-receipt.ts';
import type { Erased } from '#infra/keys/erasure-register.ts';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { linesIn } from '#infra/lib/lines.ts';
import { migrate, readMigrations } from '#infra/postgres/migrate.ts';
import { markRestoring } from '#infra/postgres/unfinished-restore.ts';
import { recheck } from '#infra/proof/proof.ts';
import { forgetSubscriber } from '#infra/read-models/forget-person.ts';
import { type Backup, fileOf, imageIn, secretIn } from './manifest.ts';
import { tablesOf } from './tables.ts';

const PAGE = 1_000_000;

export const restoreFiles = async (backup: Backup, dataDir: string): Promise<void> => {
  const { folder, secrets, images, opener } = backup;
  const copy = async (from: string, to: string, mode: number): Promise<void> =>
    pipeline(await opener.read(from), createWriteStream(to, { mode, flush: true }));
  const keys = join(dataDir, 'keys');
  if (secrets.length > 0) await mkdir(keys, { recursive: true, mode: 0o700 });
  for (const name of secrets) await copy(secretIn(folder, name), join(keys, name), 0o600);
  const pictures = imageFolder(dataDir);
  if (images.length > 0) await mkdir(pictures, { recursive: true, mode: 0o700 });
  for (const name of images) await copy(imageIn(folder, name), join(pictures, name), 0o644);
};

const load = async (client: pg.ClientBase, name: string, content: Readable): Promise<number> => {
  let rows = 0;
  let page: string[] = [];
  let length = 0;
  const write = async (): Promise<void> => {
    const { rowCount } = await client.query(
      `insert into ${name} overriding system value select * from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      [`[${page.join(',')}]`],
    );
    rows += rowCount ?? 0;
    page = [];
    length = 0;
  };
  for await (const bytes of linesIn(content)) {
    const line = bytes.toString();
    page.push(line);
    length += line.length;
    if (length >= PAGE) await write();
  }
  if (page.length > 0) await write();
  return rows;
};

/**
 * Ids assigned after the backup may be on tickets and at the payment provider: reusing one would let a lost
 * booking's ticket admit other guests. `docs/operations/backup-and-restore.md` has the same statement.
 */
const LEAVE_A_GAP = String.raw`
  select setval(format('app.%I', sequencename)::regclass,
                coalesce(last_value, 0) + case sequencename when 'booking_id' then 1000000 else 10000 end)
    from pg_sequences where schemaname = 'app' and sequencename like '%\_id'`;

const MARKS = '080-';

/**
 * The next start migrates the tables, and is refused before `endRestoring`.
 * @param ownerUrl connects as their future owner
 * @throws CannotStart if a site exists or a newer version made the backup
 */
export const restoreTables = async (
  { folder, manifest, opener }: Backup,
  ownerUrl: string,
  say?: (line: string) => void,
): Promise<void> => {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'reprise restore' });
  client.on('error', () => undefined /* the query under way reports it */);
  await client.connect();
  try {
    const { rows } = await client.query(
      `select from pg_tables where schemaname in ('app', 'keys', 'log', 'read') limit 1`,
    );
    if (rows.length > 0)
      throw new CannotStart('There is a site in this database already: nothing was touched.');
    const known = await readMigrations();
    const wanted = known.filter(({ name }) => manifest.migrations.includes(name));
    if (wanted.length < manifest.migrations.length)
      throw new CannotStart('The backup was made by a newer version of Reprise: restore it with that one.');
    await migrate(ownerUrl, wanted);
    await (await openEventLogAt(ownerUrl)).close();
    await client.query('begin');
    await client.query(`truncate ${(await tablesOf(client)).join(', ')}`);
    for (const { name, rows: expected } of manifest.tables) {
      const loaded = await load(client, name, await opener.read(fileOf(folder, name)));
      if (loaded !== expected) throw new CannotStart(`${name} has ${loaded} of ${expected} rows.`);
      if (loaded > 0) say?.(`${name}: ${loaded.toLocaleString('en-GB')} rows`);
    }
    for (const [name, last] of Object.entries(manifest.sequences))
      await client.query('select setval($1::regclass, $2)', [name, last]);
    await client.query(LEAVE_A_GAP);
    // The first versions had no marks.
    if (wanted.some(({ name }) => name.startsWith(MARKS))) await markRestoring(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Subscribed = Extract<EventOf<typeof newsletterEvents>, { type: 'NewsletterSubscribed' }>;
const SUBSCRIBED: Subscribed['type'] = 'NewsletterSubscribed';

/** No event in this log would remove erased addresses. A newer subscription has another key and stays. */
const forgetSubscribers = async (
  { log, database }: Pick<Foundation, 'log' | 'database'>,
  erased: ReadonlySet<string>,
): Promise<void> => {
  const newest = new Map<string, string>();
  for await (const { events } of log.readAll(START, { filter: { types: [SUBSCRIBED] } }))
    for (const event of events) {
      const { subscription, key } = JSON.parse(event.data) as Subscribed['data'];
      newest.set(subscription, newsletterKey(key));
    }
  for (const [subscription, key] of newest)
    if (erased.has(key)) await forgetSubscriber(database.pool, subscription);
};

/**
 * Destroys the keys of people erased since the backup. The site completes the erasures after it starts, so
 * what they need is read first. Resolves to the number of accounts.
 */
export const eraseAgain = async (foundation: Foundation, erased: readonly Erased[]): Promise<number> => {
  const { keys, log, codec, database, secrets, clock } = foundation;
  const emailId = createEmailId(secrets.emailClaims);
  let accounts = 0;
  for (const { subject, at = clock().toISOString(), by } of erased) {
    if (UUID.test(subject)) {
      const records = await Array.fromAsync(log.readStream(`account-${subject}`));
      const events = (await codec.decode<EventOf<typeof accountEvents>>(records)).map(({ event }) => event);
      const registered = events.find(({ type }) => type === 'AccountRegistered');
      if (registered?.type === 'AccountRegistered') {
        const { email } = registered.data;
        // A log newer than the tables already has the erasure; the tables may still hold the person.
        const known = events.some(({ type }) => type === 'AccountErased');
        const { rowCount } = await database.pool.query(
          `insert into app.erasure (account_id, email_id, asked_at, receipt, counts, asked_by)
           values ($1::uuid, $2, $3, $4, ${COUNTS}, $6)
           on conflict (account_id) do update set done_at = null, cleaned_at = null,
             email_id = coalesce(excluded.email_id, app.erasure.email_id)
           where not ($5 and app.erasure.done_at is not null)`,
          [subject, isErased(email) ? null : emailId(email), at, receiptOf(subject), known, by],
        );
        for (const table of ['session', 'credential', 'federated_identity'])
          await database.pool.query(`delete from app.${table} where account_id = $1`, [subject]);
        accounts += rowCount ?? 0;
      }
    }
    await keys.destroy(subject, { at, by });
  }
  await forgetSubscribers(foundation, new Set(erased.map(({ subject }) => subject)));
  return accounts;
};

/**
 * Sessions and mailed links that were ended or used since the backup would be valid again. Call it after
 * `eraseAgain`, whose receipts count sessions.
 */
export const endSignIns = async ({ database }: Pick<Foundation, 'database'>): Promise<void> => {
  for (const table of ['session', 'mail_token', 'rate_limit'])
    await database.pool.query(`delete from app.${table}`);
};

export interface Verified {
  readonly events: number;
  readonly proven: number;
}

/**
 * Opens every sealed value.
 * @throws CannotStart with the position of the first difference
 */
export const verifyRestored = async (
  { log, codec, database, checkpointSigner }: Foundation,
  manifest: Backup['manifest'],
): Promise<Verified> => {
  if (log.id !== manifest.logId) throw new CannotStart(`This is log ${log.id}, not ${manifest.logId}.`);
  let events = 0;
  for await (const { events: page } of log.readAll(START)) {
    await codec.decode(page, { openIp: true });
    events += page.length;
  }
  const { pool } = database;
  const { findings } = await recheck({ pool, log, publicKeys: checkpointSigner.publicKeys });
  const [first] = findings;
  if (first)
    throw new CannotStart(
      `The log does not fit its tree in ${findings.length} places, the first of them entry ${first.entry} (${first.kind}).`,
    );
  if (manifest.checkpoint === null) return { events, proven: 0 };
  const { rows } = await pool.query<{ size: string }>(
    'select size from app.tree_checkpoint where note = $1',
    [manifest.checkpoint],
  );
  if (!rows[0])
    throw new CannotStart('The checkpoint that was the newest then is not among those of the log.');
  return { events, proven: Number(rows[0].size) };
};
