/**
 * Read-your-writes: a query waits for `X-Min-Position` (`domain/contracts/envelope.ts`), or without one
 * briefly for the highest position this process knows.
 */
import type { FastifyInstance } from 'fastify';
import { fromToken, toToken } from '#infra/event-log/checkpoint.ts';
import { type EventLog, type Position, START } from '#infra/event-log/event-log.ts';

export const POSITION_HEADER = 'x-log-position';
export const MIN_POSITION_HEADER = 'x-min-position';
export const STALE_HEADER = 'x-stale';
const BEYOND_END_HEADER = 'x-beyond-end';

/** Milliseconds. */
export const LONGEST_WAIT = 2_000;
/** Milliseconds, without a position from the caller. */
export const UNASKED_WAIT = 500;

declare module 'fastify' {
  interface FastifyReply {
    position(position: Position): this;
  }
}

export const installPosition = (app: FastifyInstance, logId: string): void => {
  app.decorateReply('position', function (position: Position) {
    if (position === START) return this;
    const before = fromToken(logId, String(this.getHeader(POSITION_HEADER) ?? '')) ?? START;
    return position > before ? this.header(POSITION_HEADER, toToken(logId, position)) : this;
  });
};

export interface Visibility {
  current(): Position;
  reached(position: Position, withinMs: number): Promise<boolean>;
}

export const installMinPosition = (
  app: FastifyInstance,
  log: Pick<EventLog, 'id' | 'head' | 'heard'>,
  visibility: Visibility,
): void => {
  // While the read models are far behind, queries without a position don't wait.
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
    // If the log can't be asked, assume that it lost nothing.
    const end = await log.head().catch(() => position);
    if (position > end) reply.header(BEYOND_END_HEADER, 'true');
  });
};
