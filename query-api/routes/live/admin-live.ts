import { type AdminNews, overviewCalls } from '#domain/contracts/admin-overview.ts';
import { toToken } from '#infra/event-log/checkpoint.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { socketRoute } from './socket.ts';

/** Milliseconds: each message makes the panel refetch its lists. */
const PACE = 2_000;

export const adminLiveRoutes = (app: App, context: QueryContext): void => {
  const { progress, log, visibility } = context;
  socketRoute(app, context, overviewCalls.live, (_, tell) => {
    const news = (): void => {
      tell({ position: toToken(log.id, visibility.current()) } satisfies AdminNews);
    };
    let timer: NodeJS.Timeout | undefined;
    const forget = progress.onNotice(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        news();
      }, PACE);
    });
    news();
    return () => {
      clearTimeout(timer);
      forget();
    };
  });
};
