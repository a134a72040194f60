const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A limit on how often something may be done. */
export interface Limit {
  /** How often within a window. */
  readonly most: number;
  /** The length of a window, in milliseconds. A window starts with the first call that it counts. */
  readonly within: number;
  /** Where it is counted. Limits that protect secrets are counted in PostgreSQL, so that several processes count together. */
  readonly counted: 'in PostgreSQL' | 'in the process';
  /** `session` if each session of a signed-in person (a device) has a count of its own. Default: all sessions of an account count together. */
  readonly by?: 'session';
  /** `accounts` if visitors are not counted, since thousands in one hall have the same browser. Default: visitors count by browser and address. */
  readonly of?: 'accounts';
}

/** All limits by name. Tests and benchmarks raise them with the variable `RATE_LIMITS`. */
export const limits = {
  /** All calls from one address (`countedAddress`, as in every limit by address). In IPv6 its line counts too, ten times as generously. */
  address: { most: 6_000, within: MINUTE, counted: 'in the process' },
  /**
   * All calls with a limit by visitors behind one address. Each browser there also has a count of its own, so that neighbours don't use
   * up each other's; this limit stops a caller who invents browsers.
   */
  visitors: { most: 50, within: HOUR, counted: 'in the process' },
  /** Changes by visitors and customers from one address, whatever they change. Staff don't count: a venue's gates share an address. */
  'changes-address': { most: 30_000, within: HOUR, counted: 'in the process' },
  /** Changes by one account: the limit of calls that have none of their own. */
  changes: { most: 60, within: 10 * MINUTE, counted: 'in the process', of: 'accounts' },
  /** It ends a session, and writes nothing to the log. */
  'sign-out': { most: 60, within: MINUTE, counted: 'in the process', by: 'session', of: 'accounts' },
  /** Changes in the admin panel. */
  administration: { most: 600, within: 10 * MINUTE, counted: 'in the process' },
  /** Queries of one session or one visitor. */
  reads: { most: 1_200, within: MINUTE, counted: 'in the process', by: 'session' },
  /** Wrong sign-ins to one account, from one address or on one device that is known there. */
  'sign-in': { most: 5, within: 15 * MINUTE, counted: 'in PostgreSQL' },
  /** Wrong sign-ins to one account from everywhere; those on devices that are known there have this count to themselves. */
  'sign-in-account': { most: 100, within: HOUR, counted: 'in PostgreSQL' },
  /** Wrong sign-ins from one address, to any accounts. */
  'sign-in-address': { most: 50, within: HOUR, counted: 'in PostgreSQL' },
  /** Wrong passwords where an account's own one is asked for again. */
  'password-again': { most: 5, within: 15 * MINUTE, counted: 'in PostgreSQL' },
  /** Wrong codes of an account's second factor. */
  'second-factor': { most: 5, within: 15 * MINUTE, counted: 'in PostgreSQL' },
  /** Wrong codes of an account's app in a day, or whoever knows the password would guess one in the end. Recovery codes are too long to guess. */
  'second-factor-day': { most: 20, within: 24 * HOUR, counted: 'in PostgreSQL' },
  registration: { most: 20, within: HOUR, counted: 'in PostgreSQL' },
  /** Mails with a link for a new password to one account, asked for from one address or on one device that is known there. */
  reset: { most: 3, within: HOUR, counted: 'in PostgreSQL' },
  /** Such mails to one account, whoever asks; the devices that are known there have this count to themselves. */
  'reset-account': { most: 10, within: HOUR, counted: 'in PostgreSQL' },
  /** Requests for such mails from one address, for any accounts. */
  'reset-address': { most: 50, within: HOUR, counted: 'in PostgreSQL' },
  verification: { most: 5, within: HOUR, counted: 'in PostgreSQL' },
  /** Attempts with a token of a mail, by address. */
  'mail-token': { most: 60, within: HOUR, counted: 'in PostgreSQL' },
  promotion: { most: 10, within: MINUTE, counted: 'in the process' },
  intent: { most: 100, within: 10 * MINUTE, counted: 'in the process' },
  booking: { most: 10, within: MINUTE, counted: 'in the process' },
  /** Each completed profile stays in the log. */
  profile: { most: 20, within: HOUR, counted: 'in the process' },
  /** Downloads of tickets: each is rendered and recorded in the log. */
  download: { most: 60, within: HOUR, counted: 'in the process' },
  /** Files of whole lists: each is read from the database row by row, and each stays in the log. */
  export: { most: 60, within: HOUR, counted: 'in the process' },
  /** Files of all that is held on a person: each is read from many tables and streams, and each stays in the log. */
  'own-data': { most: 6, within: HOUR, counted: 'in the process' },
  /** Sealed values of single events: each stays in the log. */
  unsealing: { most: 60, within: MINUTE, counted: 'in the process' },
  /** Trails of bookings: each is read from six streams of the log. */
  history: { most: 60, within: MINUTE, counted: 'in the process' },
  /** Images: each is decoded, and stays on the disk. */
  upload: { most: 30, within: MINUTE, counted: 'in the process' },
  /** Mails with a template on sample data, to whoever asks. */
  'test-mail': { most: 20, within: HOUR, counted: 'in the process' },
  scan: { most: 10, within: SECOND, counted: 'in the process', by: 'session' },
  /** Searches for guests without a code: each shows names and stays in the log. */
  guests: { most: 60, within: MINUTE, counted: 'in the process', by: 'session' },
  newsletter: { most: 5, within: HOUR, counted: 'in the process' },
  support: { most: 5, within: HOUR, counted: 'in the process' },
} as const satisfies Record<string, Limit>;

/** The name of a limit. */
export type LimitName = keyof typeof limits;
