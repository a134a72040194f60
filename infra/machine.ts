/** Questions about the machine: its processes, its ports, its error codes. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Whether an error has this code, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Whether a process with this number exists, also if it belongs to another user. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
};

/** What programs of others need of our environment. The rest holds the site's secrets. */
const HARMLESS = [
  'PATH',
  'HOME',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SystemRoot',
  'TMPDIR',
  'TEMP',
  'TMP',
] as const;

/** The environment for a program that is not ours, such as PostgreSQL or a compiler: without our secrets. `more` is added to it. */
export const bareEnvironment = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(HARMLESS.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  ...more,
});

/** The ports to choose from: above those that programs usually have, below those that systems hand out. */
const PORTS = { first: 20_000, last: 32_000 } as const;

const isFree = (port: number): Promise<boolean> =>
  new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', (error) => (hasCode(error, 'EADDRINUSE') ? done(false) : failed(error)));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });

/**
 * A TCP port of this machine that is free at this moment. The system does not hand it out to programs that ask for any port,
 * so it is probably still free when it is used, and when its user restarts.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last);
    if (await isFree(port)) return port;
  }
};
