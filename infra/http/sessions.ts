/**
 * `app.session` stores the token's SHA-256, role and flags. Nothing is cached, so every process refuses a
 * revoked session at once.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Role } from '#domain/account/events.ts';
import type { Clock } from '#infra/lib/clock.ts';
import { QUICK } from '#infra/postgres/database.ts';
import type { SignedIn } from './principal.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds, idle and in all. */
export const lifetimeOf = (role: Role): { idle: number; absolute: number } =>
  role === 'user' ? { idle: 7 * DAY, absolute: 30 * DAY } : { idle: 2 * HOUR, absolute: 12 * HOUR };

export interface SessionFacts {
  readonly accountId: string;
  readonly role: Role;
  readonly emailVerified: boolean;
  readonly profileComplete: boolean;
  readonly secondFactor?: boolean;
}

export interface OpenedSession {
  readonly token: string;
  readonly principal: SignedIn;
  readonly endsAt: Date;
}

export interface FoundSession {
  readonly principal: SignedIn;
  readonly rotate: boolean;
}

export interface ListedSession {
  readonly id: string;
  readonly device: string;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  readonly current: boolean;
}

export interface Sessions {
  open(facts: SessionFacts, device?: string): Promise<OpenedSession>;
  find(token: string): Promise<FoundSession | undefined>;
  rotate(token: string): Promise<OpenedSession | undefined>;
  /** If rights change, tokens are rotated and live streams end. */
  update(accountId: string, facts: Partial<Omit<SessionFacts, 'accountId'>>): Promise<void>;
  close(token: string): Promise<void>;
  list(accountId: string, sessionId: string): Promise<readonly ListedSession[]>;
  endOne(accountId: string, signIn: string): Promise<boolean>;
  closeOthers(accountId: string, sessionId: string): Promise<void>;
  closeOlder(accountId: string, before: Date): Promise<void>;
  closeWithoutCode(accountId: string): Promise<void>;
  closeAll(accountId: string): Promise<void>;
  sweep(): Promise<number>;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface Row {
  readonly token_hash: Buffer;
  readonly id: string;
  readonly account_id: string;
  readonly role: Role;
  readonly email_verified: boolean;
  readonly profile_complete: boolean;
  readonly second_factor: boolean;
  readonly last_seen_at: Date;
  readonly created_at: Date;
  readonly ends_at: Date;
  readonly rotate: boolean;
}

type ListedRow = Pick<Row, 'role' | 'created_at' | 'last_seen_at' | 'ends_at'> & {
  readonly device: string;
  readonly sign_in: string;
  readonly current: boolean;
};

const TOKEN = /^[\w-]{43}$/;
const SEEN_EVERY = MINUTE;
const WRITE_EVERY = 5_000;
/** Milliseconds that a rotated token still works, for requests already sent. */
const GRACE = 30_000;
const LARGEST_LOOKUP = 500;

const FIND = {
  ...QUICK,
  name: 'session-find',
  text: `select token_hash, id, account_id, role, email_verified, profile_complete, second_factor, created_at,
                last_seen_at, ends_at, rotate
         from app.session where token_hash = any($1)`,
};

export const SESSION_ENDED = 'session_ended';

const ending = (condition: string): string =>
  `with ended as (delete from app.session where ${condition} returning id)
   select pg_notify('${SESSION_ENDED}', id::text) from ended`;

const newToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

const principalOf = (row: Row): SignedIn => ({
  kind: 'user',
  accountId: row.account_id,
  role: row.role,
  sessionId: row.id,
  emailVerified: row.email_verified,
  profileComplete: row.profile_complete,
  secondFactor: row.second_factor,
  signedInAt: row.created_at,
});

interface Waiting {
  readonly hash: Buffer;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

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
  /** Serialised: a flush also waits for the timer's write. */
  const writeSeen = (): Promise<void> => {
    const writing = written.then(write);
    written = writing.catch(() => undefined);
    return writing;
  };
  const timer = setInterval(() => {
    writeSeen().catch(() => undefined);
  }, WRITE_EVERY);
  timer.unref();

  const alive = (row: Pick<Row, 'role' | 'last_seen_at' | 'ends_at'>, now: number): boolean =>
    row.ends_at.getTime() > now && row.last_seen_at.getTime() + lifetimeOf(row.role).idle > now;

  /** A statement that waited for a concurrent rotation does not see its new row: repeat until none is found. */
  const end = async (condition: string, values: readonly unknown[]): Promise<number> => {
    for (let ended = 0; ; ) {
      const { rowCount } = await pool.query(ending(condition), [...values]);
      if (!rowCount) return ended;
      ended += rowCount;
    }
  };

