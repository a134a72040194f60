const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface Limit {
  readonly most: number;
  /** Milliseconds from the first counted call. */
  readonly within: number;
  /** PostgreSQL shares the count between processes: for limits that protect secrets. */
  readonly counted: 'in PostgreSQL' | 'in the process';
  /** Per session (device). Default: per account. */
  readonly by?: 'session';
  /** `accounts` exempts visitors: thousands in one hall have the same browser. Default: visitors count by browser and address. */
  readonly of?: 'accounts';
}

/** `RATE_LIMITS` raises them for tests and benchmarks. */
export const limits = {
  address: { most: 6_000, within: MINUTE, counted: 'in the process' },
  /** All limited calls by visitors behind one address: stops callers who invent browsers. */
  visitors: { most: 50, within: HOUR, counted: 'in the process' },
  /** Of visitors and customers at one address. Staff are exempt: a venue's gates share an address. */
  'changes-address': { most: 30_000, within: HOUR, counted: 'in the process' },
  /** The default for changes. */
  changes: { most: 60, within: 10 * MINUTE, counted: 'in the process', of: 'accounts' },
  /** Logs nothing. */
  'sign-out': { most: 60, within: MINUTE, counted: 'in the process', by: 'session', of: 'accounts' },
  administration: { most: 600, within: 10 * MINUTE, counted: 'in the process' },
  /** The default for queries. */
  reads: { most: 1_200, within: MINUTE, counted: 'in the process', by: 'session' },
  'sign-in': { most: 5, within: 15 * MINUTE, counted: 'in PostgreSQL' },
  /** Failures for one account; known devices have a count of their own. */
  'sign-in-account': { most: 100, within: HOUR, counted: 'in PostgreSQL' },
  'sign-in-address': { most: 50, within: HOUR, counted: 'in PostgreSQL' },
  'password-again': { most: 5, within: 15 * MINUTE, counted: 'in PostgreSQL' },
  'second-factor': { most: 5, within: 15 * MINUTE, counted: 'in PostgreSQL' },
  /** Stops slow guessing by someone who has the password. Recovery codes are too long to guess. */
  'second-factor-day': { most: 20, within: 24 * HOUR, counted: 'in PostgreSQL' },
  registration: { most: 20, within: HOUR, counted: 'in PostgreSQL' },
  reset: { most: 3, within: HOUR, counted: 'in PostgreSQL' },
  'reset-account': { most: 10, within: HOUR, counted: 'in PostgreSQL' },
  'reset-address': { most: 50, within: HOUR, counted: 'in PostgreSQL' },
  verification: { most: 5, within: HOUR, counted: 'in PostgreSQL' },
  'mail-token': { most: 60, within: HOUR, counted: 'in PostgreSQL' },
  promotion: { most: 10, within: MINUTE, counted: 'in the process' },
  intent: { most: 100, within: 10 * MINUTE, counted: 'in the process' },
  booking: { most: 10, within: MINUTE, counted: 'in the process' },
  profile: { most: 20, within: HOUR, counted: 'in the process' },
  download: { most: 60, within: HOUR, counted: 'in the process' },
  export: { most: 60, within: HOUR, counted: 'in the process' },
  'own-data': { most: 6, within: HOUR, counted: 'in the process' },
  unsealing: { most: 60, within: MINUTE, counted: 'in the process' },
  history: { most: 60, within: MINUTE, counted: 'in the process' },
  upload: { most: 30, within: MINUTE, counted: 'in the process' },
  'test-mail': { most: 20, within: HOUR, counted: 'in the process' },
  scan: { most: 10, within: SECOND, counted: 'in the process', by: 'session' },
  /** Searches without a code: each shows names and is logged. */
  guests: { most: 60, within: MINUTE, counted: 'in the process', by: 'session' },
  newsletter: { most: 5, within: HOUR, counted: 'in the process' },
  support: { most: 5, within: HOUR, counted: 'in the process' },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof limits;
