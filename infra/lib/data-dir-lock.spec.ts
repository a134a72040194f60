import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#tests/kit/eventually.ts';
import { freshFolder } from '#tests/kit/folder.ts';
import { CannotStart } from './cannot-start.ts';
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await freshFolder();
});

/** A process that lives until it is ended. */
const other = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });

describe('the lock of a data folder', () => {
  it('can be taken again after its release', async () => {
    (await lockDataDir(dataDir))();
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
    (await lockDataDir(dataDir))();
  });

  it('reports a folder that cannot be written', async () => {
    const file = join(dataDir, 'a file');
    writeFileSync(file, '');
    const inside = join(file, 'data');
    const words = `The data folder ${inside} can't be written: ENOTDIR: not a directory, mkdir '${inside}'. See DATA_DIR.`;
    await expect(lockDataDir(inside)).rejects.toThrow(new CannotStart(words));
  });

  it.runIf(process.platform === 'linux')('reports a path where the system never makes a folder', async () => {
    for (const folder of [
      '/proc/reprise',
      '/proc/reprise/data',
      '/sys/reprise',
      '/dev/null',
      '/dev/null/data',
    ])
      await expect(lockDataDir(folder)).rejects.toThrow(/^The data folder \/.+ can't be written: E[A-Z]+: /);
  });

  it('refuses a second holder while the first is alive, and names it', async () => {
    const holder = other();
    try {
      await lockDataDir(dataDir, holder.pid);
      await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUse);
      await expect(lockDataDir(dataDir)).rejects.toThrow(
        `already running on ${dataDir} (process ${holder.pid})`,
      );
    } finally {
      holder.kill('SIGKILL');
    }
  });

  it.runIf(process.platform === 'linux')(
    'is reported as held, and leaves no file, on a full disk',
    async () => {
      const holder = other();
      try {
        const unlock = await lockDataDir(dataDir, holder.pid);
        // What this process writes on its way to the lock is on a disk without room.
        symlinkSync('/dev/full', join(dataDir, `lock.${process.pid}`));
        await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUse);
        unlock();
        await expect(lockDataDir(dataDir)).rejects.toThrow('ENOSPC');
        expect(readdirSync(dataDir)).toEqual([]);
      } finally {
        holder.kill('SIGKILL');
      }
    },
  );

  it('is taken over from a killed process', async () => {
    const holder = other();
    await lockDataDir(dataDir, holder.pid);
    holder.kill('SIGKILL');
    await new Promise((ended) => holder.once('exit', ended));
    (await lockDataDir(dataDir))();
  });

  it('is taken over from a process at the moment of its death', async () => {
    const holder = other();
    await lockDataDir(dataDir, holder.pid);
    holder.kill('SIGKILL');
    (await lockDataDir(dataDir))();
  });

  it.runIf(process.platform === 'linux')('is taken over from a zombie process', async () => {
    // The shell becomes a program that does not ask after its children. Its child ends no sooner, or the shell would reap it.
    const careless = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 1000 3<&-'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    try {
      const [number] = await once(careless.stdout as Readable, 'data');
      const zombie = Number(number);
      await eventually(async () =>
        expect(await readFile(`/proc/${careless.pid}/comm`, 'utf8')).toBe('sleep\n'),
      );
      (careless.stdio[3] as Writable).end();
      await eventually(async () => expect(await readFile(`/proc/${zombie}/stat`, 'utf8')).toContain(') Z '));
      await lockDataDir(dataDir, zombie);
      (await lockDataDir(dataDir))();
    } finally {
      careless.kill('SIGKILL');
    }
  });

  it('is taken over if another process has its holder’s number, for example after a reboot', async () => {
    const stranger = other();
    try {
      const file = join(dataDir, 'lock');
      await lockDataDir(dataDir, stranger.pid);
      const [pid] = readFileSync(file, 'utf8').split('\n');
      writeFileSync(file, `${pid}\nstarted before the reboot`);
      (await lockDataDir(dataDir))();
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('is never read half-written', async () => {
    writeFileSync(join(dataDir, 'lock'), '');
    (await lockDataDir(dataDir))();
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  });
});
