/**
 * Sessions: an opaque token of 32 random bytes in a cookie, its SHA-256 in `app.session` with the role and
 * the flags that decisions need. They are written there when they change, so that a request asks one question, and
 * lookups of the same moment share a query. Nothing is cached: a revoked session is refused at once, by every process.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Role } from '#domain/account/events.ts';
import type { Clock } from '#infra/clock.ts';
import type { SignedIn } from './principal.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long a session of a role lasts without use, and at the most; milliseconds. */
export const lifetimeOf = (role: Role): { idle: number; absolute: number } =>
  role === 'user' ? { idle: 7 * DAY, absolute: 30 * DAY } : { idle: 2 * HOUR, absolute: 12 * HOUR };

/** What a session knows of its account. */
export interface SessionFacts {
  readonly accountId: string;
  readonly role: Role;
  readonly emailVerified: boolean;
  readonly profileComplete: boolean;
}

/** A session that was just made; the only moment at which its token is known here. */
export interface OpenedSession {
  readonly token: string;
  readonly principal: SignedIn;
  readonly endsAt: Date;
}

/** A session that a request came with. `rotate`: give its holder a new token. */
export interface FoundSession {
  readonly principal: SignedIn;
  readonly rotate: boolean;
}

/** Who is signed in, for all processes on one database. */
export interface Sessions {
  open(facts: SessionFacts): Promise<OpenedSession>;
  /** The session behind a token, unless it has ended. */
  find(token: string): Promise<FoundSession | undefined>;
  /** Replaces a session whose role changed. Of several requests at once one gets the new token; the old one lives on for a moment. */
  rotate(token: string): Promise<OpenedSession | undefined>;
  /** Keeps an account's sessions in step with its stream. A new role asks for new tokens. */
  update(accountId: string, facts: Partial<Omit<SessionFacts, 'accountId'>>): Promise<void>;
  close(token: string): Promise<void>;
  /** Signs an account out everywhere. */
  closeAll(accountId: string): Promise<void>;
  /** Removes what has ended. Returns how many. */
  sweep(): Promise<number>;
  /** Writes when the sessions that were used since were last seen; otherwise it is done every few seconds. */
  flush(): Promise<void>;
  /** Flushes for the last time. */
  stop(): Promise<void>;
}

interface Row {
  readonly token_hash: Buffer;
  readonly id: string;
  readonly account_id: string;
  readonly role: Role;
  readonly email_verified: boolean;
  readonly profile_complete: boolean;
  readonly last_seen_at: Date;
  readonly ends_at: Date;
  readonly rotate: boolean;
}

const TOKEN = /^[\w-]{43}$/;
/** Last-seen is written at most once a minute for a session, all that wait in one statement. */
const SEEN_EVERY = MINUTE;
const WRITE_EVERY = 5_000;
/** How long the old token still works after a rotation: requests that were under way carry it. */
const GRACE = 30_000;
const LARGEST_LOOKUP = 500;

const FIND = {
  name: 'session-find',
  text: `select token_hash, id, account_id, role, email_verified, profile_complete, last_seen_at, ends_at, rotate
         from app.session where token_hash = any($1)`,
};

/** What the sessions table holds instead of a token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

const principalOf = (row: Row): SignedIn => ({
  kind: 'user',
  accountId: row.account_id,
  role: row.role,
  sessionId: row.id,
  emailVerified: row.email_verified,
  profileComplete: row.profile_complete,
});

interface Waiting {
  readonly hash: Buffer;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

/** Lookups that arrive in one turn share a query, and those that arrive while it is under way the next. */
const createLookup = (pool: Pick<pg.Pool, 'query'>) => {
  let waiting: Waiting[] = [];
  let running = false;

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, LARGEST_LOOKUP);
      waiting = waiting.slice(LARGEST_LOOKUP);
      try {
        const { rows } = await pool.query<Row>({ ...FIND, values: [batch.map(({ hash }) => hash)] });
        const found = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]));
        for (const one of batch) one.resolve(found.get(one.hash.toString('hex')));
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    running = false;
  };

  return (hash: Buffer): Promise<Row | undefined> => {
    const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>();
    waiting.push({ hash, resolve, reject });
    if (!running) {
      running = true;
      setImmediate(run);
    }
    return promise;
  };
};

