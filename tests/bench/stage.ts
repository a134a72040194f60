/** Where a benchmark plays: a PostgreSQL of its own (fsync on), and processes of the product and of its baselines. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { readConfig } from '#infra/config/config.ts';
import { type Foundation, layFoundation } from '#infra/foundation/foundation.ts';
import { startEmbedded } from '#infra/postgres/embedded.ts';
import { placeFor } from '#infra/postgres/embedded-account.ts';
import { LOG_INDEX } from '#infra/read-models/log-index.ts';
import { ENVIRONMENT } from '#infra/start/modestly.ts';
import { Program } from '#tests/kit/program.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';

export type Player = Awaited<ReturnType<Stage['play']>>;
export type Stage = Awaited<ReturnType<typeof openStage>>;

const environment = (databaseUrl: string, dataDir: string, store: string | undefined) => ({
  ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, BASE_URL: 'http://127.0.0.1:3000' },
  ...(store ? { EVENT_STORE_URL: store } : {}),
  ...{ HOST: '127.0.0.1', PORT: '0', RATE_LIMITS: '1000', DEMO: 'off', LOG_LEVEL: 'warn' },
});

/** Resolves once the read models are where the log is. */
export const projected = async (
  { log, database }: Foundation,
  tables: readonly string[] = ['read.checkpoint'],
): Promise<void> => {
  const head = await log.head();
  for (const table of tables)
    for (;;) {
      const { rows } = await database.pool
        .query<{ position: string }>(`select position from ${table}`)
        .catch(() => ({ rows: [] }));
      if (rows[0] && rows[0].position >= head) break;
      await pause(20);
    }
};

/** Resolves once the index of the log and its tree are there, too: taking in a log that was filled at one go takes minutes. */
export const settled = (foundation: Foundation): Promise<void> =>
  projected(foundation, ['read.checkpoint', `${LOG_INDEX}.checkpoint`, 'app.tree']);

/** Sets a stage up, with the log in the EventStoreDB at `store` if one is given. Close it to leave nothing behind. */
export const openStage = async (store?: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-bench-'));
  // The server's account has to get through.
  await chmod(folder, 0o711);
  const server = await startEmbedded({ dataDir: join(folder, 'postgres') });
  const players = new Set<Program>();
  const foundations: Foundation[] = [];
  let databases = 0;
  const dataDir = join(folder, 'data');

  const { home } = await placeFor(join(folder, 'postgres'));
  const [postmaster] = (await readFile(join(home, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');

  /** Ends what has been started so far, and closes the foundations. */
  const clear = async (): Promise<void> => {
    await Promise.all([...players].map((program) => program.end('SIGTERM')));
    players.clear();
    await Promise.all(foundations.splice(0).map(({ close }) => close()));
  };

  return {
    postgres: Number(postmaster),

    async freshDatabase(): Promise<string> {
      const name = `bench_${++databases}`;
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },

    /** A foundation on a database, in this process, to prepare it with; for a baseline the log is in that database, too. */
    async foundation(databaseUrl: string, baseline?: 'baseline'): Promise<Foundation> {
      const config = readConfig(environment(databaseUrl, dataDir, baseline ? undefined : store));
      const laid = await layFoundation({ name: 'bench', config, databaseUrl, logger: silentLogger() });
      foundations.push(laid);
      return laid;
    },

    /** Starts `tests/bench/players.ts` in a part, and waits until it listens. */
    async play(part: string, databaseUrl: string, env: Readonly<Record<string, string>> = {}) {
      const began = performance.now();
      const program = new Program('tests/bench/players.ts', {
        args: [part],
        held: false,
        env: { ...ENVIRONMENT, ...environment(databaseUrl, dataDir, store), ...env },
      });
      players.add(program);
      const [, port] = await program.says(/^listening (\d+)$/m);
      return {
        port: Number(port),
        pid: program.pid ?? 0,
        /** Milliseconds from its start until it listened. */
        startedIn: performance.now() - began,
        async stop(): Promise<void> {
          players.delete(program);
          await program.end('SIGTERM');
        },
      };
    },

    clear,
    async close(): Promise<void> {
      await clear();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
