import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

/**
 * What has to be said of memory before a process starts. The C library of Linux gives threads heaps of their own and keeps in them what was
 * freed, and V8 lets its young generation grow to 64 MB: half an hour's requests held 1,250 MB, of which 75 were live. A little of it has
 * to be kept, though: giving back each 128 kB at once, as the library then does, cost a sale a tenth of its processor in page faults.
 */
export const ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  /** What is larger, in bytes, such as the 19 MiB of a password's hash, goes back to the system when it is freed. */
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '33554432',
  MALLOC_TOP_PAD_: '1048576',
  // Argon2 alone would fill Node's pool of four threads.
  UV_THREADPOOL_SIZE: '16',
};
/** In MB. A process that only takes purchases takes a tenth more of them with Node's own 16, and has the memory for it. */
const YOUNG = '--max-semi-space-size=8';
/**
 * By how much V8 lets what it holds grow until it collects all of it, in percent. Left to itself it waits for three times as much. It
 * counts when it is set at run time.
 */
const GROWTH = 60;
/** Where Node keeps what it has compiled: the next start takes a third less of the processor. */
const COMPILED = join(import.meta.dirname, '../../node_modules/.cache/node');

/**
 * Starts this program anew in the same process, unless that was done, so that it holds little memory and compiles nothing twice.
 * Call it before anything else.
 */
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
