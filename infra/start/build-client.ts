/**
 * Builds the client where it is missing or older than its sources. Run by the install, and again by a start that
 * finds it stale.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');
const BUILT = join(ROOT, 'web/dist/index.html');
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

/** Whether `web/dist` is missing or older than what it is made of. */
export const clientIsStale = (): boolean => {
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return built === 0 || SOURCES.some((source) => newest(join(ROOT, source)) > built);
};

/** Builds the client if it is stale. @throws Error when the build fails */
export const buildClient = (): void => {
  if (!clientIsStale()) return;
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build', 'web', '--logLevel', 'warn'], {
    cwd: ROOT,
    // Whoever asks, a test run too, gets what visitors get: React's own checks would make it half as large again.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The client could not be built; see above.');
};

if (import.meta.main) buildClient();
