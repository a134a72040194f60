import { wordsOf } from '#infra/cannot-start.ts';
import type { Logger } from './logger.ts';

/** How often the same complaint is written, in milliseconds: what is away is tried many times a second. */
const SAME_AGAIN = 60_000;

/**
 * Warns of what is tried again by itself. While it fails in the same way it is written once a minute, with how often it
 * came, so that an outage doesn't drown everything else.
 * @param about goes into each line
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
    if (known && now() - known.at < SAME_AGAIN) {
      known.unwritten += 1;
      return;
    }
    // What was said long ago is forgotten, so that this doesn't grow with every new wording.
    for (const [old, { at }] of written) if (now() - at >= SAME_AGAIN) written.delete(old);
    written.set(what, { at: now(), unwritten: 0 });
    const times = known?.unwritten ? { times: known.unwritten + 1 } : {};
    logger.warn({ ...about, ...times, err: error }, words);
  };
};
