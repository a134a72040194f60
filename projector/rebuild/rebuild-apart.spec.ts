import { describe, expect, it } from 'vitest';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { type ApartOptions, rebuildApart } from './rebuild-apart.ts';

/** Rebuilds that end as told, one after the other; an error is one that could not be started. */
const rebuilds = (...ends: (number | null | Error)[]) => {
  const over = new AbortController();
  let runs = 0;
  const options: ApartOptions = {
    run: async () => {
      const end = ends[runs++];
      // Nobody expects another one; where it comes all the same, it is the last.
      if (end === undefined) over.abort();
      else if (end instanceof Error) throw end;
      return end ?? null;
    },
    isDone: async () => false,
    signal: over.signal,
    logger: silentLogger(),
    firstWait: 1,
  };
  return { over, options, runs: () => runs };
};

describe('a rebuild in its own process', () => {
  it('is retried when its process dies or cannot be started', async () => {
    const { options, runs } = rebuilds(1, null, new Error('no memory'), 0);
    await rebuildApart(options);
    expect(runs()).toBe(4);
  });

  it('is left to another process that was quicker', async () => {
    const { options, runs } = rebuilds(1);
    await rebuildApart({ ...options, isDone: async () => true });
    expect(runs()).toBe(1);
  });

  it('is stopped at once with the process that started it', async () => {
    const { over, options, runs } = rebuilds(1);
    const ended = rebuildApart({ ...options, firstWait: 600_000 });
    over.abort();
    await ended;
    expect(runs()).toBe(1);
  });

  it('is stopped while it waits for its next try', async () => {
    const { over, options, runs } = rebuilds(1);
    const waits = Promise.withResolvers<void>();
    const logger = { ...options.logger, error: () => void setImmediate(waits.resolve) };
    const ended = rebuildApart({ ...options, logger, firstWait: 600_000 });
    await waits.promise;
    over.abort();
    await ended;
    expect(runs()).toBe(1);
  });
});
