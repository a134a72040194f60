import { type AdminNews, overviewCalls, SESSION_ENDED } from '#domain/contracts/admin-overview.ts';
import { Refusal } from '#domain/refusal.ts';
import { toToken } from '#infra/event-log/checkpoint.ts';
import { isOwnOrigin, ownOrigins } from '#infra/http/csrf.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context.ts';

/** The shortest time between two messages, in milliseconds: each makes the panel fetch its lists anew. */
const PACE = 2_000;
/** The time between two pings, in milliseconds. A client that has not answered the last one is gone. */
const HEARTBEAT = 25_000;
/** Connections of one account, and of all. */
const MOST_OF_ACCOUNT = 20;
const MOST = 500;
/** The close code that asks the client to try again later. */
const TRY_LATER = 1013;

/**
 * Tells the admin panel over a WebSocket that something has changed. The first message comes at once, so that a client that reconnects
 * catches up. Whatever clients send is ignored, and more than a few bytes end the connection.
 */
export const adminLiveRoutes = (app: App, context: QueryContext): void => {
  const { config, progress, log, sessions, endings, visibility } = context;
  const origins = ownOrigins(config);
  const byAccount = new Map<string, number>();
  let open = 0;

  const { live } = overviewCalls;
  app.route({
    method: live.method,
    url: live.path,
    config: { ...live },
    exposeHeadRoute: false,
    // A browser sends cookies with a WebSocket of any site's page, and no CSRF token.
    preValidation: async ({ ws, headers }) => {
      if (ws && !isOwnOrigin(headers, origins)) throw new Refusal('CSRF');
    },
    handler: () => {
      throw new Refusal('UPGRADE_REQUIRED');
    },
    wsHandler(socket, { principal, sessionToken }) {
      if (principal.kind !== 'user' || sessionToken === null) return socket.close(SESSION_ENDED);
      const { accountId: id, sessionId } = principal;
      const own = byAccount.get(id) ?? 0;
      if (open >= MOST || own >= MOST_OF_ACCOUNT) return socket.close(TRY_LATER);
      open += 1;
      byAccount.set(id, own + 1);

      const tell = (): void => {
        const news: AdminNews = { position: toToken(log.id, visibility.current()) };
        socket.send(JSON.stringify(news));
      };
      let timer: NodeJS.Timeout | undefined;
      let answered = true;
      const hear = progress.onNotice(() => {
        timer ??= setTimeout(() => {
          timer = undefined;
          tell();
        }, PACE);
      });
      const end = (): void => socket.close(SESSION_ENDED);
      const forget = endings.follow(sessionId, end);
      const heartbeat = setInterval(() => {
        if (!answered) return socket.terminate();
        answered = false;
        socket.ping();
      }, HEARTBEAT);
      socket.on('pong', () => {
        answered = true;
      });
      socket.on('close', () => {
        clearInterval(heartbeat);
        clearTimeout(timer);
        hear();
        forget();
        open -= 1;
        const left = (byAccount.get(id) ?? 1) - 1;
        if (left > 0) byAccount.set(id, left);
        else byAccount.delete(id);
      });
      // The session may have ended before it was followed.
      sessions.find(sessionToken).then((found) => found ?? end(), end);
      tell();
    },
  });
};
