/**
 * PostgreSQL for specs: one embedded server a run, in a temporary folder, started by the first spec that asks
 * (a run of pure specs starts none) and stopped when the run ends.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { isAlive } from '#infra/machine.ts';
import { startEmbedded, stopEmbedded } from '#infra/postgres/embedded.ts';
import { oneAtATime } from './one-at-a-time.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresFolder: string;
  }
}

const PREFIX = 'reprise-test-postgres-';
/** Specs kill processes, never the machine; a run without fsync is several times faster. */
const FAST = { fsync: 'off', full_page_writes: 'off' } as const;

const discard = async (folder: string): Promise<void> => {
  await stopEmbedded(join(folder, 'server'), 'immediate');
  await rm(folder, { recursive: true, force: true });
};

/** Vitest calls it once a run, before all specs; what it returns, after them. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    // A run that was killed could not clean up after itself. It may have had our number, as every first run of a container.
    const number = Number(name.slice(PREFIX.length));
    if (number === process.pid || !isAlive(number))
      await discard(join(tmpdir(), name)).catch(
        () => undefined /* another run that starts now is at it too */,
      );
  }
  const folder = join(tmpdir(), `${PREFIX}${process.pid}`);
  await mkdir(folder, { recursive: true, mode: 0o711 });
  project.provide('postgresFolder', folder);
  return () => discard(folder);
};

let server: Promise<string> | undefined;

/** Several workers may ask at once: the first starts the server, the others adopt it. */
const startOnce = async (folder: string): Promise<string> => {
  const start = () => startEmbedded({ dataDir: join(folder, 'server'), settings: FAST });
  return (await oneAtATime(join(folder, 'lock'), start)).url;
};

/** The URL of the run's server (its database `postgres`, which specs leave alone). */
export const serverUrl = async (): Promise<string> => {
  const { inject } = await import('vitest');
  server ??= startOnce(inject('postgresFolder'));
  return server;
};

export interface FreshDatabase {
  readonly url: string;
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>;
}

/** A new, empty database for one spec file. Specs that need the application's tables call `migrate(url)` on it. */
export const freshDatabase = async (): Promise<FreshDatabase> => {
  const url = new URL(await serverUrl());
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const administer = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await administer(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
};
