/** Processes of the product under a supervisor that restarts what ends, and remembers what ended by itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface SupervisedOptions {
  readonly name: string;
  /** A file under the repository. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  /** Where its output goes: `{logs}/{name}.log`. */
  readonly logs: string;
  /** Whether an end is no surprise at the moment, for example because its database was just killed. */
  mayFailToStart(): boolean;
}

/** How long after an end the supervisor starts anew, in milliseconds. */
const RESTART_AFTER = 300;
const LONGEST_START = 180_000;

/** One process, started again whenever it ends. */
export class Supervised {
  readonly name: string;
  readonly origin: string;
  /** Ends that nobody had asked for. */
  readonly surprises: string[] = [];
  readonly #options: SupervisedOptions;
  #child: ChildProcess | undefined;
  #wanted = false;
  #answered = false;
  #excused = false;

  constructor(options: SupervisedOptions) {
    this.#options = options;
    this.name = options.name;
    this.origin = `http://127.0.0.1:${options.port}`;
  }

  start(): void {
    this.#wanted = true;
    this.#answered = false;
    this.#excused = this.#options.mayFailToStart();
    const { program, env, port, logs } = this.#options;
    const child = spawn(process.execPath, [program], {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: process.env.PATH ?? '', ...env, HOST: '127.0.0.1', PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = createWriteStream(join(logs, `${this.name}.log`), { flags: 'a' });
    child.stdout.pipe(output, { end: false });
    child.stderr.pipe(output, { end: false });
    this.#child = child;
    // What it said last may come after its end.
    child.once('close', () => output.end());
    child.once('exit', (code, signal) => {
      if (!this.#wanted || this.#child !== child) return;
      const excused = !this.#answered && (this.#excused || this.#options.mayFailToStart());
      if (!excused) this.surprises.push(`${this.name} ended by itself (${code ?? signal})`);
      setTimeout(() => {
        if (this.#wanted && this.#child === child) this.start();
      }, RESTART_AFTER);
    });
  }

  /** Resolves once it answers. @throws after three minutes */
  async answers(): Promise<void> {
    const deadline = Date.now() + LONGEST_START;
    while (Date.now() < deadline) {
      if (this.#options.mayFailToStart()) this.#excused = true;
      const reply = await fetch(`${this.origin}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      );
      if (reply?.ok) {
        this.#answered = true;
        return;
      }
      await pause(100);
    }
    throw new Error(`${this.name} does not answer`);
  }

  /** Of the running process. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** `kill -9`, and waits until it is gone. It stays gone until `start`. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends it as an operator would. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#wanted = false;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  }
}
