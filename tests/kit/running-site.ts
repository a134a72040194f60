/**
 * The site that the browser's specs share: `npm start` in a folder of its own, begun before the first spec of the run and
 * ended after the last. Specs of other projects run while it is set up; `sharedSite` (`browser.ts`) waits for it.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildClient } from '#infra/start/build-client.ts';
import { chromiumPath } from './chromium.ts';
import { startOne } from './started-site.ts';

declare module 'vitest' {
  interface ProvidedContext {
    runningSite: { readonly origin: string; readonly dataDir: string; readonly pid: number };
  }
}

/** Vitest calls it before the browser project, and what it returns when all specs have ended. */
export default async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  await buildClient();
  if (!chromiumPath) return undefined;
  const dataDir = await mkdtemp(join(tmpdir(), 'reprise-browser-'));
  // The embedded PostgreSQL runs under an account of its own when the specs run as root.
  await chmod(dataDir, 0o711);
  // The pictures belong to the sweeps: to draw them takes as long as a dozen specs.
  const DEMO = project.name === 'endure' ? 'on' : 'plain';
  const { origin, program, ready, stop } = await startOne(dataDir, { RATE_LIMITS: 'off', DEMO });
  ready.catch((error: unknown) => console.error(error));
  project.provide('runningSite', { origin, dataDir, pid: program.pid ?? 0 });
  return async () => {
    // Whoever interrupts a run does so during the start, too.
    await ready.catch(() => undefined);
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  };
};
