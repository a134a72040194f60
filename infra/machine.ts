/** What programs ask of the machine that they run on. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether the machine refused with this code, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Whether there is such a process, be it one that is not ours. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
};

/** Below those that systems hand out by themselves, and above most programs' own. */
const PORTS = { first: 20_000, last: 32_000 } as const;

const isFree = (port: number): Promise<boolean> =>
  new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', (error) => (hasCode(error, 'EADDRINUSE') ? done(false) : failed(error)));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });

/**
 * A TCP port of this machine that is free at this moment. It is none that the system hands out to whoever asks for any, so
 * it is likely free still when it is used, and after what used it was started again.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last);
    if (await isFree(port)) return port;
  }
};
