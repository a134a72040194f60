import type { Logger } from './logger.ts';
import { backOff, troubleWith } from './outage.ts';

/** Work that is repeated. */
export interface Recurring {
  /** Runs the work at once; if it is running, once more right after it. While the work fails, its next try comes by itself. */
  now(): void;
  /** Stops repeating it. Resolves when a run that is under way has ended. */
  stop(): Promise<void>;
}

/** The first pause after a failure, unless the work is repeated sooner anyway, and the longest, unless it is repeated later; in milliseconds. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/**
 * Runs `work` now, and again so many milliseconds after each run; while it fails, after growing pauses instead.
 * @param onError hears of each failure; a failure does not end the repetition
 * @param onWell hears of each success
 */
export const every = (
  milliseconds: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
  onWell?: () => void,
): Recurring => {
  let under: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  let stopped = false;
  let failures = 0;
  const first = Math.min(milliseconds, FIRST_PAUSE);
  const longest = Math.max(milliseconds, LONGEST_PAUSE);

  const run = (): void => {
    clearTimeout(timer);
    again = false;
    under = work()
      .then(
        () => {
          failures = 0;
          onWell?.();
        },
        (error: unknown) => {
          failures += 1;
          onError(error);
        },
      )
      .finally(() => {
        under = undefined;
        if (stopped) return;
        if (again && failures === 0) return run();
        timer = setTimeout(run, failures === 0 ? milliseconds : backOff(failures - 1, first, longest));
        timer.unref();
      });
  };
  run();
  return {
    now() {
      if (under) again = true;
      else if (!stopped && failures === 0) run();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await under;
    },
  };
};

/** Repeats a task of a process. Its trouble is logged once, and so is the end of it. */
export const repeat = (
  logger: Pick<Logger, 'warn' | 'info'>,
  milliseconds: number,
  task: string,
  run: () => Promise<unknown>,
): Recurring => {
  const { met, over } = troubleWith(logger, 'fails, and is tried again', { task });
  return every(milliseconds, run, met, over);
};
