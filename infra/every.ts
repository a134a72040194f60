/** Work that recurs. */
export interface Recurring {
  /** Does it as soon as it is not being done. */
  now(): void;
  /** Does it no more, and resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Does `work` now and then every so many milliseconds, never twice at once. A failure goes to `onError`; the next turn comes. */
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
