/** WebSockets for people who work here: of this site's pages only, bounded in number, alive, and ended with their sessions. */
import { SESSION_ENDED } from '#domain/contracts/admin-overview.ts';
import type { Call } from '#domain/contracts/call.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { isOwnOrigin, ownOrigins } from '#infra/http/csrf.ts';
import type { Asked } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { followSession } from './follow-session.ts';

/** The time between two pings, in milliseconds. A client that has not answered the last one is gone. */
const HEARTBEAT = 25_000;
/** Connections of one account, and of all. */
const MOST_OF_ACCOUNT = 20;
const MOST = 500;
/** The close code that asks the client to try again later. */
const TRY_LATER = 1013;
/** A client that reads so slowly that this many bytes wait for it is not sent more. */
const MOST_WAITING = 1_000_000;

/**
 * Registers a call that answers with a WebSocket. Whatever clients send is ignored, and more than a few bytes end the connection.
 * @param begin starts to tell a client; `tell` sends a message, and returns whether it was sent. What it returns ends that.
 */
export const socketRoute = <C extends Call & { readonly method: 'GET'; readonly answer: 'websocket' }>(
  app: App,
  context: QueryContext,
  declared: C,
  begin: (request: Asked<C>, tell: (message: object) => boolean) => () => void,
): void => {
  const origins = ownOrigins(context.config);
  const byAccount = new Map<string, number>();
  let open = 0;

  app.route({
    method: declared.method,
    url: declared.path,
    config: { ...declared },
    schema: declared.query ? { querystring: declared.query } : {},
    exposeHeadRoute: false,
    // A browser sends cookies with a WebSocket of any site's page, and no CSRF token.
    preValidation: async ({ ws, headers }) => {
      if (ws && !isOwnOrigin(headers, origins)) throw new Refusal('CSRF');
    },
    handler: () => {
      throw new Refusal('UPGRADE_REQUIRED');
    },
    wsHandler(socket, request) {
      const { principal, sessionToken } = request;
      if (principal.kind !== 'user' || sessionToken === null) return socket.close(SESSION_ENDED);
      const { accountId: id } = principal;
      const own = byAccount.get(id) ?? 0;
      if (open >= MOST || own >= MOST_OF_ACCOUNT) return socket.close(TRY_LATER);
      open += 1;
      byAccount.set(id, own + 1);

      const end = (): void => socket.close(SESSION_ENDED);
      const forget = followSession(context, request, end);
      let answered = true;
      const heartbeat = setInterval(() => {
        if (!answered) return socket.terminate();
        answered = false;
        socket.ping();
      }, HEARTBEAT);
      socket.on('pong', () => {
        answered = true;
      });
      const stop = begin(request as Asked<C>, (message) => {
        if (socket.bufferedAmount > MOST_WAITING) return false;
        socket.send(JSON.stringify(message));
        return true;
      });
      socket.on('close', () => {
        clearInterval(heartbeat);
        stop();
        forget();
        open -= 1;
        const left = (byAccount.get(id) ?? 1) - 1;
        if (left > 0) byAccount.set(id, left);
        else byAccount.delete(id);
      });
    },
  });
};
