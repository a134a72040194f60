/** Failures that pass by themselves, because something that everything needs is away: how they are told from others, and borne. */
import { setTimeout as sleep } from 'node:timers/promises';
import { wordsOf } from './cannot-start.ts';
import type { Logger } from './logger.ts';
import { isOutage } from './postgres-outage.ts';

/** The errors of our own that say so. */
const PASSING = new Set(['LogUnavailable', 'OutcomeUnknown', 'Busy', 'GatewayUnavailable', 'MailServerAway']);

/** Whether work failed because the database, the log, the provider or the mail server is away: other work would fail alike. */
export const isPassing = (error: unknown): boolean =>
  isOutage(error) || (error instanceof Error && PASSING.has(error.name));

/** A pause that doubles with each failure in a row, up to `longest`, less up to half of it by chance: not all who failed together come back together. All in milliseconds. */
export const backOff = (failures: number, first: number, longest: number): number =>
  Math.min(longest, first * 2 ** Math.min(failures, 30)) * (1 - Math.random() / 2);

/** Failures of work that is tried until it works. */
export interface Trouble {
  /** It failed. Each cause is logged once, until it works again. */
  met(error: unknown): void;
  /** It worked. Says once that the trouble is over, and how often it was tried. */
  over(): void;
  /** How often it failed in a row. */
  readonly failures: number;
}

/** A cause with changing words (a port, a number) would else be logged each time. */
const MOST_CAUSES = 10;

/** @param words what is said of each cause  @param about further fields of each line */
export const troubleWith = (
  logger: Pick<Logger, 'warn' | 'info'>,
  words: string,
  about: Readonly<Record<string, unknown>> = {},
): Trouble => {
  const causes = new Set<string>();
  let failures = 0;
  return {
    get failures() {
      return failures;
    },
    met(error) {
      failures += 1;
      const cause = wordsOf(error);
      if (causes.has(cause) || causes.size >= MOST_CAUSES) return;
      causes.add(cause);
      logger.warn({ ...about, err: error }, words);
    },
    over() {
      if (failures > 0) logger.info({ ...about, failures }, 'works again');
      failures = 0;
      causes.clear();
    },
  };
};

/** Waits, but no longer than until `signal` is aborted. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined /* it is over */);
