import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart } from './cannot-start.ts';
import { bareEnvironment, hasCode, isAlive } from './machine.ts';

/** Thrown when a living process holds the folder. The message names the process. */
export class DataDirInUse extends CannotStart {
  override readonly name = 'DataDirInUse';
}

/** The id of the boot, and the ticks from it to the process's start (proc(5), field 22). Correcting the clock changes neither. */
const startOnLinux = (pid: number): string => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in brackets, which may hold spaces and brackets; the third comes after the last bracket.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return `${boot} ${ticks}`;
};

const startByPs = (pid: number): string =>
  execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: bareEnvironment({ LC_ALL: 'C', TZ: 'UTC' }),
  }).trim();

/**
 * When a process started, as text. It tells the process from another one that gets the same number later, as after a reboot.
 * Empty on machines that don't tell it.
 */
const startOf = (pid: number): string => {
  if (process.platform === 'win32') return '';
  try {
    return process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
  } catch {
    // There is no such process, or no `ps`: the lock is then compared by the number alone.
    return '';
  }
};

/** Whether the process named in the lock file is alive and is not `own`. */
const isHeld = (file: string, own: number): boolean => {
  const [number = '', started = ''] = readFileSync(file, 'utf8').split('\n');
  const pid = Number(number);
  if (!Number.isInteger(pid) || pid <= 0 || pid === own || !isAlive(pid)) return false;
  const now = startOf(pid);
  return started === '' || now === '' || started === now;
};

/** Creates the lock file, unless it exists. It is written elsewhere and linked into place, so that nobody reads it half written. */
const take = (file: string, pid: number): boolean => {
  const draft = `${file}.${pid}`;
  writeFileSync(draft, `${pid}\n${startOf(pid)}`);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    // This file system has no links.
    writeFileSync(file, readFileSync(draft), { flag: 'wx' });
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
};

/**
 * Locks the data folder, so that no second start uses it, and returns a function that unlocks it. The lock of a killed process
 * is taken over, even if another process has its number now. @throws DataDirInUse
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
