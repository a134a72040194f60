import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { projectionCalls } from '#domain/contracts/admin-projections.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { App } from '#infra/http/server.ts';
import { askForProjectionWork } from '#infra/queue/operations.ts';

export const adminProjectionRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'clock' | 'replies' | 'database'>,
): void => {
  changesOn(app, deps)(projectionCalls.ask, async ({ body: { kind }, principal }) => {
    if (!(await askForProjectionWork(deps.database.pool, kind, principal.accountId)))
      throw new Refusal('CONFLICT');
    return { message: 'The projector has been asked' };
  });
};
