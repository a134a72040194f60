import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import { buildClient } from '#infra/start/build-client.ts';

/** Builds the client where it is stale. Several workers may ask at once: one builds, the others wait for it. */
export const builtClient = async (): Promise<void> => {
  const lock = join(inject('postgresFolder'), 'client-lock');
  for (;;) {
    try {
      await mkdir(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await pause(50);
    }
  }
  try {
    await buildClient();
  } finally {
    await rmdir(lock);
  }
};