/** Sessions in PostgreSQL, `app.session`. */
export const createSessions = (options: { pool: Pick<pg.Pool, 'query'>; clock: Clock }): Sessions => {
  const { pool, clock } = options;
  const lookup = createLookup(pool);
  let seen = new Map<string, Buffer>();
  let written: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    if (seen.size === 0) return;
    const hashes = [...seen.values()];
    seen = new Map();
    await pool.query('update app.session set last_seen_at = $2 where token_hash = any($1)', [
      hashes,
      clock(),
    ]);
  };
  /** One after the other, so that whoever flushes waits for what the timer has begun, too. */
  const writeSeen = (): Promise<void> => {
    const writing = written.then(write);
    written = writing.catch(() => undefined);
    return writing;
  };
  const timer = setInterval(() => {
    // A last-seen that could not be written is written with the session's next request.
    writeSeen().catch(() => undefined);
  }, WRITE_EVERY);
  timer.unref();

  const alive = (row: Row, now: number): boolean =>
    row.ends_at.getTime() > now && row.last_seen_at.getTime() + lifetimeOf(row.role).idle > now;

  const insert = async (facts: SessionFacts, createdAt: Date, endsAt: Date): Promise<OpenedSession> => {
    const token = randomBytes(32).toString('base64url');
    const id = randomUUID();
    await pool.query(
      `insert into app.session
         (token_hash, id, account_id, role, email_verified, profile_complete, created_at, last_seen_at, ends_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        hashToken(token),
        id,
        facts.accountId,
        facts.role,
        facts.emailVerified,
        facts.profileComplete,
        createdAt,
        clock(),
        endsAt,
      ],
    );
    return { token, endsAt, principal: { kind: 'user', ...facts, sessionId: id } };
  };

  return {
    open(facts) {
      const now = clock();
      return insert(facts, now, new Date(now.getTime() + lifetimeOf(facts.role).absolute));
    },
    async find(token) {
      if (!TOKEN.test(token)) return undefined;
      const hash = hashToken(token);
      const row = await lookup(hash);
      const now = clock().getTime();
      if (!row || !alive(row, now)) return undefined;
      if (row.last_seen_at.getTime() + SEEN_EVERY <= now) seen.set(row.id, hash);
      return { principal: principalOf(row), rotate: row.rotate };
    },
    async rotate(token) {
      const now = clock();
      const { rows } = await pool.query<Row & { created_at: Date; was_to_end: Date }>(
        `update app.session s set rotate = false, ends_at = least(s.ends_at, $2)
         from (select token_hash, ends_at as was_to_end from app.session where token_hash = $1 for update) as old
         where s.token_hash = old.token_hash and s.rotate
         returning s.*, old.was_to_end`,
        [hashToken(token), new Date(now.getTime() + GRACE)],
      );
      const [row] = rows;
      if (!row) return undefined;
      const { accountId, role, emailVerified, profileComplete } = principalOf(row);
      return insert({ accountId, role, emailVerified, profileComplete }, row.created_at, row.was_to_end);
    },
    async update(accountId, facts) {
      const absolute = facts.role ? lifetimeOf(facts.role).absolute : null;
      await pool.query(
        `update app.session set
           role = coalesce($2, role),
           rotate = rotate or (role <> coalesce($2, role)),
           ends_at = least(ends_at, created_at + coalesce($5::float8, 'infinity') * interval '1 millisecond'),
           email_verified = coalesce($3, email_verified),
           profile_complete = coalesce($4, profile_complete)
         where account_id = $1`,
        [accountId, facts.role ?? null, facts.emailVerified ?? null, facts.profileComplete ?? null, absolute],
      );
    },
    async close(token) {
      await pool.query('delete from app.session where token_hash = $1', [hashToken(token)]);
    },
    async closeAll(accountId) {
      await pool.query('delete from app.session where account_id = $1', [accountId]);
    },
    async sweep() {
      const { rowCount } = await pool.query('delete from app.session where ends_at <= $1', [clock()]);
      return rowCount ?? 0;
    },
    flush: writeSeen,
    async stop() {
      clearInterval(timer);
      await writeSeen();
    },
  };
};
