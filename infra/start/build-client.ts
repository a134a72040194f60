/** Builds the client, and what renders its pages on the server, if it is missing or older than its sources. The install runs it, and so does every start. */
import { spawn } from 'node:child_process';
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CannotStart, tellFailure } from '#infra/lib/cannot-start.ts';
import { bareEnvironment } from '#infra/lib/machine.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** What is built: the folder, the file that is there when it is, and what Vite is asked for. */
const BUILDS = [
  { folder: join(ROOT, 'web/dist-server'), proof: 'server.js', asked: ['--ssr', 'src/server.tsx'] },
  { folder: join(ROOT, 'web/dist'), proof: 'index.html', asked: [] },
];
const SOURCES = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'domain',
  'infra/html/sanitize-for-page.ts',
  'infra/html/sanitize-html.ts',
  'package-lock.json',
];

const newest = (path: string): number => {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return 0;
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
};

/** Whether what is built is missing or older than one of its sources. */
export const clientIsStale = (): boolean => {
  const built = Math.min(
    ...BUILDS.map(
      ({ folder, proof }) => statSync(join(folder, proof), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  );
  return built === 0 || SOURCES.some((source) => newest(join(ROOT, source)) > built);
};

/** Has Vite build into a folder. @throws CannotStart when that fails or was ended */
const runVite = async (asked: readonly string[], folder: string, over?: AbortSignal): Promise<void> => {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const built = spawn(
    process.execPath,
    [vite, 'build', 'web', ...asked, '--logLevel', 'error', '--outDir', folder, '--emptyOutDir'],
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
};

/**
 * Builds the client if it is stale. The old one is served until the new one is complete.
 * @param over ends the build when it is aborted
 * @throws CannotStart when the build fails or was ended
 */
export const buildClient = async (over?: AbortSignal): Promise<void> => {
  if (!clientIsStale()) return;
  const drafts = BUILDS.map((build) => ({
    ...build,
    draft: join(ROOT, `node_modules/.cache/${basename(build.folder)}-${process.pid}`),
  }));
  try {
    const ended = await Promise.allSettled(drafts.map(({ asked, draft }) => runVite(asked, draft, over)));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    for (const { folder, draft } of drafts) {
      rmSync(folder, { recursive: true, force: true });
      try {
        renameSync(draft, folder);
      } catch (error) {
        // Another start has put the same client there a moment ago.
        if (!/^(ENOTEMPTY|EEXIST)$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
      }
    }
  } finally {
    for (const { draft } of drafts) rmSync(draft, { recursive: true, force: true });
  }
};

if (import.meta.main)
  await buildClient().catch((error: unknown) => {
    console.error(tellFailure(error));
    process.exitCode = 1;
  });