  return {
    async open(facts, device = 'Unknown device') {
      const [token, id, createdAt] = [newToken(), randomUUID(), clock()];
      const endsAt = new Date(createdAt.getTime() + lifetimeOf(facts.role).absolute);
      const { accountId, role, emailVerified, profileComplete, secondFactor = false } = facts;
      await pool.query(
        `insert into app.session
           (token_hash, id, account_id, role, email_verified, profile_complete, second_factor, created_at, last_seen_at, ends_at,
            device, sign_in)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11)`,
        [
          hashToken(token),
          id,
          accountId,
          role,
          emailVerified,
          profileComplete,
          secondFactor,
          createdAt,
          endsAt,
          device,
          randomUUID(),
        ],
      );
      const principal = {
        kind: 'user',
        ...facts,
        secondFactor,
        sessionId: id,
        signedInAt: createdAt,
      } as const;
      return { token, endsAt, principal };
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
      const renewed = newToken();
      // One statement: the new session has the old one's current state, and exists only if that still does.
      const { rows } = await pool.query<Row>(
        `with renewed as (
           update app.session s set rotate = false, ends_at = least(s.ends_at, $2)
           from (select token_hash, ends_at as was_to_end from app.session where token_hash = $1 for update) as old
           where s.token_hash = old.token_hash and s.rotate
           returning s.*, old.was_to_end)
         insert into app.session
           (token_hash, id, account_id, role, email_verified, profile_complete, second_factor, created_at, last_seen_at, ends_at,
            device, sign_in)
         select $3, $4, account_id, role, email_verified, profile_complete, second_factor, created_at, $5, was_to_end, device, sign_in
         from renewed
         returning *`,
        [hashToken(token), new Date(now.getTime() + GRACE), hashToken(renewed), randomUUID(), now],
      );
      const [row] = rows;
      return row && { token: renewed, endsAt: row.ends_at, principal: principalOf(row) };
    },
    async update(accountId, facts) {
      const absolute = facts.role ? lifetimeOf(facts.role).absolute : null;
      // Each session once, and repeated as in `end`.
      const updated: string[] = [];
      for (let more = true; more; ) {
        const { rows } = await pool.query<{ id: string }>(
          `with before as (
             select id, role, second_factor from app.session where account_id = $1 and id <> all($7) for update),
           updated as (
             update app.session s set
               role = coalesce($2, s.role),
               rotate = rotate or s.role <> coalesce($2, s.role) or s.second_factor <> coalesce($6, s.second_factor),
               -- Where nothing is said of its length, the sum is null, and "least" passes over that.
               ends_at = least(ends_at, created_at + $5::float8 * interval '1 millisecond'),
               email_verified = coalesce($3, email_verified),
               profile_complete = coalesce($4, profile_complete),
               second_factor = coalesce($6, s.second_factor)
             from before where s.id = before.id
             returning s.id, s.role <> before.role or s.second_factor < before.second_factor as other_rights)
           select id, case when other_rights then pg_notify('${SESSION_ENDED}', id::text) end from updated`,
          [
            accountId,
            facts.role ?? null,
            facts.emailVerified ?? null,
            facts.profileComplete ?? null,
            absolute,
            facts.secondFactor ?? null,
            updated,
          ],
        );
        updated.push(...rows.map(({ id }) => id));
        more = rows.length > 0;
      }
    },
    async close(token) {
      const { rows } = await pool.query<Pick<Row, 'account_id'> & Pick<ListedRow, 'sign_in'>>(
        'select account_id, sign_in from app.session where token_hash = $1',
        [hashToken(token)],
      );
      for (const one of rows) await end('account_id = $1 and sign_in = $2', [one.account_id, one.sign_in]);
    },
    async list(accountId, sessionId) {
      const { rows } = await pool.query<ListedRow>(
        `select sign_in, min(device) as device, min(role) as role, min(created_at) as created_at,
                max(last_seen_at) as last_seen_at, max(ends_at) as ends_at, bool_or(id = $2) as current
         from app.session where account_id = $1 group by sign_in order by max(last_seen_at) desc, sign_in`,
        [accountId, sessionId],
      );
      const now = clock().getTime();
      return rows
        .filter((row) => alive(row, now))
        .map((row) => ({
          id: row.sign_in,
          device: row.device,
          firstSeen: row.created_at,
          lastSeen: row.last_seen_at,
          current: row.current,
        }));
    },
    async endOne(accountId, signIn) {
      return (await end('account_id = $1 and sign_in = $2', [accountId, signIn])) > 0;
    },
    async closeOthers(accountId, sessionId) {
      const own = '(select sign_in from app.session where id = $2)';
      await end(`account_id = $1 and sign_in is distinct from ${own}`, [accountId, sessionId]);
    },
    async closeOlder(accountId, before) {
      await end('account_id = $1 and created_at < $2', [accountId, before]);
    },
    async closeWithoutCode(accountId) {
      await end('account_id = $1 and not second_factor', [accountId]);
    },
    async closeAll(accountId) {
      await end('account_id = $1', [accountId]);
    },
    async sweep() {
      const now = clock().getTime();
      const used = (role: Role): Date => new Date(now - lifetimeOf(role).idle - SEEN_EVERY);
      const idle = `last_seen_at <= case role when 'user' then $2::timestamptz else $3 end`;
      return end(`ends_at <= $1 or ${idle}`, [new Date(now), used('user'), used('staff')]);
    },
    flush: writeSeen,
    async stop() {
      clearInterval(timer);
      await writeSeen();
    },
  };
};
