/** A PostgreSQL that can be killed as by a power cut, and started again at the same address. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hasCode } from '#infra/lib/machine.ts';
import { type Embedded, startEmbedded, stopEmbedded } from '#infra/postgres/embedded.ts';
import { placeFor } from '#infra/postgres/embedded-account.ts';

const isAlive = async (pid: number): Promise<boolean> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // A zombie waits for its parent to notice; it holds nothing any more.
  return stat !== undefined && !/\) [ZX] /.test(stat);
};

const childrenOf = async (pid: number): Promise<readonly number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''))
    .split(' ')
    .map(Number)
    .filter((child) => child > 0);

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
};

/** The server of a data folder, whoever started it. */
const postmasterOf = async (dataDir: string): Promise<number | undefined> => {
  const { home } = await placeFor(dataDir);
  const text = await readFile(join(home, 'cluster', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  return pid > 0 && (await isAlive(pid)) ? pid : undefined;
};

/** `kill -9` for the server and all its children, at once: nothing is flushed, nobody is told. */
export const killPostgres = async (dataDir: string): Promise<void> => {
  const pid = await postmasterOf(dataDir);
  if (pid === undefined) return;
  // Stopped first, so that it neither forks nor notices.
  signal(pid, 'SIGSTOP');
  const all = [pid, ...(await childrenOf(pid))];
  for (const one of all) signal(one, 'SIGKILL');
  for (const one of all) while (await isAlive(one)) await pause(10);
};

/** Starts a cluster, with fsync on as in real life. */
export const startCluster = async (dataDir: string) => {
  const first: Embedded = await startEmbedded({ dataDir });
  let up = true;
  let falls = 0;
  return {
    url: first.url,
    /** Whether it takes queries, as far as we have done to it. */
    get up(): boolean {
      return up;
    },
    /** How often it was killed. */
    get falls(): number {
      return falls;
    },
    async kill() {
      up = false;
      falls++;
      await killPostgres(dataDir);
    },
    async restart() {
      await startEmbedded({ dataDir, port: first.port });
      up = true;
    },
    async stop() {
      up = false;
      await stopEmbedded(dataDir, 'immediate');
    },
  };
};
