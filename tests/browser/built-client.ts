import { join } from 'node:path';
import { inject } from 'vitest';
import { buildClient } from '#infra/start/build-client.ts';
import { oneAtATime } from '#tests/kit/one-at-a-time.ts';

/** Builds the client where it is stale. Several workers may ask at once: one builds, the others wait for it. */
export const builtClient = (): Promise<void> =>
  oneAtATime(join(inject('postgresFolder'), 'client-lock'), buildClient);
