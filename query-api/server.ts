import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { toToken } from '#infra/event-log/checkpoint.ts';
import { installMinPosition, type Visibility } from '#infra/http/position.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext, QueryDeps } from './context/context.ts';
import { openLive } from './live/live.ts';
import { routes, routesWithoutPosition } from './routes/all.ts';

export const installQueryApi = async (app: App, deps: QueryDeps): Promise<void> => {
  const { progress, log } = deps;
  const visibility: Visibility = {
    current: () => progress.position(),
    reached: (position, withinMs) => progress.waitFor(position, withinMs),
  };
  const live = openLive({
    db: deps.db,
    progress,
    token: (position) => toToken(log.id, position),
    onError: (error) => app.log.warn({ err: error }, 'a live update was missed'),
  });
  deps.metrics.watch('live_clients', () => live.listeners);
  app.addHook('preClose', () => live.close());
  const context: QueryContext = { ...deps, live, visibility };
  for (const register of routesWithoutPosition)
    await app.register(async (scope) => register(scope.withTypeProvider<ZodTypeProvider>(), context));
  await app.register(async (scope) => {
    installMinPosition(scope, log, visibility);
    const typed: App = scope.withTypeProvider<ZodTypeProvider>();
    for (const register of routes) register(typed, context);
  });
};
