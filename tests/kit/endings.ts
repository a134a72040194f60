/** Clears away what specs need: whoever makes something for a spec says at once how it ends. */
import { afterAll, afterEach, beforeEach, vi } from 'vitest';

type Ending = () => unknown;

/** What ends with the file, and above it what ends with the spec that runs. */
const endings: Ending[][] = [[]];

const run = async (some: readonly Ending[]): Promise<void> => {
  for (const ending of some.toReversed()) await ending();
};

/**
 * Does it when the spec has ended that asks for it, or when all specs of the file have where a `beforeAll` asks; after their own
 * hooks, and the newest first.
 */
export const atTheEnd = (ending: Ending): void => {
  endings.at(-1)?.push(ending);
};

/** Called by `setup.ts` before the hooks of a file are known, so that these are the outermost. */
export const watchEnds = (): void => {
  beforeEach(() => {
    endings.push([]);
  });
  afterEach(() => run(endings.pop() ?? []));
  afterAll(async () => {
    await run(endings.splice(0, 1, [])[0] ?? []);
    // The next file runs in the same process, on the real clock.
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
};
