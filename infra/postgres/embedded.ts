/** Embedded PostgreSQL, on 127.0.0.1 only, with a generated password. It outlives a killed parent; the next start adopts it. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { CannotStart } from '#infra/lib/cannot-start.ts';
import { every, type Recurring } from '#infra/lib/every.ts';
import { bareEnvironment, freePort, isListed } from '#infra/lib/machine.ts';
import { type Account, giveTo, type Place, placeFor } from './embedded-account.ts';

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '192MB',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_compression: 'on',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  // No personal data in the server's log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  // Erasure depends on it: unneeded write-ahead segments are removed.
  wal_recycle: 'off',
};

export interface EmbeddedOptions {
  /** Created if missing. As root, a folder closed to `postgres` is replaced by one under /var/lib. */
  readonly dataDir: string;
  readonly port?: number;
  /** Tests only: `fsync: 'off'` is never right for data that matters. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** `immediate` is a crash that the next start recovers from. */
export type StopMode = 'fast' | 'immediate';

export interface Embedded {
  readonly url: string;
  readonly port: number;
  readonly adopted: boolean;
  isRunning(): Promise<boolean>;
  rotateLog(): Promise<void>;
  stop(mode?: StopMode): Promise<void>;
}

const exec = (program: string, args: readonly string[], account: Account | undefined, cwd: string) =>
  new Promise<string>((done, failed) => {
    execFile(
      program,
      [...args],
      { ...account, cwd, env: bareEnvironment({ LC_ALL: 'C', TZ: 'UTC' }) },
      (error, out, err) => {
        if (error)
          failed(
            new CannotStart(`${program} failed: ${(err || out || error.message).trim()}`, { cause: error }),
          );
        else done(out);
      },
    );
  });

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Milliseconds. */
const LONGEST_ANSWER = 10_000;

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LONGEST_ANSWER });
  client.on('error', () => undefined /* the query below reports it */);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined /* it never connected */);
  }
};

const named = async (cluster: string): Promise<{ pid: number; port: number } | undefined> => {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid = '', , , port = ''] = text.split('\n');
  return Number(pid) > 0 && isListed(Number(pid)) ? { pid: Number(pid), port: Number(port) } : undefined;
};

/** After a reboot another program may have the pid; a killed server that nothing reaps keeps its pid. */
const isPostgres = async (pid: number): Promise<boolean> => {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  return command === undefined || command.includes('postgres');
};

const running = async (cluster: string): Promise<{ pid: number; port: number } | undefined> => {
  const found = await named(cluster);
  return found && (await isPostgres(found.pid)) ? found : undefined;
};

const isMade = (cluster: string): Promise<boolean> => exists(join(cluster, 'PG_VERSION'));

const password = async (home: string, cluster: string): Promise<string> => {
  const file = join(home, 'password');
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known) return known;
  if (await isMade(cluster))
    throw new CannotStart(
      `${file} is missing or can't be read, and the database beside it takes no other one.`,
    );
  const made = randomBytes(24).toString('base64url');
  await writeFile(file, made, { mode: 0o600, flush: true });
  return made;
};

const initialise = async (place: Place, cluster: string, secret: string): Promise<void> => {
  if (await isMade(cluster)) return;
  // After a first start that was killed: initdb refuses the folder.
  await rm(cluster, { recursive: true, force: true });
  await mkdir(cluster, { mode: 0o700 });
  await giveTo(place.account, cluster);
  const handed = join(place.home, `password-${process.pid}`);
  await writeFile(handed, secret, { mode: 0o600 });
  await giveTo(place.account, handed);
  try {
    await exec(
      join(place.bin, 'initdb'),
      [
        `--pgdata=${cluster}`,
        '--username=postgres',
        `--pwfile=${handed}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
      ],
      place.account,
      place.home,
    );
  } finally {
    await rm(handed, { force: true });
  }
};

const LARGEST_LOG = 10 * 2 ** 20;

/** Copies and truncates, so that the server needs no notice; lines written in between are lost. */
const rotateLog = async (log: string): Promise<void> => {
  if (!(await exists(log)) || (await stat(log)).size < LARGEST_LOG) return;
  await copyFile(log, `${log}.1`);
  await chmod(`${log}.1`, 0o600);
  await truncate(log);
};

const stopCluster = async ({ bin, home, account }: Place, mode: StopMode): Promise<void> => {
  const cluster = join(home, 'cluster');
  if (await running(cluster))
    await exec(join(bin, 'pg_ctl'), ['-D', cluster, '-w', 'stop', '-m', mode, '-t', '60'], account, home);
};

/** Stops whatever server runs on the cluster under `dataDir`, e.g. one that a killed process left behind. @internal */
export const stopEmbedded = async (dataDir: string, mode: StopMode = 'fast'): Promise<void> =>
  stopCluster(await placeFor(dataDir), mode);

/**
 * Creates the cluster the first time. Adopts a killed process's server, or stops it if it doesn't answer or
 * has another port than the one requested.
 * @throws with PostgreSQL's message if it can't start
 */
export const startEmbedded = async ({ dataDir, port, settings }: EmbeddedOptions): Promise<Embedded> => {
  const place = await placeFor(dataDir);
  const cluster = join(place.home, 'cluster');
  const secret = await password(place.home, cluster);
  const urlOf = (at: number) => `postgres://postgres:${secret}@127.0.0.1:${at}/postgres`;
  const control = (...args: string[]) =>
    exec(join(place.bin, 'pg_ctl'), ['-D', cluster, '-w', ...args], place.account, place.home);
  const stop = (mode: StopMode = 'fast') => stopCluster(place, mode);
  const embedded = (at: number, adopted: boolean): Embedded => ({
    url: urlOf(at),
    port: at,
    adopted,
    isRunning: async () => (await running(cluster)) !== undefined,
    rotateLog: () => rotateLog(log),
    stop,
  });

  const log = join(place.home, 'server.log');
  await writeFile(log, '', { flag: 'a' });
  await chmod(log, 0o600);
  await giveTo(place.account, log);
  await rotateLog(log);

  const found = await running(cluster);
  if (found) {
    if ((port === undefined || port === found.port) && (await answers(urlOf(found.port))))
      return embedded(found.port, true);
    await stop();
  } else if (await named(cluster)) await rm(join(cluster, 'postmaster.pid'));

  await initialise(place, cluster, secret);
  const at = port ?? (await freePort());
  const flags = Object.entries({ ...SETTINGS, ...settings, port: String(at) })
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ');
  try {
    await control('start', '-l', log, '-t', '120', '-o', flags);
  } catch (error) {
    const words = (await readFile(log, 'utf8')).split('\n').slice(-6).join('\n').trim();
    throw new CannotStart(`the embedded PostgreSQL did not start: ${words}`, { cause: error });
  }
  return embedded(at, false);
};

export interface KeepOptions extends EmbeddedOptions {
  readonly lookEvery?: number;
  onRestart?(): void;
  onError?(error: unknown): void;
}

/** Restarts the server on its port when its process is gone (out of memory, killed by mistake). Rotates its log. */
export const keepEmbedded = (
  embedded: Embedded,
  { lookEvery = 2_000, onRestart, onError, ...options }: KeepOptions,
): Recurring =>
  every(
    lookEvery,
    async () => {
      // Before the log: a disk too full to copy it may have room for the server.
      if (!(await embedded.isRunning())) {
        await startEmbedded({ ...options, port: embedded.port });
        onRestart?.();
      }
      await embedded.rotateLog();
    },
    (error) => onError?.(error),
  );
