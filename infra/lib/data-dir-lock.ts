import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { asUnwritable, CannotStart } from './cannot-start.ts';
import { bareEnvironment, hasCode, lifeOf } from './machine.ts';
import { makeFolder } from './make-folder.ts';

export class DataDirInUse extends CannotStart {
  override readonly name = 'DataDirInUse';
}

/** Boot id, and ticks from boot to the process's start (proc(5), field 22): no clock correction changes it. */
const startOnLinux = (pid: number): string => {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Field 2, the program's name in brackets, may contain spaces and brackets: parse after the last one.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return `${boot} ${ticks}`;
};

const startByPs = (pid: number): string =>
  execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: bareEnvironment({ LC_ALL: 'C', TZ: 'UTC' }),
  }).trim();

const startOf = (pid: number): string => {
  if (process.platform === 'win32') return '';
  try {
    return process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
  } catch {
    return '';
  }
};

const holderOf = (file: string, own: number): ReturnType<typeof lifeOf> => {
  const [number = '', started = ''] = readFileSync(file, 'utf8').split('\n');
  const pid = Number(number);
  if (!Number.isInteger(pid) || pid <= 0 || pid === own) return 'gone';
  const life = lifeOf(pid);
  if (life === 'gone') return life;
  const now = startOf(pid);
  return started === '' || now === '' || started === now ? life : 'gone';
};

/** Milliseconds. */
const DYING_GETS = 5_000;
const LOOK = 20;

/** Linked into place, so that it is never read half written. */
const take = (file: string, pid: number): boolean => {
  // Write nothing if the lock is held: tools also inspect a site whose disk is full.
  if (existsSync(file)) return false;
  const draft = `${file}.${pid}`;
  try {
    writeFileSync(draft, `${pid}\n${startOf(pid)}`);
    try {
      linkSync(draft, file);
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
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
 * Takes over the lock of a killed process, even if its pid was reused; waits for one still dying.
 * @throws DataDirInUse, or CannotStart for a folder that can't be written
 */
export const lockDataDir = async (dataDir: string, pid: number = process.pid): Promise<() => void> => {
  try {
    return await lock(dataDir, pid);
  } catch (error) {
    throw asUnwritable(dataDir, error);
  }
};
