/** The product as people start it, in processes of its own. */
import { join } from 'node:path';
import { freePort } from '#infra/lib/machine.ts';
import { startEmbedded } from '#infra/postgres/embedded.ts';
import { buildClient } from '#infra/start/build-client.ts';
import { Program } from './program.ts';
import { startProxy } from './proxy.ts';

/** A running product. */
export interface StartedSite {
  readonly origin: string;
  /** Where its mails are, among others. */
  readonly dataDir: string;
  /** Ends it as Ctrl-C does. @throws Error when a process doesn't end well */
  stop(): Promise<void>;
}

/** `npm start`, with its demo. It listens at once, and `ready` resolves when people may come. */
export const startOne = async (dataDir: string, env: Readonly<Record<string, string>> = {}) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const own = { PORT: String(port), BASE_URL: origin, DATA_DIR: dataDir };
  const program = new Program('infra/start/main.ts', { env: { ...own, ...env } });
  const ready = program.says(/Reprise is ready/);
  return { origin, dataDir, program, ready, stop: () => program.interrupt() };
};

/**
 * command-api, projector and query-api as three processes behind a proxy, on the data that a `startOne` left: the same keys,
 * images, log and read models.
 */
export const startSeveral = async (dataDir: string): Promise<StartedSite> => {
  await buildClient();
  const database = await startEmbedded({ dataDir: join(dataDir, 'postgres') });
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const start = async (file: string) => {
    const own = await freePort();
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, BASE_URL: origin, HOST: '127.0.0.1' };
    const program = new Program(file, { env: { ...env, PORT: String(own) } });
    await program.says(/listens on/);
    return { port: own, program };
  };
  const files = ['command-api/main.ts', 'projector/main.ts', 'query-api/main.ts'] as const;
  const [commands, projector, queries] = await Promise.all([
    start(files[0]),
    start(files[1]),
    start(files[2]),
  ]);
  const closeProxy = await startProxy(port, { commands: commands.port, queries: queries.port });
  return {
    origin,
    dataDir,
    async stop() {
      await closeProxy();
      await Promise.all([commands, projector, queries].map(({ program }) => program.interrupt()));
      await database.stop();
    },
  };
};
