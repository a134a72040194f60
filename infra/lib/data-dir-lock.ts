import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asUnwritable, CannotStart } from './cannot-start.ts';
import { bareEnvironment, hasCode, lifeOf } from './machine.ts';
import { makeFolder } from './make-folder.ts';

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

/** How the process is that the lock file names; `gone` also if it is `own`. */
const holderOf = (file: string, own: number): ReturnType<typeof lifeOf> => {
  const [number = '', started = ''] = readFileSync(file, 'utf8').split('\n');
  const pid = Number(number);
  if (!Number.isInteger(pid) || pid <= 0 || pid === own) return 'gone';
  const life = lifeOf(pid);
  if (life === 'gone') return life;
  const now = startOf(pid);
  return started === '' || now === '' || started === now ? life : 'gone';
};

/** For how long a start waits for a killed process to be gone, in milliseconds, and how often it looks. */
const DYING_GETS = 5_000;
const LOOK = 20;

/** Creates the lock file, unless it exists. It is written elsewhere and linked into place, so that nobody reads it half written. */
const take = (file: string, pid: number): boolean => {
  // Nothing is written where it is held: a tool also looks at a site whose disk is full.
  if (existsSync(file)) return false;
  const draft = `${file}.${pid}`;
  try {
    writeFileSync(draft, `${pid}\n${startOf(pid)}`);
    try {
      linkSync(draft, file);
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      // This file system has no links.
      writeFileSync(file, readFileSync(draft), { flag: 'wx' });
    }
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
};

const lock = async (dataDir: string, pid: number): Promise<() => void> => {
  await makeFolder(dataDir);
  const file = join(dataDir, 'lock');
  if (!take(file, pid)) {
    const until = performance.now() + DYING_GETS;
    while (holderOf(file, pid) === 'dying' && performance.now() < until) await pause(LOOK);
    if (holderOf(file, pid) !== 'gone') {
      const [holder] = readFileSync(file, 'utf8').split('\n');
      throw new DataDirInUse(`Reprise is already running on ${dataDir} (process ${holder}).`);
    }
    rmSync(file, { force: true });
    if (!take(file, pid)) throw new DataDirInUse(`Another start has just taken ${dataDir}.`);
  }
  return () => rmSync(file, { force: true });
};

/**
 * Locks the data folder, so that no second start uses it, and returns a function that unlocks it. The lock of a killed process
 * is taken over, even if another process has its number now; one that is still dying is waited for.
 * @throws DataDirInUse, or CannotStart for a folder that can't be written
 */
export const lockDataDir = async (dataDir: string, pid: number = process.pid): Promise<() => void> => {
  try {
    return await lock(dataDir, pid);
  } catch (error) {
    throw asUnwritable(dataDir, error);
  }
};
