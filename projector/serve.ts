import { getPriority, setPriority } from 'node:os';
import type { Foundation } from '#infra/foundation/foundation.ts';
import type { Life } from '#infra/foundation/process.ts';
import { serve } from '#infra/foundation/serve.ts';
import { openProjectorService } from './service.ts';

/** As `nice` has it: on a machine that they share, purchases go before what follows them. */
const NICENESS = 5;

/** What a projector does, in a process of its own. Resolves to where it answers about itself. */
export const serveProjector = async (foundation: Foundation, life: Pick<Life, 'onEnd'>): Promise<string> => {
  if (getPriority() < NICENESS) setPriority(NICENESS);
  const { checks, stop } = await openProjectorService(foundation);
  life.onEnd(() => stop());
  return serve(foundation, life, { checks });
};
