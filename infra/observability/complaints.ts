import { wordsOf } from '#infra/lib/cannot-start.ts';
import type { Logger } from '#infra/lib/logger.ts';

const REPEAT_AFTER = 60_000;

/**
 * Logs repeated failures once a minute with a count.
 * @param about extra fields
 * @param now milliseconds
 */
export const complaints = (
  logger: Pick<Logger, 'warn'>,
  words: string,
  about: Readonly<Record<string, unknown>> = {},
  now: () => number = () => performance.now(),
): ((error: unknown) => void) => {
  const written = new Map<string, { readonly at: number; unwritten: number }>();
  return (error) => {
    const what = wordsOf(error);
    const known = written.get(what);
    if (known && now() - known.at < REPEAT_AFTER) {
      known.unwritten += 1;
      return;
    }
    for (const [old, { at }] of written) if (now() - at >= REPEAT_AFTER) written.delete(old);
    written.set(what, { at: now(), unwritten: 0 });
    const times = known?.unwritten ? { times: known.unwritten + 1 } : {};
    logger.warn({ ...about, ...times, err: error }, words);
  };
};
