import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from './cannot-start.ts';
import { hasCode, isAlive } from './machine.ts';

/** Thrown when another process that is alive holds the folder. The message names it. */
export class DataDirInUse extends CannotStart {
  override readonly name = 'DataDirInUse';
}

/** The boot and the ticks since it: unlike a time of day, no correction of the clock moves them (proc(5), field 22). */
const startOnLinux = (pid: number): string => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program's name stands in brackets and may hold anything; the third field follows them.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return `${boot} ${ticks}`;
};

const startByPs = (pid: number): string =>
  execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
  }).trim();

/**
 * What tells a process from others that had or will have its number: after a reboot that may be anybody's. Blank where
 * the machine doesn't say.
 */
const startOf = (pid: number): string => {
  if (process.platform === 'win32') return '';
  try {
    return process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
  } catch {
    // No such process, or nobody to ask: then the number has to do.
    return '';
  }
};

/** Whether the lock's holder still runs. */
const isHeld = (file: string, own: number): boolean => {
  const [number = '', started = ''] = readFileSync(file, 'utf8').split('\n');
  const pid = Number(number);
  if (!Number.isInteger(pid) || pid <= 0 || pid === own || !isAlive(pid)) return false;
  const now = startOf(pid);
  return started === '' || now === '' || started === now;
};

/** Linked into place whole: nobody reads a lock without a holder. */
const take = (file: string, pid: number): boolean => {
  const draft = `${file}.${pid}`;
  writeFileSync(draft, `${pid}\n${startOf(pid)}`);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    // A file system without links.
    writeFileSync(file, readFileSync(draft), { flag: 'wx' });
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
};

/**
 * Keeps a second start out of the data folder. The lock of a process that was killed is taken over, also where its
 * number belongs to another process by now.
 * Returns its release. @throws DataDirInUse
 */
export const lockDataDir = (dataDir: string, pid: number = process.pid): (() => void) => {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'lock');
  if (!take(file, pid)) {
    if (isHeld(file, pid)) {
      const [holder] = readFileSync(file, 'utf8').split('\n');
      throw new DataDirInUse(`Reprise is already running on ${dataDir} (process ${holder}).`);
    }
    rmSync(file, { force: true });
    if (!take(file, pid)) throw new DataDirInUse(`Another start has just taken ${dataDir}.`);
  }
  return () => rmSync(file, { force: true });
};
