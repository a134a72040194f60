import type { CommandDeps } from '#command-api/deps/deps.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { projectionCalls } from '#domain/contracts/admin-projections.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { App } from '#infra/http/server.ts';

export const adminProjectionRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'lane' | 'clock' | 'replies' | 'database'>,
): void => {
  const { pool } = deps.database;
  changesOn(app, deps)(projectionCalls.ask, async ({ body: { kind }, principal }) => {
    const { rowCount } = await pool.query(
      'INSERT INTO app.projection_work (kind, asked_by) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [kind, principal.accountId],
    );
    if (rowCount === 0) throw new Refusal('CONFLICT');
    return { message: 'The projector has been asked' };
  });
};
