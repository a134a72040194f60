import { type Config, readConfig } from '#infra/config/config.ts';
import { tellFailure } from '#infra/lib/cannot-start.ts';
import { Endings } from '#infra/lib/endings.ts';
import { startedBy } from '#infra/lib/parent.ts';
import { type Foundation, layFoundation } from './foundation.ts';

export interface Life {
  readonly signal: AbortSignal;
  /** For the program's end, whatever the reason. Last added runs first. */
  onEnd(end: () => unknown): void;
}

/** Throws the signal's reason when it aborts. `work` runs on while the program closes its resources. */
export const unlessAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((done, failed) => {
    work.then(done, failed);
    const give = () => failed(signal.reason);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });

export const INTERRUPTED = 130;
/** Milliseconds. */
const LONGEST_END = 20_000;
/** Milliseconds. One Ctrl-C may come twice, from the terminal and from npm. */
const SAME_SIGNAL = 1_000;
const PARENT_CHECK = 500;

const onSignals = (ask: () => void): void => {
  process.on('SIGINT', ask);
  process.on('SIGTERM', ask);
  // Without a terminal, as under nohup, SIGHUP is not meant for the program.
  if (process.stdin.isTTY) process.on('SIGHUP', ask);
  // npm passes SIGTERM only to its shell, which dies and leaves the program running.
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
  const awake = setInterval(() => undefined, 2 ** 30);
  try {
    await program({ signal: over.signal, onEnd: (end) => endings.add(end) });
    if (serves) await asked.promise;
  } catch (error) {
    // An interrupted start fails anywhere: hide that error.
    if (!over.signal.aborted) fail(error);
    else if (!serves) process.exitCode = INTERRUPTED;
  }
  await endings.run().catch(fail);
  clearInterval(awake);
  process.exit();
};

/** Runs until SIGINT or SIGTERM. A second signal, or a shutdown longer than 20 s, ends the process at once. */
export const runService = (program: (life: Life) => Promise<void>): Promise<never> => run(program, true);

export const runTool = (program: (life: Life) => Promise<void>): Promise<never> => run(program, false);

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
  readonly help: string;
  readonly connections?: number;
  start(foundation: Foundation, life: Life): Promise<unknown>;
}

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
