import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/**
 * Needed before a process starts. glibc gives threads their own heaps and keeps freed memory, and V8's young
 * generation may grow to 64 MB: half an hour of requests left 1,250 MB, 75 of them live. Keep some freed
 * memory: returning all cost a sale a tenth of its CPU in page faults.
 */
export const ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '33554432',
  MALLOC_TOP_PAD_: '1048576',
  // Argon2 alone would fill Node's pool of four threads.
  UV_THREADPOOL_SIZE: '16',
};
/** MB. Node's default, 16, would make a process that only takes purchases a tenth faster. */
const YOUNG = '--max-semi-space-size=8';
/** Percent of heap growth before a full collection; V8's default is three times as much. */
const GROWTH = 60;
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/node');

export const startModestly = (): void => {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  if (process.platform === 'win32' || process.env.MALLOC_ARENA_MAX) return;
  const [, file = '', ...args] = process.argv;
  process.execve?.(process.execPath, [process.execPath, YOUNG, ...process.execArgv, file, ...args], {
    ...ENVIRONMENT,
    NODE_COMPILE_CACHE: COMPILED,
    ...process.env,
  });
};
