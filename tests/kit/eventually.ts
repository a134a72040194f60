import { vi } from 'vitest';

/**
 * Waits until `check` no longer fails, and answers with what it answers: for what work in the background brings about. It has as
 * long as a busy machine may take.
 * @throws what `check` failed with the last time
 */
export const eventually = <Found>(check: () => Promise<Found> | Found): Promise<Found> =>
  vi.waitFor(check, { timeout: 60_000, interval: 25 });
