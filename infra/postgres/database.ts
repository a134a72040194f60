/** One pool of connections to PostgreSQL. */
import pg from 'pg';

export interface DatabaseOptions {
  /** Connections at the most. Default 10. */
  readonly max?: number;
  /** Shown in `pg_stat_activity`, so that operators see who holds what. */
  readonly name?: string;
  /** How long an answer is waited for, in milliseconds; then the statement fails and its connection is replaced. Default `LONGEST_STATEMENT`. */
  readonly longest?: number;
  /** Called when an idle connection breaks (the pool replaces it). Default: nothing, since the next query tells. */
  readonly onError?: (error: Error) => void;
}

/** An open pool. */
export interface Database {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** For how long the site waits for the answer to a statement, in milliseconds: far longer than any of its own takes. A host that vanishes says nothing, and TCP waits a quarter of an hour. */
export const LONGEST_STATEMENT = 60_000;

/** For what takes no time at all, and much waits for it: it fails, and is asked anew on another connection. Spread it into a query. */
export const QUICK = { query_timeout: 5_000 } as const;

/** For connections that stay open: of a quiet one it is found out within a minute that it leads nowhere any more. The system would begin to ask after two hours. */
export const STAYS_OPEN = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;

const { builtins } = pg.types;

const toSafeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint beyond 2^53: ${text}`);
  return value;
};

/**
 * How values arrive: `bigint` as a number (none of ours passes 2^53), `date` as the text `YYYY-MM-DD` (a
 * `Date` would shift it by the machine's zone), `numeric` as text, `timestamptz` as a `Date`.
 */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === builtins.INT8) return toSafeNumber;
    if (oid === builtins.DATE) return (text: string) => text;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/** Opens a pool; connections are made when first needed. Close it to let the process end. */
export const openDatabase = (
  url: string,
  {
    max = 10,
    name = 'reprise',
    longest = LONGEST_STATEMENT,
    onError = () => undefined,
  }: DatabaseOptions = {},
): Database => {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: name,
    types,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    query_timeout: longest,
    ...STAYS_OPEN,
  });
  // Without a listener, a connection that breaks would end the process. Idle ones report to the pool; one that is
  // checked out to itself, besides failing its query.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { pool, close: () => pool.end() };
};
