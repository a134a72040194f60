import type { Logger } from './logger.ts';
import { backOff, troubleWith } from './outage.ts';

export interface Recurring {
  now(): void;
  stop(): Promise<void>;
}

/** Milliseconds after a failure, unless the interval is shorter (first) or longer (longest). */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** Milliseconds between runs. Failures do not end the repetition. */
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

export const repeat = (
  logger: Pick<Logger, 'warn' | 'info'>,
  milliseconds: number,
  task: string,
  run: () => Promise<unknown>,
): Recurring => {
  const { met, over } = troubleWith(logger, 'fails, and is tried again', { task });
  return every(milliseconds, run, met, over);
};
