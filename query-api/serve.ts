import type { Foundation } from '#infra/foundation/foundation.ts';
import type { Life } from '#infra/foundation/process.ts';
import { serve } from '#infra/foundation/serve.ts';
import { openQueryService } from './service.ts';

export const serveQueryApi = async (foundation: Foundation, life: Pick<Life, 'onEnd'>): Promise<string> => {
  const service = await openQueryService(foundation);
  life.onEnd(() => service.stop());
  return serve(foundation, life, service);
};
