/**
 * Lets callers read their own writes. A change answers with its position in the log (`X-Log-Position`). A query sends the highest
 * one that its client has seen (`X-Min-Position`), and waits until the read models have reached it; if that takes too long it
 * answers with `X-Stale: true`, and with `X-Beyond-End: true` if that can never be. A client that knows nothing of positions waits a
 * little for what this process has heard of.
 */
import type { FastifyInstance } from 'fastify';
import { fromToken, toToken } from '#infra/event-log/checkpoint.ts';
import { type EventLog, type Position, START } from '#infra/event-log/event-log.ts';

/** The log's position after a change. Lower case, as Node gives header names, like the next two. */
export const POSITION_HEADER = 'x-log-position';
/** The position that a query has to reach. */
export const MIN_POSITION_HEADER = 'x-min-position';
/** Says that the query did not reach it. */
export const STALE_HEADER = 'x-stale';
/** Says that the log ends before it. */
const BEYOND_END_HEADER = 'x-beyond-end';

/** How long a query waits for what its caller has just done, in milliseconds. */
export const LONGEST_WAIT = 2_000;
/** How long a query waits for what anybody has done, if its caller does not say what they have seen. */
export const UNASKED_WAIT = 500;

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with the log's position after this change. Of several positions the highest is sent. */
    position(position: Position): this;
  }
}

/** Adds `position()` to replies. */
export const installPosition = (app: FastifyInstance, logId: string): void => {
  app.decorateReply('position', function (position: Position) {
    if (position === START) return this;
    const before = fromToken(logId, String(this.getHeader(POSITION_HEADER) ?? '')) ?? START;
    return position > before ? this.header(POSITION_HEADER, toToken(logId, position)) : this;
  });
};

/** How far the read models have come. */
export interface Visibility {
  /** The position that all live read models have reached. */
  current(): Position;
  /** Waits for a position; resolves to whether it was reached in time. */
  reached(position: Position, withinMs: number): Promise<boolean>;
}

/** Makes the queries of this scope wait for what their callers have seen. */
export const installMinPosition = (
  app: FastifyInstance,
  log: Pick<EventLog, 'id' | 'head' | 'heard'>,
  visibility: Visibility,
): void => {
  // Read models that are far behind don't hold up each query of those who did not ask for it.
  let farBehind = false;
  const waitUnasked = async (): Promise<void> => {
    const { heard } = log;
    farBehind =
      heard > visibility.current() && !(await visibility.reached(heard, farBehind ? 0 : UNASKED_WAIT));
  };
  app.addHook('preHandler', async (request, reply) => {
    const header = request.headers[MIN_POSITION_HEADER];
    if (typeof header !== 'string') return waitUnasked();
    const position = fromToken(log.id, header);
    if (position === undefined || position <= visibility.current()) return;
    if (await visibility.reached(position, LONGEST_WAIT)) return;
    reply.header(STALE_HEADER, 'true');
    // A log that can't be asked has lost nothing, as far as anybody knows.
    const end = await log.head().catch(() => position);
    if (position > end) reply.header(BEYOND_END_HEADER, 'true');
  });
};
