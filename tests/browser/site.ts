/** The product for browser specs, started as people start it: in processes of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '#infra/machine.ts';
import { startEmbedded } from '#infra/postgres/embedded.ts';
import { builtClient } from './built-client.ts';
import { startProxy } from './proxy.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A running product. */
export interface Site {
  readonly origin: string;
  /** Where its mails are, among others. */
  readonly dataDir: string;
  /** Ends it as Ctrl-C does. @throws Error when a process doesn't end well */
  stop(): Promise<void>;
}

interface Process {
  readonly said: () => string;
  interrupt(): Promise<void>;
}

/** Starts one of the product's programs. Resolves once its output has `ready`, or rejects with what it said. */
const run = (file: string, environment: Record<string, string>, ready: RegExp): Promise<Process> =>
  new Promise((started, failed) => {
    const child: ChildProcess = spawn(process.execPath, [join(ROOT, file)], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: '', LOG_LEVEL: 'info', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    // A run that is interrupted leaves nothing behind.
    const end = () => child.kill('SIGINT');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      if (ready.test(output))
        started({
          said: () => output,
          async interrupt() {
            child.kill('SIGINT');
            const code = await ended;
            if (code !== 0) throw new Error(`${file} ended with ${code}:\n${output.slice(-4_000)}`);
          },
        });
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    ended.then(
      (code) => failed(new Error(`${file} ended with ${code} before it was ready:\n${output}`)),
      failed,
    );
  });

/** A data folder of its own, where an embedded PostgreSQL can live too. */
export const freshDataDir = async (): Promise<{ path: string; remove(): Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'reprise-browser-'));
  // The embedded PostgreSQL runs under an account of its own when the specs run as root.
  await chmod(path, 0o711);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

/** `npm start`, with its demo. */
export const startOne = async (dataDir: string, environment: Record<string, string> = {}): Promise<Site> => {
  await builtClient();
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const only = await run(
    'infra/start/main.ts',
    { PORT: String(port), BASE_URL: origin, DATA_DIR: dataDir, ...environment },
    /Reprise is ready/,
  );
  return { origin, dataDir, stop: only.interrupt };
};

/**
 * command-api, projector and query-api as three processes behind a proxy, on the data that a `startOne` left: the same keys,
 * images, log and read models.
 */
export const startSeveral = async (dataDir: string): Promise<Site> => {
  await builtClient();
  const database = await startEmbedded({ dataDir: join(dataDir, 'postgres') });
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const start = async (file: string, ready: RegExp) => {
    const own = await freePort();
    const environment = {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      BASE_URL: origin,
      HOST: '127.0.0.1',
      PORT: String(own),
    };
    return { port: own, ...(await run(file, environment, ready)) };
  };
  const [commands, projector, queries] = await Promise.all([
    start('command-api/main.ts', /command-api listens/),
    start('projector/main.ts', /projector answers/),
    start('query-api/main.ts', /query-api listens/),
  ]);
  const closeProxy = await startProxy(port, { commands: commands.port, queries: queries.port });
  return {
    origin,
    dataDir,
    async stop() {
      await closeProxy();
      await Promise.all([commands, projector, queries].map((one) => one.interrupt()));
      await database.stop();
    },
  };
};
