/** PostgreSQL 15 as Debian has it (`postgresql-15`): the oldest that the site works on, and with `pg_dump`. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '#infra/lib/machine.ts';
import { giveTo, placeFor } from '#infra/postgres/embedded-account.ts';

const run = promisify(execFile);

export const PROGRAMS = '/usr/lib/postgresql/15/bin';

export const isInstalled = existsSync(join(PROGRAMS, 'initdb'));

/** Starts a server that keeps nothing beyond its end. */
export const startDebianPostgres = async () => {
  // Directly below the temporary folder: as root, the account that the server runs under has to reach it.
  const folder = await mkdtemp(join(tmpdir(), 'reprise-debian-postgres-'));
  const { account, home } = await placeFor(folder);
  const cluster = join(home, 'cluster');
  await mkdir(cluster, { mode: 0o700 });
  await giveTo(account, cluster);
  const tell = (program: string, args: readonly string[]) =>
    run(join(PROGRAMS, program), ['-D', cluster, ...args], { ...account, cwd: home });
  await tell('initdb', ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']);
  const port = await freePort();
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' };
  const flags = Object.entries({ ...settings, max_connections: 200, timezone: 'UTC' })
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ');
  await tell('pg_ctl', ['-w', 'start', '-l', join(cluster, 'server.log'), '-o', flags]);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop(): Promise<void> {
      await tell('pg_ctl', ['-w', 'stop', '-m', 'immediate']);
      await rm(folder, { recursive: true, force: true });
    },
  };
};
