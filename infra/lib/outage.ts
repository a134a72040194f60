import { setTimeout as sleep } from 'node:timers/promises';
import { wordsOf } from './cannot-start.ts';
import type { Logger } from './logger.ts';
import { isOutage } from './postgres-outage.ts';

const PASSING = new Set(['LogUnavailable', 'OutcomeUnknown', 'Busy', 'GatewayUnavailable', 'MailServerAway']);

export const isPassing = (error: unknown): boolean =>
  isOutage(error) || (error instanceof Error && PASSING.has(error.name));

/** Milliseconds, exponential, minus up to half at random, so that clients don't retry in step. */
export const backOff = (failures: number, first: number, longest: number): number =>
  Math.min(longest, first * 2 ** Math.min(failures, 30)) * (1 - Math.random() / 2);

export interface Trouble {
  met(error: unknown): void;
  over(): void;
  readonly failures: number;
}

const MOST_CAUSES = 10;

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

export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined /* aborted */);
