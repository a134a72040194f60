import { failureOf } from '#web/lib/failure.ts';
import { onConnection } from './connection.ts';

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 8_000;

/** Ends early when the connection comes back. */
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unwatch();
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    const unwatch = onConnection(end);
  });

/**
 * Retries an idempotent call with growing pauses until it succeeds or `isOver` returns true.
 * @param isOver `elapsed` in milliseconds
 * @throws the last failure; once an outcome was unknown, never `not-sent`
 */
export const askUntil = async <Answer>(
  send: () => Promise<Answer>,
  isOver: (error: unknown, elapsed: number) => boolean,
): Promise<Answer> => {
  const start = performance.now();
  let doubt: unknown;
  for (let next = FIRST_PAUSE; ; next = Math.min(2 * next, LONGEST_PAUSE)) {
    try {
      return await send();
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'unknown') doubt = error;
      if (isOver(error, performance.now() - start)) throw failure === 'not-sent' ? (doubt ?? error) : error;
    }
    await pause(next);
  }
};

/** Milliseconds. */
const PATIENCE = 8_000;

export const askUntilKnown = <Answer>(send: () => Promise<Answer>): Promise<Answer> =>
  askUntil(send, (error, elapsed) => failureOf(error) !== 'unknown' || elapsed > PATIENCE);
