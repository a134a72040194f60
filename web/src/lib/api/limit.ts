import { ApiError, NoAnswer } from '#web/lib/failure.ts';
import { offlineSpell } from './connection.ts';

/** Request timeout in milliseconds. */
const LIMIT = 20_000;

/**
 * Aborts after the timeout or by the caller's signal.
 * @throws NoAnswer if our server doesn't answer in time
 */
export const withinLimit = async <Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  caller?: AbortSignal,
): Promise<Result> => {
  const offline = offlineSpell();
  const request = new AbortController();
  const over = new AbortController();
  for (const signal of [AbortSignal.timeout(LIMIT), caller]) {
    if (signal?.aborted) request.abort(signal.reason);
    signal?.addEventListener('abort', () => request.abort(signal.reason), { signal: over.signal });
  }
  try {
    return await run(request.signal);
  } catch (error) {
    if (error instanceof ApiError || caller?.aborted) throw error;
    throw new NoAnswer(offline === undefined || offlineSpell() !== offline, error);
  } finally {
    over.abort();
  }
};
