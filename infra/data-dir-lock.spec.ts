import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { freshFolder } from '#tests/kit/folder.ts';
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await freshFolder();
});

/** A process that lives until it is ended. */
const other = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });

describe('the lock of a data folder', () => {
  it('can be taken again after it was released', () => {
    lockDataDir(dataDir)();
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
    lockDataDir(dataDir)();
  });

  it('refuses a second holder while the first lives, and names the first', async () => {
    const holder = other();
    try {
      lockDataDir(dataDir, holder.pid);
      expect(() => lockDataDir(dataDir)).toThrow(DataDirInUse);
      expect(() => lockDataDir(dataDir)).toThrow(`already running on ${dataDir} (process ${holder.pid})`);
    } finally {
      holder.kill('SIGKILL');
    }
  });

  it('is taken over from a process that was killed', async () => {
    const holder = other();
    lockDataDir(dataDir, holder.pid);
    holder.kill('SIGKILL');
    await new Promise((ended) => holder.once('exit', ended));
    lockDataDir(dataDir)();
  });

  it('is taken over when another process has its holder’s number, as after a reboot', () => {
    const stranger = other();
    try {
      const file = join(dataDir, 'lock');
      lockDataDir(dataDir, stranger.pid);
      const [pid] = readFileSync(file, 'utf8').split('\n');
      writeFileSync(file, `${pid}\nstarted before the reboot`);
      lockDataDir(dataDir)();
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('is never seen half written', () => {
    writeFileSync(join(dataDir, 'lock'), '');
    lockDataDir(dataDir)();
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
  });
});
