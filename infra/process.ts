/** How each of the product's processes starts and ends: configuration, `--help`, signals, one clear line on failure. */
import { BadConfiguration, type Config, readConfig } from './config.ts';
import { type Foundation, layFoundation } from './foundation.ts';

/** What a process started, and how it ends. */
export interface Running {
  stop(): Promise<void>;
}

export interface ProcessOptions {
  readonly name: string;
  /** What `--help` says. */
  readonly help: string;
  /** Connections to PostgreSQL at the most. */
  readonly connections?: number;
  start(foundation: Foundation): Promise<Running>;
}

/** How long a graceful end may take, in milliseconds. */
const LONGEST_END = 20_000;

/** Ends the process with `stop` on SIGINT and SIGTERM; a second signal, or `LONGEST_END`, ends it at once. */
export const stopOnSignals = (stop: () => Promise<void>): void => {
  let stopping = false;
  const end = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(1), LONGEST_END).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
};

/** The configuration, or one line for each variable that is wrong and the end of the process. */
export const configOrExit = (): Config => {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof BadConfiguration)) throw error;
    console.error(error.message);
    process.exit(1);
  }
};

/** Runs one of the processes of the several-process start. It needs `DATABASE_URL`. */
export const runProcess = async (options: ProcessOptions): Promise<void> => {
  if (process.argv.includes('--help')) {
    console.log(options.help);
    return;
  }
  const config = configOrExit();
  if (!config.databaseUrl) {
    console.error(`DATABASE_URL is missing: ${options.name} shares its PostgreSQL with the other processes.`);
    process.exit(1);
  }
  const foundation = await layFoundation({
    name: options.name,
    config,
    databaseUrl: config.databaseUrl,
    ...(options.connections ? { connections: options.connections } : {}),
  });
  const running = await options.start(foundation);
  stopOnSignals(async () => {
    await running.stop();
    await foundation.close();
  });
};
