/**
 * Reading one's own writes: a change answers with `X-Log-Position`, a query that carries the highest one
 * its client has seen in `X-Min-Position` waits until the read models are there, or answers with `X-Stale: true`.
 */
import type { FastifyInstance } from 'fastify';
import { fromToken, toToken } from '#infra/event-log/checkpoint.ts';
import { type Position, START } from '#infra/event-log/event-log.ts';

/** How far the log was after a change. As Node gives it: in small letters, as the next two. */
export const POSITION_HEADER = 'x-log-position';
/** How far a query has to be. */
export const MIN_POSITION_HEADER = 'x-min-position';
/** Says that it was not. */
export const STALE_HEADER = 'x-stale';

/** How long a query waits for what its caller has just done, in milliseconds. */
export const LONGEST_WAIT = 2_000;

declare module 'fastify' {
  interface FastifyReply {
    /** Says how far the log was after this change; the highest of several counts. */
    position(position: Position): this;
  }
}

/** Gives replies their `position()`. */
export const installPosition = (app: FastifyInstance, logId: string): void => {
  app.decorateReply('position', function (position: Position) {
    if (position === START) return this;
    const before = fromToken(logId, String(this.getHeader(POSITION_HEADER) ?? '')) ?? START;
    return position > before ? this.header(POSITION_HEADER, toToken(logId, position)) : this;
  });
};

/** What is visible in the read models, as the query API knows it. */
export interface Visibility {
  /** The position that all live read models have reached. */
  current(): Position;
  /** Resolves with whether it was reached in time. */
  reached(position: Position, withinMs: number): Promise<boolean>;
}

/** Makes the queries of this scope wait for what their callers have seen. */
export const installMinPosition = (app: FastifyInstance, logId: string, visibility: Visibility): void => {
  app.addHook('preHandler', async (request, reply) => {
    const header = request.headers[MIN_POSITION_HEADER];
    if (typeof header !== 'string') return;
    const position = fromToken(logId, header);
    if (position === undefined || position <= visibility.current()) return;
    if (!(await visibility.reached(position, LONGEST_WAIT))) reply.header(STALE_HEADER, 'true');
  });
};
