/** Builds the client if it is missing or older than its sources. The install runs it, and so does every start. */
import { spawn } from 'node:child_process';
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CannotStart, tellFailure } from '#infra/cannot-start.ts';
import { bareEnvironment } from '#infra/machine.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const DIST = join(ROOT, 'web/dist');
const BUILT = join(DIST, 'index.html');
const SOURCES = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'domain',
  'package-lock.json',
];

const newest = (path: string): number => {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return 0;
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
};

/** Whether `web/dist` is missing or older than one of its sources. */
export const clientIsStale = (): boolean => {
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return built === 0 || SOURCES.some((source) => newest(join(ROOT, source)) > built);
};

/**
 * Builds the client if it is stale. The old one is served until the new one is complete.
 * @param over ends the build when it is aborted
 * @throws CannotStart when the build fails or was ended
 */
export const buildClient = async (over?: AbortSignal): Promise<void> => {
  if (!clientIsStale()) return;
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const draft = join(ROOT, `node_modules/.cache/client-${process.pid}`);
  try {
    const built = spawn(
      process.execPath,
      [vite, 'build', 'web', '--logLevel', 'error', '--outDir', draft, '--emptyOutDir'],
      {
        cwd: ROOT,
        // Also in a test run the client is built for production: React's own checks would make it half as large again.
        env: bareEnvironment({ NODE_ENV: 'production' }),
        stdio: ['ignore', 'ignore', 'inherit'],
        ...(over ? { signal: over } : {}),
      },
    );
    built.on('error', () => undefined /* `close` follows */);
    const status = await new Promise((ended) => built.on('close', ended));
    if (status !== 0) throw new CannotStart('The client could not be built; see above.');
    rmSync(DIST, { recursive: true, force: true });
    try {
      renameSync(draft, DIST);
    } catch (error) {
      // Another start has put the same client there a moment ago.
      if (!/^(ENOTEMPTY|EEXIST)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
};

if (import.meta.main)
  await buildClient().catch((error: unknown) => {
    console.error(tellFailure(error));
    process.exitCode = 1;
  });
