/** Rebuilds in a child process, which ends with this one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { INTERRUPTED } from '#infra/foundation/process.ts';
import type { Logger } from '#infra/lib/logger.ts';

export interface ApartOptions {
  run(): Promise<number | null>;
  isDone(): Promise<boolean>;
  readonly signal: AbortSignal;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly firstWait?: number;
}

const FIRST_WAIT = 10_000;
const LONGEST_WAIT = 600_000;

/**
 * Resolves to the exit code.
 * @throws if it can't be started, or on abort
 */
export const runInChild = async (
  program: readonly [file: string, ...args: string[]],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number | null> => {
  const [file, ...args] = program;
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    signal,
  });
  const [code]: (number | null)[] = await once(child, 'exit');
  return code ?? null;
};

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
