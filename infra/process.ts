/** How each of the product's programs starts and ends: configuration, `--help`, signals, one clear line on failure. */
import { tellFailure } from './cannot-start.ts';
import { type Config, readConfig } from './config.ts';
import { Endings } from './endings.ts';
import { type Foundation, layFoundation } from './foundation.ts';
import { startedBy } from './parent.ts';

/** What a program holds on to while it runs. */
export interface Life {
  /** Aborted once the end was asked for. A start that is still under way looks at it between its steps. */
  readonly signal: AbortSignal;
  /** Has something closed when the program ends, whatever ends it; what was opened last goes first. */
  onEnd(end: () => unknown): void;
}

/**
 * What `work` comes to, or the reason of `signal` as soon as that is aborted. `work` is then left to itself: what it
 * stands on is closed under it.
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
/** One Ctrl-C may arrive twice, from the terminal and passed on by npm: within so many milliseconds it is one wish. */
const SAME_WISH = 1_000;
/** How often a program that npm started looks whether npm's shell is still there, in milliseconds. */
const LOOK_FOR_PARENT = 500;

/** Calls `ask` on every signal that asks for the end. */
const onSignals = (ask: () => void): void => {
  process.on('SIGINT', ask);
  process.on('SIGTERM', ask);
  // The terminal's window was closed. Without a terminal (under nohup) nobody means the program by it.
  if (process.stdin.isTTY) process.on('SIGHUP', ask);
  // npm passes SIGTERM on to its shell only, which dies of it and leaves the program behind.
  if (process.env.npm_lifecycle_event) {
    const looking = setInterval(() => {
      if (process.ppid === startedBy) return;
      clearInterval(looking);
      ask();
    }, LOOK_FOR_PARENT);
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
      if (performance.now() - askedAt > SAME_WISH) process.exit(1);
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
  // Something has to keep the process alive while it merely waits for a signal.
  const awake = setInterval(() => undefined, 2 ** 30);
  try {
    await program({ signal: over.signal, onEnd: (end) => endings.add(end) });
    if (serves) await asked.promise;
  } catch (error) {
    // What a start says that was told to end half-way is of no interest.
    if (!over.signal.aborted) fail(error);
    else if (!serves) process.exitCode = INTERRUPTED;
  }
  await endings.run().catch(fail);
  clearInterval(awake);
  process.exit();
};

/**
 * Runs a program that serves until SIGINT or SIGTERM; a second signal ends it at once, and so does an end that takes
 * too long. A signal that comes while it is still starting ends it after the step under way.
 */
export const runService = (program: (life: Life) => Promise<void>): Promise<never> => run(program, true);

/**
 * Runs a program that is done when its work is; signals end it as they end a service, with `INTERRUPTED`.
 * `process.exitCode` is kept.
 */
export const runTool = (program: (life: Life) => Promise<void>): Promise<never> => run(program, false);

/** The configuration, or one line for each variable that is wrong and the end of the process. */
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
  /** What `--help` says. */
  readonly help: string;
  /** Connections to PostgreSQL at the most. */
  readonly connections?: number;
  start(foundation: Foundation, life: Life): Promise<void>;
}

/** Runs one of the processes of the several-process start. It needs `DATABASE_URL`. */
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
      ...(options.connections ? { connections: options.connections } : {}),
    });
    life.onEnd(() => foundation.close());
    life.signal.throwIfAborted();
    await options.start(foundation, life);
  });
};
