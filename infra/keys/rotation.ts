/** Rewraps every person's key. Once all processes use the new master key, `finish` removes the former's rows. */
import { createSecretKey, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import {
  EMAIL_CLAIMS,
  type MasterSecrets,
  masterId,
  REPLACED,
  readMasterSecrets,
  wrappingName,
  wrapSecret,
} from './master-secrets.ts';
import { type KeyRow, unwrapKey, wrapKey } from './postgres.ts';

export type OnProgress = (done: number, of: number) => void;

const LOCK = 7_737_477;
const BATCH = 1_000;
const NONE_UNDER_WAY = 'No change of the master key is under way.';

type Connection = Pick<Pool, 'query'>;

const keep = async (
  connection: Connection,
  masterKey: Uint8Array,
  secrets: ReadonlyMap<string, ReturnType<typeof createSecretKey>>,
): Promise<void> => {
  for (const [name, secret] of secrets)
    await connection.query('INSERT INTO keys.master_secret (master, name, wrapped) VALUES ($1, $2, $3)', [
      masterId(masterKey),
      name,
      wrapSecret(masterKey, name, secret),
    ]);
};

const mastersOf = async (connection: Connection): Promise<ReadonlyMap<string, { replaced: boolean }>> => {
  const { rows } = await connection.query<{ master: string; replaced: boolean }>(
    'SELECT master, bool_or(name = $1) AS replaced FROM keys.master_secret GROUP BY master',
    [REPLACED],
  );
  return new Map(rows.map(({ master, replaced }) => [master, { replaced }]));
};

const wrapAnew = async (pool: Pool, secrets: MasterSecrets, onProgress: OnProgress): Promise<void> => {
  const { newest } = secrets;
  const { rows: counted } = await pool.query<{ waiting: number }>(
    'SELECT count(*)::integer AS waiting FROM keys.subject_key WHERE wrapping < $1',
    [newest],
  );
  const waiting = counted[0]?.waiting ?? 0;
  let done = 0;
  let after = { subject: '', version: 0 };
  for (;;) {
    const { rows } = await pool.query<KeyRow>(
      `SELECT subject, version, wrapped, wrapping FROM keys.subject_key
        WHERE (subject, version) > ($1, $2) AND wrapping < $3 ORDER BY subject, version LIMIT ${BATCH}`,
      [after.subject, after.version, newest],
    );
    const last = rows.at(-1);
    if (!last) return;
    await pool.query(
      `UPDATE keys.subject_key k SET wrapped = n.wrapped, wrapping = $5
         FROM unnest($1::text[], $2::integer[], $3::bytea[], $4::bytea[]) AS n (subject, version, was, wrapped)
        WHERE k.subject = n.subject AND k.version = n.version AND k.wrapped = n.was`,
      [
        rows.map(({ subject }) => subject),
        rows.map(({ version }) => version),
        rows.map(({ wrapped }) => wrapped),
        rows.map((row) => wrapKey(secrets, unwrapKey(secrets, row))),
        newest,
      ],
    );
    done += rows.length;
    after = last;
    onProgress(done, Math.max(done, waiting));
  }
};

/**
 * Resumable with the same keys.
 * @throws CannotStart while another change is not finished
 * @throws WrongMasterKey where `masterKey` is not the site's
 */
export const rotateMasterKey = async (
  pool: Pool,
  masterKey: Uint8Array,
  newMasterKey: Uint8Array,
  onProgress: OnProgress = () => undefined,
): Promise<void> => {
  const [id, newId] = [masterId(masterKey), masterId(newMasterKey)];
  if (id === newId) throw new CannotStart('NEW_MASTER_KEY is the MASTER_KEY that the site has.');
  await inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const masters = await mastersOf(client);
    if (masters.get(id)?.replaced && masters.has(newId)) return;
    if ([...masters.keys()].some((other) => other !== id))
      throw new CannotStart(
        'Another change of the master key is under way: start all processes with that key, and run this with --finish. If that key is lost, run it with --abandon.',
      );
    const { wrapping, newest, emailClaims } = await readMasterSecrets(client, masterKey);
    const added = createSecretKey(randomBytes(32));
    const name = wrappingName(newest + 1);
    await keep(
      client,
      masterKey,
      new Map([
        [name, added],
        [REPLACED, added],
      ]),
    );
    const former = [...wrapping].map(([version, key]) => [wrappingName(version), key] as const);
    await keep(client, newMasterKey, new Map([...former, [name, added], [EMAIL_CLAIMS, emailClaims]]));
  });
  await wrapAnew(pool, await readMasterSecrets(pool, newMasterKey), onProgress);
};

/**
 * Also rewraps keys that were written meanwhile.
 * @throws CannotStart where no change is in progress, or `masterKey` is the former one
 */
export const finishRotation = async (
  pool: Pool,
  masterKey: Uint8Array,
  onProgress: OnProgress = () => undefined,
): Promise<void> => {
  const id = masterId(masterKey);
  const masters = await mastersOf(pool);
  if (masters.get(id)?.replaced)
    throw new CannotStart('MASTER_KEY is the former one: start all processes with the new one first.');
  if (!masters.has(id)) throw new CannotStart(NONE_UNDER_WAY);
  const secrets = await readMasterSecrets(pool, masterKey);
  await wrapAnew(pool, secrets, onProgress);
  await inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    // After an abandoned change this key has no rows, and the other's must stay.
    if (!(await mastersOf(client)).has(id)) throw new CannotStart(NONE_UNDER_WAY);
    await client.query('DELETE FROM keys.master_secret WHERE master <> $1 OR name <> ALL($2)', [
      id,
      [wrappingName(secrets.newest), EMAIL_CLAIMS],
    ]);
  });
};

/**
 * For a lost new key.
 * @throws CannotStart where no change is in progress, `masterKey` is the new one, or does not open every key
 */
export const abandonRotation = (pool: Pool, masterKey: Uint8Array): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const id = masterId(masterKey);
    const masters = await mastersOf(client);
    if (!masters.get(id)?.replaced)
      throw new CannotStart(
        masters.size > 1 ? 'MASTER_KEY is the new one: give the former one.' : NONE_UNDER_WAY,
      );
    const { wrapping } = await readMasterSecrets(client, masterKey);
    const { rows } = await client.query<{ wrapping: number }>(
      'SELECT DISTINCT wrapping FROM keys.subject_key',
    );
    if (!rows.every((row) => wrapping.has(row.wrapping)))
      throw new CannotStart('MASTER_KEY does not open every key: nothing was taken back.');
    await client.query('DELETE FROM keys.master_secret WHERE master <> $1 OR name = $2', [id, REPLACED]);
  });
