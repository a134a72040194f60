/** The product's programs, started as people start them, each in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface ProgramOptions {
  /** The repository. Default: this one. */
  readonly root?: string;
  readonly args?: readonly string[];
  /** All of its environment but for the path of programs: what the specs' own runner sets is not the product's. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether each answer is checked against its call. Benchmarks don't: production doesn't either. Default true. */
  readonly held?: boolean;
  /** A file that its output is added to. */
  readonly log?: string;
}

/** A program that runs, or has ended. */
export class Program {
  /** All that it has said. */
  output = '';
  /** Resolves when it ends: to its exit code, or to the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  readonly #file: string;
  readonly #child: ChildProcess;

  /** Starts it. @param file from the repository's root */
  constructor(file: string, { root = ROOT, args = [], env, held = true, log }: ProgramOptions) {
    const { PATH = '', HOME = '' } = process.env;
    this.#file = file;
    const checks = held ? ['--import', join(root, 'tests/kit/held-answers.ts')] : [];
    this.#child = spawn(process.execPath, [...checks, join(root, file), ...args], {
      cwd: root,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
      });
    if (log) {
      const kept = createWriteStream(log, { flags: 'a' });
      for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.pipe(kept, { end: false });
      // What it said last may come after its end.
      this.#child.once('close', () => kept.end());
    }
    this.ended = new Promise((done) => {
      this.#child.once('exit', (code, signal) => done(signal ?? code));
    });
    // A run that is interrupted leaves nothing behind.
    const end = () => this.#child.kill('SIGINT');
    process.once('exit', end);
    this.#child.once('exit', () => process.off('exit', end));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves once its output has `pattern`. @throws Error with what it said, if it ends before */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const said = new Promise<RegExpExecArray>((found) => {
      const look = (): void => {
        const match = pattern.exec(this.output);
        if (match) found(match);
      };
      look();
      for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', look);
    });
    const over = this.ended.then((how) => {
      throw new Error(`${this.#file} ended with ${how} before it was ready:\n${this.output}`);
    });
    return Promise.race([said, over]);
  }

  /** Sends a signal, and waits for the end. */
  async end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null> {
    this.#child.kill(signal);
    return this.ended;
  }

  /** Ends it as Ctrl-C does. @throws Error if it does not end well */
  async interrupt(): Promise<void> {
    const how = await this.end('SIGINT');
    if (how !== 0) throw new Error(`${this.#file} ended with ${how}:\n${this.output.slice(-4_000)}`);
  }
}
