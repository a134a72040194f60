/** Before the first spec of a run: a folder for the run's PostgreSQL. After the last: the server that specs started in it ends. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { lifeOf } from '#infra/lib/machine.ts';
import { stopEmbedded } from '#infra/postgres/embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data of the run's PostgreSQL is below it; see `database.ts`. */
    postgresFolder: string;
  }
}

const PREFIX = 'reprise-test-postgres-';

const discard = async (folder: string): Promise<void> => {
  await stopEmbedded(join(folder, 'server'), 'immediate');
  await rm(folder, { recursive: true, force: true });
};

/** Vitest calls it once a run, and what it returns when all specs have ended. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    // A run that was killed could not clean up after itself. It may have had our number, as every first run of a container.
    const number = Number(name.slice(PREFIX.length));
    if (number === process.pid || lifeOf(number) === 'gone')
      // Another run that starts now may be at it too.
      await discard(join(tmpdir(), name)).catch(() => undefined);
  }
  const folder = join(tmpdir(), `${PREFIX}${process.pid}`);
  await mkdir(folder, { recursive: true, mode: 0o711 });
  project.provide('postgresFolder', folder);
  return () => discard(folder);
};
