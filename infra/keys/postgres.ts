import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { listen } from '#infra/postgres/listener.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { open, seal } from './cipher.ts';
import type { ErasureRegister } from './erasure-register.ts';
import { KeyCache } from './key-cache.ts';
import { type KeyRef, type KeyStore, SubjectErased, type SubjectKey, WrongMasterKey } from './key-store.ts';
import { type MasterSecrets, readMasterSecrets } from './master-secrets.ts';

export interface PostgresKeyStoreOptions {
  readonly pool: Pool;
  readonly masterKey: Uint8Array;
  readonly listenUrl?: string;
  readonly cacheSize?: number;
  /** Milliseconds until a destruction elsewhere is noticed without its notification. Default 5,000. */
  readonly freshFor?: number;
  readonly onError?: (error: Error) => void;
  /** Written before each destruction, so that an older backup of the keys can't undo it. */
  readonly register?: ErasureRegister;
}

export interface KeyRow {
  readonly subject: string;
  readonly version: number;
  readonly wrapped: Buffer;
  readonly wrapping: number;
}

// Prepared: planning took two thirds of the time.
const NEWEST = {
  name: 'keys-newest',
  text: `SELECT s.subject, s.version, k.wrapped, k.wrapping, s.destroyed_at IS NOT NULL AS destroyed
    FROM keys.subject s LEFT JOIN keys.subject_key k USING (subject, version) WHERE s.subject = ANY($1)`,
};
const EACH = {
  name: 'keys-each',
  text: `SELECT subject, version, wrapped, wrapping FROM keys.subject_key
    JOIN unnest($1::text[], $2::int[]) AS wanted (subject, version) USING (subject, version)`,
};

const newKey = (): KeyObject => createSecretKey(randomBytes(32));

const contextOf = ({ subject, version }: KeyRef): string => JSON.stringify(['subject key', subject, version]);

export const wrapKey = (secrets: MasterSecrets, { subject, version, key }: SubjectKey): Buffer => {
  const wrapping = secrets.wrapping.get(secrets.newest);
  if (!wrapping) throw new WrongMasterKey(subject);
  return seal(wrapping, contextOf({ subject, version }), key.export());
};

export const unwrapKey = (
  secrets: MasterSecrets,
  { subject, version, wrapped, wrapping }: KeyRow,
): SubjectKey => {
  const opener = secrets.wrapping.get(wrapping);
  const key = opener && open(opener, contextOf({ subject, version }), wrapped);
  if (!key) throw new WrongMasterKey(subject);
  return { subject, version, key: createSecretKey(key) };
};

