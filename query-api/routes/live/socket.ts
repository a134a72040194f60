/** Same origin only, limited in number, kept alive by pings, and closed with their sessions. */
import { SESSION_ENDED } from '#domain/contracts/admin-overview.ts';
import type { Call } from '#domain/contracts/call.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { isOwnOrigin, ownOrigins } from '#infra/http/csrf.ts';
import type { Asked } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { followSession } from './follow-session.ts';

/** Milliseconds; a client that missed the last ping is dropped. */
const HEARTBEAT = 25_000;
const MOST_OF_ACCOUNT = 20;
const MOST = 500;
const TRY_LATER = 1013;
/** Bytes; beyond, a slow client gets no more messages. */
const MOST_WAITING = 1_000_000;

/** @param begin starts sending with `tell`, which returns whether the message was sent; returns a function that stops */
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
    // Browsers send cookies with WebSockets from any site, without a CSRF token.
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
