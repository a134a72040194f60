/** The oldest PostgreSQL that the site works on: whoever keeps one of their own may have it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '#infra/lib/machine.ts';
import { giveTo, placeFor } from '#infra/postgres/embedded-account.ts';
import { atTheEnd } from './kit/endings.ts';

const run = promisify(execFile);

/** Where Debian has it. */
const PROGRAMS = '/usr/lib/postgresql/15/bin';

const isThere = existsSync(join(PROGRAMS, 'initdb'));
const why = isThere ? '' : ` (skipped, because there is no ${PROGRAMS} here)`;

/** Starts a server that keeps nothing beyond its end. Resolves to its URL. */
const startServer = async (): Promise<string> => {
  // Not below a folder of the spec's own: as root, the account that it runs under has to reach it.
  const folder = await mkdtemp(join(tmpdir(), 'reprise-oldest-postgres-'));
  const { account, home } = await placeFor(folder);
  const cluster = join(home, 'cluster');
  await mkdir(cluster, { mode: 0o700 });
  await giveTo(account, cluster);
  const tell = (program: string, args: readonly string[]) =>
    run(join(PROGRAMS, program), ['-D', cluster, ...args], { ...account, cwd: home });
  atTheEnd(() => rm(folder, { recursive: true, force: true }));
  await tell('initdb', ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']);
  const port = await freePort();
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' };
  const flags = Object.entries({ ...settings, max_connections: 200, timezone: 'UTC' })
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ');
  await tell('pg_ctl', ['-w', 'start', '-l', join(cluster, 'server.log'), '-o', flags]);
  atTheEnd(() => tell('pg_ctl', ['-w', 'stop', '-m', 'immediate']));
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
};

/**
 * Each of the APIs' specs has a limit of its own, so this one ends only a run that does not come to an end at all. Beside other specs, on a
 * machine at a sixth of its speed, ten minutes were not enough.
 */
const LIMIT = 30 * 60_000;

it.skipIf(!isThere)(
  `PostgreSQL 15 serves both APIs in all that their specs ask of them${why}`,
  async ({ signal }) => {
    const env = { ...process.env, SPEC_POSTGRES_URL: await startServer(), VITEST: undefined };
    // Without the signal they would go on after the limit, and slow down the others.
    const specs = run('vitest', ['run', '--project', 'api'], { env, maxBuffer: 2 ** 26, signal });
    const { stdout } = await specs.catch((failed: { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`${failed.stdout}\n${failed.stderr}`.slice(-20_000));
    });
    expect(stripVTControlCharacters(stdout)).toMatch(/Tests +\d+ passed/);
  },
  LIMIT,
);
