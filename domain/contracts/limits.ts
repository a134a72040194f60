const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface Limit {
  readonly most: number;
  /** Milliseconds. A window starts with the first counted call. */
  readonly within: number;
  /** Limits that protect secrets use PostgreSQL, so that all processes share the count. */
  readonly counted: 'in PostgreSQL' | 'in the process';
  /** `session` counts per session (device). Default: per account. */
  readonly by?: 'session';
  /**
   * `accounts` exempts visitors, since thousands in one hall have the same browser. Default: visitors count
   * by browser and address.
   */
  readonly of?: 'accounts';
}

/** Tests and benchmarks raise them with `RATE_LIMITS`. */
export const limits = {
  address: { most: 6_000, within: MINUTE, counted: 'in the process' },
  /** All limited calls by visitors behind one address, besides the count per browser: stops callers who invent browsers. */
  visitors: { most: 50, within: HOUR, counted: 'in the process' },
  /** All changes by visitors and customers from one address. Staff are exempt: a venue's gates share an address. */
  'changes-address': { most: 30_000, within: HOUR, counted: 'in the process' },
  /** Default for changes, per account. */
  changes: { most: 60, within: 10 * MINUTE, counted: 'in the process', of: 'accounts' },
  /** Ends a session without writing to the log. */
  'sign-out': { most: 60, within: MINUTE, counted: 'in the process', by: 'session', of: 'accounts' },
  administration: { most: 600, within: 10 * MINUTE, counted: 'in the process' },
  /** Queries per session or visitor. */
  reads: { most: 1_200, within: MINUTE, counted: 'in the process', by: 'session' },
  'sign-in': { most: 5, within: 15 * MINUTE, counted: 'in PostgreSQL' },
  /** Failed sign-ins to one account in total; known devices have a separate count. */
  'sign-in-account': { most: 100, within: HOUR, counted: 'in PostgreSQL' },
  'sign-in-address': { most: 50, within: HOUR, counted: 'in PostgreSQL' },
  'password-again': { most: 5, within: 15 * MINUTE, counted: 'in PostgreSQL' },
  'second-factor': { most: 5, within: 15 * MINUTE, counted: 'in PostgreSQL' },
  /** Wrong app codes per day: stops slow guessing by someone who has the password. Recovery codes are too long to guess. */
  'second-factor-day': { most: 20, within: 24 * HOUR, counted: 'in PostgreSQL' },
  registration: { most: 20, within: HOUR, counted: 'in PostgreSQL' },
  reset: { most: 3, within: HOUR, counted: 'in PostgreSQL' },
  /** Reset mails to one account in total; known devices have a separate count. */
  'reset-account': { most: 10, within: HOUR, counted: 'in PostgreSQL' },
  'reset-address': { most: 50, within: HOUR, counted: 'in PostgreSQL' },
  verification: { most: 5, within: HOUR, counted: 'in PostgreSQL' },
  'mail-token': { most: 60, within: HOUR, counted: 'in PostgreSQL' },
  promotion: { most: 10, within: MINUTE, counted: 'in the process' },
  intent: { most: 100, within: 10 * MINUTE, counted: 'in the process' },
  booking: { most: 10, within: MINUTE, counted: 'in the process' },
  profile: { most: 20, within: HOUR, counted: 'in the process' },
  /** Each ticket download is rendered and logged. */
  download: { most: 60, within: HOUR, counted: 'in the process' },
  /** List exports: each is read row by row and logged. */
  export: { most: 60, within: HOUR, counted: 'in the process' },
  /** Personal data exports: each reads many tables and streams and is logged. */
  'own-data': { most: 6, within: HOUR, counted: 'in the process' },
  unsealing: { most: 60, within: MINUTE, counted: 'in the process' },
  /** A booking's trail reads six streams. */
  history: { most: 60, within: MINUTE, counted: 'in the process' },
  upload: { most: 30, within: MINUTE, counted: 'in the process' },
  'test-mail': { most: 20, within: HOUR, counted: 'in the process' },
  scan: { most: 10, within: SECOND, counted: 'in the process', by: 'session' },
  /** Guest searches without a code: each shows names and is logged. */
  guests: { most: 60, within: MINUTE, counted: 'in the process', by: 'session' },
  newsletter: { most: 5, within: HOUR, counted: 'in the process' },
  support: { most: 5, within: HOUR, counted: 'in the process' },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
