import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { proofCalls } from '#domain/contracts/log-proofs.ts';
import type { App } from '#infra/http/server.ts';
import { askForCheck } from '#infra/queue/operations.ts';

export const logCheckRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'clock' | 'replies' | 'database'>,
): void =>
  changesOn(app, deps)(proofCalls.check, async ({ principal }) => ({
    id: await askForCheck(deps.database.pool, principal.accountId),
  }));
