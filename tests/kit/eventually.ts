import { vi } from 'vitest';

/**
 * Waits until `check` no longer fails: for what work in the background brings about. It has as long as a busy machine may take.
 * @throws what `check` failed with the last time
 */
export const eventually = (check: () => Promise<void> | void): Promise<void> =>
  vi.waitFor(check, { timeout: 60_000, interval: 25 });
