import { offlineSpell } from './connection.ts';
import { ApiError, NoAnswer } from './failure.ts';

/** How long an answer may take until it counts as lost, in milliseconds. */
const LIMIT = 20_000;

/**
 * Runs a request, and ends it when the limit is over or when the caller's signal says so.
 * @throws NoAnswer where no answer of ours comes, or none in time
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
