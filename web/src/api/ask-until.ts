import { onConnection } from './connection.ts';
import { failureOf } from './failure.ts';

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 8_000;

/** Waits, but no longer than until the connection comes back. */
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
 * Makes a call again and again, with growing pauses, until it succeeds or `isOver` says so of its failure. The call has to be one that
 * can be repeated, such as one with an idempotency key.
 * @param isOver is told for how many milliseconds the call has been repeated by now
 * @throws the last failure; but once one has left open whether the call was carried out, never one that says it was not sent
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

/** How long a change is repeated by itself while nobody knows what became of it, in milliseconds. Then the person decides. */
const PATIENCE = 8_000;

/** Makes a call that can be repeated, and repeats it for a while as long as nobody knows what became of it. */
export const askUntilKnown = <Answer>(send: () => Promise<Answer>): Promise<Answer> =>
  askUntil(send, (error, elapsed) => failureOf(error) !== 'unknown' || elapsed > PATIENCE);