export const createPostgresKeyStore = ({
  pool,
  masterKey,
  listenUrl,
  cacheSize = 50_000,
  freshFor = 5_000,
  onError,
  register,
}: PostgresKeyStoreOptions): KeyStore => {
  const cache = new KeyCache(cacheSize, freshFor);
  const hearers: ((subject: string | undefined) => void)[] = [];
  const tell = (subject: string | undefined): void => {
    if (subject === undefined) cache.clear();
    else cache.markGone(subject);
    for (const hear of hearers) hear(subject);
  };
  const listener = listenUrl
    ? listen({
        url: listenUrl,
        channel: 'keys_destroyed',
        onNotify: tell,
        onConnect: () => tell(undefined),
        ...(onError ? { onError } : {}),
      })
    : undefined;

  let secrets: Promise<MasterSecrets> | undefined;
  const masterSecrets = async (rows: readonly KeyRow[] = []): Promise<MasterSecrets> => {
    secrets ??= readMasterSecrets(pool, masterKey).catch((error: unknown) => {
      secrets = undefined;
      throw error;
    });
    const known = await secrets;
    if (rows.every(({ wrapping }) => known.wrapping.has(wrapping))) return known;
    secrets = undefined;
    return masterSecrets();
  };

  const newestOf = async (subjects: readonly string[]): Promise<Map<string, SubjectKey>> => {
    const read = async (wanted: readonly string[]): Promise<Map<string, SubjectKey | 'gone'>> => {
      const { rows } = await pool.query<KeyRow & { destroyed: boolean }>({ ...NEWEST, values: [wanted] });
      const opener = await masterSecrets(rows.filter(({ destroyed }) => !destroyed));
      return new Map(rows.map((row) => [row.subject, row.destroyed ? 'gone' : unwrapKey(opener, row)]));
    };
    const found = await read(subjects);
    const missing = subjects.filter((subject) => !found.has(subject));
    if (missing.length > 0) {
      // Processes creating the same keys must not deadlock.
      missing.sort();
      const wrapper = await masterSecrets();
      await pool.query(
        `WITH made AS (
           INSERT INTO keys.subject (subject, version) SELECT unnest($1::text[]), 1 ON CONFLICT DO NOTHING RETURNING subject)
         INSERT INTO keys.subject_key (subject, version, wrapped, wrapping)
           SELECT subject, 1, wrapped, $3 FROM unnest($1::text[], $2::bytea[]) AS wanted (subject, wrapped) JOIN made USING (subject)`,
        [
          missing,
          missing.map((subject) => wrapKey(wrapper, { subject, version: 1, key: newKey() })),
          wrapper.newest,
        ],
      );
      for (const [subject, key] of await read(missing)) found.set(subject, key);
    }
    const standing = new Map<string, SubjectKey>();
    for (const [subject, key] of found) {
      if (key === 'gone') cache.markGone(subject);
      else {
        cache.keep(key, true);
        standing.set(subject, key);
      }
    }
    return standing;
  };

  let asked: Map<string, Promise<SubjectKey>> | undefined;
  const newest = (subject: string): Promise<SubjectKey> => {
    asked ??= new Map();
    const batch = asked;
    const known = batch.get(subject);
    if (known) return known;
    if (batch.size === 0) {
      nextTurn = new Promise((resolve) => setImmediate(resolve)).then(() => {
        asked = undefined;
        return newestOf([...batch.keys()]);
      });
    }
    const key = nextTurn.then((found) => {
      const mine = found.get(subject);
      // Destroyed during the query: the notification is newer than the result.
      if (!mine || cache.sealing(subject) === 'gone') throw new SubjectErased(subject);
      return mine;
    });
    batch.set(subject, key);
    return key;
  };
  let nextTurn: Promise<Map<string, SubjectKey>> = Promise.resolve(new Map());

  const fetch = async (refs: readonly KeyRef[]): Promise<readonly (SubjectKey | 'gone')[]> => {
    const nameOf = (ref: KeyRef): string => `${ref.version} ${ref.subject}`;
    // The cache may be too small for all.
    const found = new Map<string, SubjectKey | 'gone'>();
    const missing: KeyRef[] = [];
    for (const ref of refs) {
      const atHand = cache.opening(ref);
      if (atHand) found.set(nameOf(ref), atHand);
      else missing.push(ref);
    }
    if (missing.length > 0) {
      const values = [missing.map((ref) => ref.subject), missing.map((ref) => ref.version)];
      const { rows } = await pool.query<KeyRow>({ ...EACH, values });
      const opener = await masterSecrets(rows);
      for (const row of rows) {
        const key = unwrapKey(opener, row);
        cache.keep(key, false);
        found.set(nameOf(row), cache.opening(row) === 'gone' ? 'gone' : key);
      }
    }
    return refs.map((ref) => found.get(nameOf(ref)) ?? 'gone');
  };

  return {
    sealing(subject) {
      const key = cache.sealing(subject);
      if (key === 'gone') throw new SubjectErased(subject);
      return key ?? newest(subject);
    },
    opening: (ref) => cache.opening(ref),
    fetch,
    async rotate(subject) {
      await newest(subject);
      const wrapper = await masterSecrets();
      const key = await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ version: number }>(
          `UPDATE keys.subject SET version = version + 1 WHERE subject = $1 AND destroyed_at IS NULL RETURNING version`,
          [subject],
        );
        const version = rows[0]?.version;
        if (version === undefined) throw new SubjectErased(subject);
        const made = { subject, version, key: newKey() };
        await client.query(
          'INSERT INTO keys.subject_key (subject, version, wrapped, wrapping) VALUES ($1, $2, $3, $4)',
          [subject, version, wrapKey(wrapper, made), wrapper.newest],
        );
        return made;
      });
      cache.keep(key, true);
      return key;
    },
    async destroy(subject, asked) {
      await register?.add(subject, asked);
      await pool.query('SELECT keys.destroy($1)', [subject]);
      tell(subject);
    },
    onDestroyed: (hear) => void hearers.push(hear),
    async list(prefix, madeBefore) {
      const { rows } = await pool.query<{ subject: string }>(
        `SELECT subject FROM keys.subject
          WHERE starts_with(subject, $1) AND destroyed_at IS NULL AND created_at < coalesce($2::timestamptz, 'infinity')
          ORDER BY subject`,
        [prefix, madeBefore ?? null],
      );
      return rows.map((row) => row.subject);
    },
    close: async () => listener?.close(),
  };
};
