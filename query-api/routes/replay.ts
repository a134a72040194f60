import { replayCalls } from '#domain/contracts/replay.ts';
import { installMinPosition } from '#infra/http/position.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { logIndexVisibility } from '#infra/read-models/log-index.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { entryOf, IndexedLog, orUnreadable } from '#query-api/queries/log.ts';
import { replayPolicy, stepsOf, storyOf } from '#query-api/queries/replay.ts';
import { differencesOf, shownState, statesAround } from '#query-api/queries/state-changes.ts';
import { recordLogRead } from './record.ts';

export const replayRoutes = (app: App, context: QueryContext): void => {
  const { pool, log, codec } = context;
  installMinPosition(app, log, logIndexVisibility(pool));
  const parts = { log, codec, indexed: new IndexedLog(pool, log) };

  route(app, replayCalls.steps, async (request) => {
    const { stream, from, story } = request.query;
    const records = await (story ? storyOf(parts, stream).catch(orUnreadable) : stepsOf(log, stream, from));
    await recordLogRead(context, request, 'page', { stream });
    return records.map(entryOf);
  });

  route(app, replayCalls.states, async ({ query }) => {
    const states = await statesAround(log, codec, query);
    if (!states) return { before: null, after: null, changes: [] };
    const { before, after } = states;
    return {
      before: shownState(before),
      after: shownState(after),
      changes: differencesOf(before, after),
    };
  });

  route(app, replayCalls.whatIf, ({ query }) => replayPolicy(parts, query.policy).catch(orUnreadable));
};
