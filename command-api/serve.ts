import type { Foundation } from '#infra/foundation/foundation.ts';
import type { Life } from '#infra/foundation/process.ts';
import { serve } from '#infra/foundation/serve.ts';
import { originOf } from '#infra/http/listen.ts';
import { type CommandServiceOptions, openCommandService } from './service.ts';

export const serveCommandApi = async (
  foundation: Foundation,
  life: Pick<Life, 'onEnd'>,
  options: Omit<CommandServiceOptions, 'origin'> = {},
): Promise<string> => {
  const { host, port, work } = foundation.config;
  let origin = originOf(host, port);
  const service = await openCommandService(foundation, { ...options, origin: () => origin });
  life.onEnd(() => service.stop());
  origin = await serve(foundation, life, service);
  if (work !== 'off') await service.startWorking();
  return origin;
};
