import { spawn } from 'node:child_process';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { freshFolder } from '#tests/kit/folder.ts';
import { keepEmbedded, startEmbedded } from './embedded.ts';

// A cluster is made and started several times over, which a slow machine takes its time for.
vi.setConfig({ testTimeout: 180_000 });

const query = async (url: string, sql: string) => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};

test('an embedded server that still runs is adopted, a crashed one recovers, and it serves this machine only', async () => {
  const folder = await freshFolder();
  const first = await startEmbedded({ dataDir: join(folder, 'pg') });
  try {
    expect(first.adopted).toBe(false);
    expect(await query(first.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await query(first.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS n');

    const second = await startEmbedded({ dataDir: join(folder, 'pg') });
    expect(second).toMatchObject({ adopted: true, port: first.port });

    await second.stop('immediate');
    const third = await startEmbedded({ dataDir: join(folder, 'pg'), port: first.port });
    expect(third).toMatchObject({ adopted: false, port: first.port });
    expect(await query(third.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
    await expect(query(third.url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow('password');
  } finally {
    await first.stop();
  }
});

test('another process with the embedded server’s number is neither adopted nor stopped', async () => {
  const folder = await freshFolder();
  const dataDir = join(folder, 'pg');
  const other = spawn('sleep', ['600']);
  const server = await startEmbedded({ dataDir });
  try {
    const file = join(dataDir, 'cluster', 'postmaster.pid');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await server.stop();
    await writeFile(file, [other.pid, ...lines.slice(1)].join('\n'));
    expect(await server.isRunning()).toBe(false);
    await server.stop();
    expect(other.signalCode).toBe(null);
    expect(await startEmbedded({ dataDir })).toMatchObject({ adopted: false });
    expect(await server.isRunning()).toBe(true);
  } finally {
    other.kill();
    await server.stop();
  }
});

test('an embedded server gets none of the site’s secrets, and keeps a log of limited size', async () => {
  const dataDir = join(await freshFolder(), 'pg');
  const log = join(dataDir, 'server.log');
  vi.stubEnv('MASTER_KEY', 'canary-5ec2e7');
  const server = await startEmbedded({ dataDir });
  try {
    const [pid] = (await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
    expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('canary');
    expect((await stat(log)).mode & 0o777).toBe(0o600);
    await writeFile(log, 'x'.repeat(11 * 2 ** 20), { flag: 'a' });
    await server.rotateLog();
    expect((await stat(log)).size).toBe(0);
    expect((await stat(`${log}.1`)).mode & 0o777).toBe(0o600);
    await query(server.url, 'SELECT 1/0').catch(() => undefined);
    await vi.waitFor(async () => expect(await readFile(log, 'utf8')).toMatch(/^[^\0]*division by zero/));
  } finally {
    vi.unstubAllEnvs();
    await server.stop();
  }
});

test('an embedded server that is killed under a running site is restarted on its port, with or without its log file', async () => {
  const folder = await freshFolder();
  const dataDir = join(folder, 'pg');
  const server = await startEmbedded({ dataDir });
  const restarted = Promise.withResolvers<void>();
  const watch = keepEmbedded(server, { dataDir, lookEvery: 100, onRestart: restarted.resolve });
  try {
    await query(server.url, 'CREATE TABLE kept AS SELECT 1 AS n');
    const [pid] = (await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
    await rm(join(dataDir, 'server.log'));
    process.kill(Number(pid), 'SIGKILL');
    await restarted.promise;
    expect(await query(server.url, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
    await rm(join(dataDir, 'server.log'));
    await server.rotateLog();
  } finally {
    await watch.stop();
    await server.stop();
  }
});
