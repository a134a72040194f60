import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { isWhole, sweep } from '#tests/kit/sweep.ts';

const PROGRAM = `import { runService, runTool, unlessAborted } from '${join(import.meta.dirname, 'process.ts')}';
import { CannotStart } from '${join(import.meta.dirname, '../lib/cannot-start.ts')}';
const never = new Promise(() => undefined);
const programs = {
  serves: () => runService(async ({ onEnd }) => {
    onEnd(() => console.log('first closed last'));
    onEnd(() => console.log('second closed first'));
    console.log('ready');
  }),
  endsAtTheSecond: () => runService(async ({ onEnd }) => {
    // No time passes between the two, however slow the machine.
    const now = performance.now();
    performance.now = () => now;
    onEnd(() => console.log('closed'));
    onEnd(() => new Promise((second) => {
      process.on('SIGINT', second);
      console.log('closing');
    }));
    console.log('ready');
  }),
  starts: () => runService(async ({ onEnd, signal }) => {
    onEnd(() => console.log('closed'));
    console.log('ready');
    await new Promise((stepDone) => signal.addEventListener('abort', stepDone));
    signal.throwIfAborted();
    console.log('started after all');
  }),
  fails: () => runService(async ({ onEnd }) => {
    onEnd(() => console.log('closed'));
    throw new CannotStart('The well is dry.');
  }),
  breaks: () => runTool(async () => { throw new TypeError('a defect'); }),
  works: () => runTool(async ({ onEnd, signal }) => {
    onEnd(() => console.log('closed'));
    console.log('ready');
    await unlessAborted(signal, never);
  }),
  complains: () => runTool(async () => { process.exitCode = 3; }),
};
await programs[process.argv.at(-1)]();`;

const run = (name: string, env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, ['--input-type=module-typescript', '-e', PROGRAM, name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, npm_lifecycle_event: '', ...env },
  });

/** What a program says, what it complains of, and the code it ends with. `during` is called once it has said "ready". */
const outcome = async (child: ChildProcess, during: (line: string) => void = () => undefined) => {
  const said: string[] = [];
  let complaint = '';
  child.stderr?.on('data', (bytes) => {
    complaint += bytes;
  });
  if (!child.stdout) throw new Error('no output');
  createInterface(child.stdout).on('line', (line) => {
    said.push(line);
    during(line);
  });
  const [code] = await once(child, 'close');
  return { said, complaint, code };
};

describe('a server program', () => {
  it.each<NodeJS.Signals>(sweep(['SIGTERM'], ['SIGINT', 'SIGTERM']))(
    'closes what it opened on %s, in reverse order',
    async (signal) => {
      const child = run('serves');
      const ended = await outcome(child, (line) => line === 'ready' && child.kill(signal));
      expect(ended).toEqual({
        said: ['ready', 'second closed first', 'first closed last'],
        complaint: '',
        code: 0,
      });
    },
  );

  it.runIf(isWhole)(
    'counts a Ctrl-C that arrives twice, from the terminal and from npm, as one',
    async () => {
      const child = run('endsAtTheSecond');
      const ended = await outcome(child, (line) => line !== 'closed' && child.kill('SIGINT'));
      expect(ended).toEqual({ said: ['ready', 'closing', 'closed'], complaint: '', code: 0 });
    },
  );

  it('ends as soon as possible when a signal arrives during its start', async () => {
    const child = run('starts');
    const ended = await outcome(child, (line) => line === 'ready' && child.kill('SIGTERM'));
    expect(ended).toEqual({ said: ['ready', 'closed'], complaint: '', code: 0 });
  });

  it('reports in one line why it cannot start, and closes what it had opened', async () => {
    expect(await outcome(run('fails'))).toEqual({
      said: ['closed'],
      complaint: 'The well is dry.\n',
      code: 1,
    });
  });

  it.runIf(isWhole)(
    'ends when npm is terminated, although only the shell between them gets the signal',
    async () => {
      const shell = spawn('sh', ['-c', `"$NODE" --input-type=module-typescript -e "$PROGRAM" serves; true`], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NODE: process.execPath, PROGRAM, npm_lifecycle_event: 'start' },
      });
      // The pipe closes when the last of them has ended.
      const ended = await outcome(shell, (line) => line === 'ready' && shell.kill('SIGTERM'));
      expect(ended.said).toEqual(['ready', 'second closed first', 'first closed last']);
    },
  );
});

describe('a command-line tool', () => {
  it('has its own exit code when it was interrupted', async () => {
    const child = run('works');
    const ended = await outcome(child, (line) => line === 'ready' && child.kill('SIGINT'));
    expect(ended).toEqual({ said: ['ready', 'closed'], complaint: '', code: 130 });
  });

  it.runIf(isWhole)('keeps the exit code that it set', async () => {
    expect(await outcome(run('complains'))).toMatchObject({ complaint: '', code: 3 });
  });

  it('prints a defect with its stack', async () => {
    const { complaint, code } = await outcome(run('breaks'));
    expect(complaint).toMatch(/TypeError: a defect\n {4}at /);
    expect(code).toBe(1);
  });
});
