/** Questions about the machine: its processes, its ports, its error codes. */

import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Whether an error has this code, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Whether a process has this number, if only as an exit status that nobody has collected. PostgreSQL goes by that. */
export const isListed = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
};

/** Of the flags in proc(5): the process is on its way out. */
const EXITING = 0x4;
/** Of the signals that a process has still to take, in proc(5): SIGKILL. */
const KILLED = 0x100n;

/**
 * Whether a process with this number lives, also if it belongs to another user. A killed one is `dying` until the system has taken
 * from it what it held, and `gone` from then on, even if its parent has not collected its exit status. Only Linux tells of the dying.
 */
export const lifeOf = (pid: number): 'alive' | 'dying' | 'gone' => {
  if (!isListed(pid)) return 'gone';
  if (process.platform !== 'linux') return 'alive';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets; the state comes after the last bracket, and the flags six fields later.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (/[ZX]/.test(state)) return 'gone';
    const pending = readFileSync(`/proc/${pid}/status`, 'utf8').matchAll(/^S(?:ig|hd)Pnd:\s*(\w+)/gm);
    const killed = [...pending].some(([, signals = '0']) => (BigInt(`0x${signals}`) & KILLED) !== 0n);
    return killed || (Number(fields[5]) & EXITING) !== 0 ? 'dying' : 'alive';
  } catch {
    return isListed(pid) ? 'alive' : 'gone';
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
