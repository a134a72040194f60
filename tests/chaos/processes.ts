/** Processes of the product under a supervisor that restarts what ends, and remembers what ended by itself. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Program } from '#tests/kit/program.ts';

export interface SupervisedOptions {
  readonly name: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  readonly logs: string;
  /** How often what it needs to start was killed so far. While it is gone: infinite. */
  falls(): number;
}

/** How long after an end the supervisor starts anew, in milliseconds. */
const RESTART_AFTER = 300;
const LONGEST_START = 180_000;

export class Supervised {
  readonly name: string;
  readonly origin: string;
  readonly surprises: string[] = [];
  readonly #options: SupervisedOptions;
  #running: Program | undefined;
  #wanted = false;
  #answered = false;
  #fallsAtStart = 0;

  constructor(options: SupervisedOptions) {
    this.#options = options;
    this.name = options.name;
    this.origin = `http://127.0.0.1:${options.port}`;
  }

  start(): void {
    this.#wanted = true;
    this.#answered = false;
    this.#fallsAtStart = this.#options.falls();
    const { program, env, port, logs } = this.#options;
    const running = new Program(program, {
      env: { ...env, HOST: '127.0.0.1', PORT: String(port) },
      log: join(logs, `${this.name}.log`),
    });
    this.#running = running;
    running.ended.then((how) => {
      if (!this.#wanted || this.#running !== running) return;
      // A slow start may end when what fell meanwhile is back.
      const isDown = !Number.isFinite(this.#fallsAtStart);
      const excused = !this.#answered && (isDown || this.#options.falls() > this.#fallsAtStart);
      if (!excused) this.surprises.push(`${this.name} ended by itself (${how})`);
      setTimeout(() => {
        if (this.#wanted && this.#running === running) this.start();
      }, RESTART_AFTER);
    });
  }

  /** Resolves once it answers. @throws after three minutes */
  async answers(): Promise<void> {
    const deadline = Date.now() + LONGEST_START;
    while (Date.now() < deadline) {
      const signal = AbortSignal.timeout(2_000);
      const reply = await fetch(`${this.origin}/healthz`, { signal }).catch(() => undefined);
      if (reply?.ok) {
        this.#answered = true;
        return;
      }
      await pause(100);
    }
    throw new Error(`${this.name} does not answer`);
  }

  /** `kill -9`, and waits until it is gone. It stays gone until `start`. */
  readonly kill = (): Promise<void> => this.#end('SIGKILL');
  readonly stop = (): Promise<void> => this.#end('SIGTERM');

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#wanted = false;
    await this.#running?.end(signal);
  }
}
