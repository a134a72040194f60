const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How often something may be done. */
export interface Limit {
  /** How many within the window. */
  readonly most: number;
  /** Milliseconds. A window starts with the first that is counted in it. */
  readonly within: number;
  /** Those that guard secrets count in PostgreSQL, so that several processes count together. */
  readonly counted: 'in PostgreSQL' | 'in the process';
  /** Whose the count is where somebody is signed in: each session's own (a device), or all of an account's. Default: the account's. */
  readonly by?: 'session';
}

/** All limits by name. Tests and benchmarks raise them by configuration (`RATE_LIMITS`). */
export const limits = {
  /** Everything that comes from one address (`countedAddress`, here as wherever a limit is by address). */
  address: { most: 6_000, within: MINUTE, counted: 'in the process' },
  /**
   * Calls with a limit of their own, of all visitors behind one address: each browser there has its own count, so that neighbours
   * don't use up each other's, and whoever makes browsers up ends here.
   */
  visitors: { most: 50, within: HOUR, counted: 'in the process' },
  /** Reads of one session, or of one visitor. */
  reads: { most: 1_200, within: MINUTE, counted: 'in the process', by: 'session' },
  /** Wrong sign-ins. */
  'sign-in-account': { most: 5, within: 15 * MINUTE, counted: 'in PostgreSQL' },
  'sign-in-address': { most: 50, within: HOUR, counted: 'in PostgreSQL' },
  registration: { most: 20, within: HOUR, counted: 'in PostgreSQL' },
  /** Mails with a reset or a verification link, by account. */
  reset: { most: 3, within: HOUR, counted: 'in PostgreSQL' },
  /** Resets that one address asks for, whosever accounts they are. */
  'reset-address': { most: 50, within: HOUR, counted: 'in PostgreSQL' },
  verification: { most: 5, within: HOUR, counted: 'in PostgreSQL' },
  /** Tries of a token from a mail, by address. */
  'mail-token': { most: 60, within: HOUR, counted: 'in PostgreSQL' },
  promotion: { most: 10, within: MINUTE, counted: 'in the process' },
  intent: { most: 100, within: 10 * MINUTE, counted: 'in the process' },
  booking: { most: 10, within: MINUTE, counted: 'in the process' },
  /** Tickets' documents: each is drawn, and each stays in the log. */
  download: { most: 30, within: MINUTE, counted: 'in the process' },
  /** Files of whole lists: each is read from the database row by row, and each stays in the log. */
  export: { most: 10, within: MINUTE, counted: 'in the process' },
  scan: { most: 10, within: SECOND, counted: 'in the process', by: 'session' },
  newsletter: { most: 5, within: HOUR, counted: 'in the process' },
  support: { most: 5, within: HOUR, counted: 'in the process' },
} as const satisfies Record<string, Limit>;

/** A limit of the table. */
export type LimitName = keyof typeof limits;
