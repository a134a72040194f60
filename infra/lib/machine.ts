import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

export const isListed = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
};

const EXITING = 0x4;
const KILLED = 0x100n;

/** `dying`, on Linux only: killed, but the system has not released its resources. A zombie is then `gone`. */
export const lifeOf = (pid: number): 'alive' | 'dying' | 'gone' => {
  if (!isListed(pid)) return 'gone';
  if (process.platform !== 'linux') return 'alive';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The state follows the last bracket (the program's name may contain some), the flags six fields later.
    const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (/[ZX]/.test(state)) return 'gone';
    const pending = readFileSync(`/proc/${pid}/status`, 'utf8').matchAll(/^S(?:ig|hd)Pnd:\s*(\w+)/gm);
    const killed = [...pending].some(([, signals = '0']) => (BigInt(`0x${signals}`) & KILLED) !== 0n);
    return killed || (Number(fields[5]) & EXITING) !== 0 ? 'dying' : 'alive';
  } catch {
    return isListed(pid) ? 'alive' : 'gone';
  }
};

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

export const bareEnvironment = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(HARMLESS.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  ...more,
});

const PORTS = { first: 20_000, last: 32_000 } as const;

const isFree = (port: number): Promise<boolean> =>
  new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', (error) => (hasCode(error, 'EADDRINUSE') ? done(false) : failed(error)));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });

/** Probably stays free until its user has (re)started: it is outside the ephemeral range. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last);
    if (await isFree(port)) return port;
  }
};
