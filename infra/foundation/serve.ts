import { listenAt } from '#infra/http/listen.ts';
import { type App, closeGracefully, createServer } from '#infra/http/server.ts';
import { type Check, installOperations } from '#infra/observability/operations.ts';
import type { Foundation } from './foundation.ts';
import type { Life } from './process.ts';

/** A part of the product that a process of its own serves. */
export interface Served {
  readonly checks: readonly Check[];
  /** Adds its routes, before the server listens. A part without any answers about itself alone. */
  install?(app: App): Promise<void>;
}

/** Serves a part of the product at `HOST` and `PORT` until the process ends. Resolves to the address. */
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
