import pg from 'pg';

export interface DatabaseOptions {
  readonly max?: number;
  readonly name?: string;
  readonly longest?: number;
  readonly onError?: (error: Error) => void;
}

export interface Database {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** Milliseconds. TCP notices a vanished host after a quarter of an hour. */
export const LONGEST_STATEMENT = 60_000;

/** For instant queries: they fail early and are retried on another connection. */
export const QUICK = { query_timeout: 5_000 } as const;

/** Detects a dead idle connection within a minute; the system takes two hours. */
export const STAYS_OPEN = { keepAlive: true, keepAliveInitialDelayMillis: 30_000 } as const;

const { builtins } = pg.types;

const toSafeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint beyond 2^53: ${text}`);
  return value;
};

/**
 * `bigint` as a number (none of ours passes 2^53), `date` as text (a `Date` would shift it by the machine's
 * zone), `numeric` as text.
 */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === builtins.INT8) return toSafeNumber;
    if (oid === builtins.DATE) return (text: string) => text;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/** Connects lazily. Close it to let the process end. */
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
  // Without a listener, a broken connection would end the process. Idle ones report to the pool.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { pool, close: () => pool.end() };
};
