import { getPriority, setPriority } from 'node:os';
import type { Foundation } from '#infra/foundation/foundation.ts';
import type { Life } from '#infra/foundation/process.ts';
import { serve } from '#infra/foundation/serve.ts';
import { openProjectorService } from './service.ts';

/** `nice` value: purchases take priority on a shared machine. */
const NICENESS = 5;

export const serveProjector = async (foundation: Foundation, life: Pick<Life, 'onEnd'>): Promise<string> => {
  if (getPriority() < NICENESS) setPriority(NICENESS);
  const { checks, stop } = await openProjectorService(foundation);
  life.onEnd(() => stop());
  return serve(foundation, life, { checks });
};
