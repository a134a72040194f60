/** How the product's programs start and end: configuration, `--help`, signals, and one clear line on failure. */

import { type Config, readConfig } from '#infra/config/config.ts';
import { tellFailure } from '#infra/lib/cannot-start.ts';
import { Endings } from '#infra/lib/endings.ts';
import { startedBy } from '#infra/lib/parent.ts';
import { type Foundation, layFoundation } from './foundation.ts';

/** Tells a program when to end, and closes what it opened. */
export interface Life {
  /** Aborted when the program is to end. A start that is still under way checks it between its steps. */
  readonly signal: AbortSignal;
  /** Adds a function to call when the program ends, for whatever reason. The last added is called first. */
  onEnd(end: () => unknown): void;
}

/**
 * Waits for `work`, but no longer than until `signal` is aborted; then it throws the signal's reason. `work` is not stopped:
 * it runs on while the program closes what it uses.
 */
export const unlessAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((done, failed) => {
    work.then(done, failed);
    const give = () => failed(signal.reason);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });

/** The exit code of a tool that a signal ended before it was done. */
export const INTERRUPTED = 130;
/** How long a graceful end may take, in milliseconds. */
const LONGEST_END = 20_000;
/** One Ctrl-C may arrive twice, from the terminal and from npm. Signals within this time, in milliseconds, count as one. */
const SAME_SIGNAL = 1_000;
/** How often a program that npm started checks that npm's shell is still running, in milliseconds. */
const PARENT_CHECK = 500;

/** Calls `ask` on every signal that asks the program to end. */
const onSignals = (ask: () => void): void => {
  process.on('SIGINT', ask);
  process.on('SIGTERM', ask);
  // The terminal's window was closed. Without a terminal, as under nohup, the signal is not meant for the program.
  if (process.stdin.isTTY) process.on('SIGHUP', ask);
  // npm passes SIGTERM to its shell only. The shell dies, and the program would go on without it.
  if (process.env.npm_lifecycle_event) {
    const looking = setInterval(() => {
      if (process.ppid === startedBy) return;
      clearInterval(looking);
      ask();
    }, PARENT_CHECK);
    looking.unref();
  }
};

const run = async (program: (life: Life) => Promise<void>, serves: boolean): Promise<never> => {
  const endings = new Endings();
  const over = new AbortController();
  const asked = Promise.withResolvers<void>();
  let askedAt = 0;
  onSignals(() => {
    if (over.signal.aborted) {
      if (performance.now() - askedAt > SAME_SIGNAL) process.exit(1);
      return;
    }
    askedAt = performance.now();
    setTimeout(() => process.exit(1), LONGEST_END).unref();
    over.abort();
    asked.resolve();
  });
  const fail = (error: unknown): void => {
    process.exitCode = 1;
    console.error(tellFailure(error));
  };
  // A timer keeps the process alive while it only waits for a signal.
  const awake = setInterval(() => undefined, 2 ** 30);
  try {
    await program({ signal: over.signal, onEnd: (end) => endings.add(end) });
    if (serves) await asked.promise;
  } catch (error) {
    // A start that was told to end half-way fails somewhere; that error is not shown.
    if (!over.signal.aborted) fail(error);
    else if (!serves) process.exitCode = INTERRUPTED;
  }
  await endings.run().catch(fail);
  clearInterval(awake);
  process.exit();
};

/**
 * Runs a program that serves until SIGINT or SIGTERM. A second signal ends the process at once, and so does an end that takes
 * longer than 20 s. A signal during the start ends the program after the step under way.
 */
export const runService = (program: (life: Life) => Promise<void>): Promise<never> => run(program, true);

/**
 * Runs a program that ends when its work is done, with `process.exitCode`. Signals end it as they end a service, with
 * `INTERRUPTED`.
 */
export const runTool = (program: (life: Life) => Promise<void>): Promise<never> => run(program, false);

/** Reads the configuration. If variables are wrong it prints a line for each and ends the process with 1. */
export const configOrExit = (): Config => {
  try {
    return readConfig();
  } catch (error) {
    console.error(tellFailure(error));
    process.exit(1);
  }
};

export interface ProcessOptions {
  readonly name: string;
  /** The text for `--help`. */
  readonly help: string;
  /** How many connections to PostgreSQL to open at the most. */
  readonly connections?: number;
  start(foundation: Foundation, life: Life): Promise<unknown>;
}

/** Runs one of the product's processes where each app has its own. It needs `DATABASE_URL`. */
export const runProcess = async (options: ProcessOptions): Promise<void> => {
  if (process.argv.includes('--help')) {
    console.log(options.help);
    return;
  }
  const config = configOrExit();
  const { databaseUrl } = config;
  if (!databaseUrl) {
    console.error(`DATABASE_URL is missing: ${options.name} shares its PostgreSQL with the other processes.`);
    process.exit(1);
  }
  await runService(async (life) => {
    const foundation = await layFoundation({
      name: options.name,
      config,
      databaseUrl,
      ownerUrl: config.databaseOwnerUrl,
      ...(options.connections ? { connections: options.connections } : {}),
    });
    life.onEnd(() => foundation.close());
    life.signal.throwIfAborted();
    await options.start(foundation, life);
  });
};
