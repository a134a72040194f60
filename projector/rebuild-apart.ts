/** Rebuilding in a process of its own, so that this one goes on serving; the child ends with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '#infra/observability/logger.ts';
import { INTERRUPTED } from '#infra/process.ts';

export interface ApartOptions {
  /** Runs one rebuild to its end, and answers with its exit code: `rebuildInChild`. */
  run(): Promise<number | null>;
  /** Whether the read models are rebuilt by now, by whomever. */
  isDone(): Promise<boolean>;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** How long to wait after the first failure, in milliseconds; twice as long after each further one. Default 10,000. */
  readonly firstWait?: number;
}

const FIRST_WAIT = 10_000;
const LONGEST_WAIT = 600_000;

/** One rebuild in a child process. @throws where it can't be started, or is ended by the signal */
export const rebuildInChild = async (databaseUrl: string, signal: AbortSignal): Promise<number | null> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'rebuild-main.ts')], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
    signal,
  });
  const [code]: (number | null)[] = await once(child, 'exit');
  return code ?? null;
};

/** Rebuilds until it is done: a child that dies, or that finds another rebuild under way, is followed by another. */
export const rebuildApart = async ({
  run,
  isDone,
  signal,
  logger,
  firstWait = FIRST_WAIT,
}: ApartOptions): Promise<void> => {
  for (let wait = firstWait; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    const ended = await run().then(
      (code) => ({ code }),
      (err: unknown) => ({ code: null, err }),
    );
    if (ended.code === 0) return logger.info('the read models have been rebuilt');
    if (signal.aborted) return;
    if (ended.code === INTERRUPTED) logger.info('the rebuild was ended before it was done');
    else logger.error(ended, 'the rebuild of the read models failed, and is tried again');
    await pause(wait, undefined, { signal }).catch(() => undefined /* it is being ended */);
    if (await isDone().catch(() => false)) return;
  }
};
