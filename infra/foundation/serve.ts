import { listenAt } from '#infra/http/listen.ts';
import { type App, closeGracefully, createServer } from '#infra/http/server.ts';
import { type Check, installOperations } from '#infra/observability/operations.ts';
import type { Foundation } from './foundation.ts';
import type { Life } from './process.ts';

export interface Served {
  readonly checks: readonly Check[];
  install?(app: App): Promise<void>;
}

export const serve = async (
  { config, sessions, limits, logger, log, metrics }: Foundation,
  { onEnd }: Pick<Life, 'onEnd'>,
  { checks, install }: Served,
): Promise<string> => {
  const app = await createServer({ config, sessions, limits, logId: log.id, logger });
  onEnd(() => closeGracefully(app));
  installOperations(app, { config, metrics, checks });
  await install?.(app);
  const address = await listenAt(app, config);
  logger.info(`listens on ${address}`);
  return address;
};
