import type { ServerResponse } from 'node:http';
import { may } from '#domain/contracts/capabilities.ts';
import { catalogueCalls, type LiveMessage } from '#domain/contracts/catalogue.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { toToken } from '#infra/event-log/checkpoint.ts';
import { countedAddress, countedLine } from '#infra/http/counted-address.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { followSession } from './follow-session.ts';

const MOST_CLIENTS = 5_000;
/** Guests at a venue may share one. */
const MOST_OF_ADDRESS = 1_000;
/** An IPv6 line has thousands of networks. */
const MOST_OF_LINE = 2_500;
/** Milliseconds; keeps proxies from closing a quiet stream. */
const HEARTBEAT = 25_000;
/** Bytes; beyond, a client is disconnected; it reconnects and refetches. */
const MOST_BEHIND = 256 * 1024;

/** Ends with its session; the client then reconnects with its current rights. */
export const liveRoutes = (app: App, context: QueryContext): void => {
  const { live, log, visibility } = context;
  const open = new Set<ServerResponse>();
  const byAddress = new Map<string, number>();

  app.addHook('preClose', async () => {
    for (const response of open) response.end();
  });

  route(app, catalogueCalls.live, (request, reply) => {
    // A client that left during a hook emits no further `close` and would never be removed.
    if (reply.raw.destroyed) return reply.hijack();
    const [address, line] = [countedAddress(request.ip), countedLine(request.ip)];
    const full = (from: string, most: number): boolean => (byAddress.get(from) ?? 0) >= most;
    if (
      open.size >= MOST_CLIENTS ||
      full(address, MOST_OF_ADDRESS) ||
      (line !== undefined && full(line, MOST_OF_LINE))
    )
      throw new Refusal('BUSY');
    const places = line === undefined ? [address] : [address, line];
    for (const place of places) byAddress.set(place, (byAddress.get(place) ?? 0) + 1);
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      connection: 'keep-alive',
      'x-accel-buffering': 'no',
    });
    const send = (message: LiveMessage): void => {
      // Writing after the end raises an unhandled error.
      if (response.writableEnded) return;
      if (response.writableLength > MOST_BEHIND) response.destroy();
      else response.write(`data: ${JSON.stringify(message)}\n\n`);
    };
    send({ type: 'connected', position: toToken(log.id, visibility.current()) });
    const { principal } = request;
    const leave = live.listen(send, principal.kind === 'user' && may(principal.role, 'scan-tickets'));
    const end = (): void => {
      response.end();
    };
    const forget = followSession(context, request, end);
    const heartbeat = setInterval(() => {
      if (!response.writableEnded) response.write(': still here\n\n');
    }, HEARTBEAT);
    open.add(response);
    request.raw.on('close', () => {
      clearInterval(heartbeat);
      leave();
      forget();
      open.delete(response);
      for (const place of places) {
        const left = (byAddress.get(place) ?? 1) - 1;
        if (left > 0) byAddress.set(place, left);
        else byAddress.delete(place);
      }
    });
    return reply;
  });
};
