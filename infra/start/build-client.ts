/** Builds the client if missing or older than its sources. Run by the install and by every start. */
import { spawn } from 'node:child_process';
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CannotStart, tellFailure } from '#infra/lib/cannot-start.ts';
import { bareEnvironment } from '#infra/lib/machine.ts';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

const BUILDS = [
  { folder: join(ROOT, 'web/dist-server'), proof: 'server.js', asked: ['--ssr', 'src/app/server.tsx'] },
  { folder: join(ROOT, 'web/dist'), proof: 'index.html', asked: [] },
];
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

export const clientIsStale = (): boolean => {
  const built = Math.min(
    ...BUILDS.map(
      ({ folder, proof }) => statSync(join(folder, proof), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    ),
  );
  return built === 0 || SOURCES.some((source) => newest(join(ROOT, source)) > built);
};

const runVite = async (asked: readonly string[], folder: string, over?: AbortSignal): Promise<void> => {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const built = spawn(
    process.execPath,
    [vite, 'build', 'web', ...asked, '--logLevel', 'error', '--outDir', folder, '--emptyOutDir'],
    {
      cwd: ROOT,
      // Also in tests: React's development checks would make the client half as large again.
      env: bareEnvironment({ NODE_ENV: 'production' }),
      stdio: ['ignore', 'ignore', 'inherit'],
      ...(over ? { signal: over } : {}),
    },
  );
  built.on('error', () => undefined /* `close` follows */);
  const status = await new Promise((ended) => built.on('close', ended));
  if (status !== 0) throw new CannotStart('The client could not be built; see above.');
};

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
        // A concurrent start was first.
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
