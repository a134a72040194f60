/** Work that is repeated. */
export interface Recurring {
  /** Runs the work at once; if it is running, once more right after it. */
  now(): void;
  /** Stops repeating it. Resolves when a run that is under way has ended. */
  stop(): Promise<void>;
}

/** Runs `work` now, and again every so many milliseconds, but never twice at the same time. A failure goes to `onError` and does not end it. */
export const every = (
  milliseconds: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Recurring => {
  let under: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  const now = (): void => {
    if (stopped) return;
    if (under) {
      again = true;
      return;
    }
    again = false;
    under = work()
      .then(() => undefined, onError)
      .finally(() => {
        under = undefined;
        if (again) now();
      });
  };
  const timer = setInterval(now, milliseconds);
  timer.unref();
  now();
  return {
    now,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await under;
    },
  };
};
