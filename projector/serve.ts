import type { Foundation } from '#infra/foundation.ts';
import { serve } from '#infra/http/serve.ts';
import type { Life } from '#infra/process.ts';
import { openProjectorService } from './service.ts';

/** What a projector does. Resolves to where it answers about itself. */
export const serveProjector = async (foundation: Foundation, life: Pick<Life, 'onEnd'>): Promise<string> => {
  const { checks, stop } = await openProjectorService(foundation);
  life.onEnd(() => stop());
  return serve(foundation, life, { checks });
};
