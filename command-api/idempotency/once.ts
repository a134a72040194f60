/** Changes that a caller may repeat under an `Idempotency-Key`: the same ids, the same answer. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandDeps } from '#command-api/deps.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { toToken } from '#infra/event-log/checkpoint.ts';
import { type Position, START } from '#infra/event-log/event-log.ts';
import { demandSignedIn } from '#infra/http/principal.ts';
import type { Reply } from './replies.ts';

/** What a change came to. */
export interface Executed {
  readonly status: number;
  readonly body: object;
  readonly position: Position;
}

/** Answers a signed-in caller's change, once per key where one came with it. */
export type Once = <Ids extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  change: {
    /** The ids that it may use; a repeat gets those of the first time. */
    allocate(): Ids | Promise<Ids>;
    execute(ids: Ids): Promise<Executed>;
  },
) => Promise<FastifyReply>;

/** For the routes of this process; the answers are shared by all. */
export const createOnce =
  ({ replies, log }: Pick<CommandDeps, 'replies' | 'log'>): Once =>
  async (request, reply, { allocate, execute }) => {
    const { accountId: user } = demandSignedIn(request.principal);
    const run = async (ids: Parameters<typeof execute>[0]): Promise<Reply> => {
      const { status, body, position } = await execute(ids);
      if (position === START) return { status, body };
      return { status, body, headers: { [headers.position]: toToken(log.id, position) } };
    };
    const key = request.headers['idempotency-key'];
    const call = `${request.method} ${request.routeOptions.url}`;
    const answer =
      typeof key === 'string' && key !== ''
        ? await replies.once({ user, key, call, body: request.body }, allocate, run)
        : await run(await allocate());
    return reply
      .code(answer.status)
      .headers(answer.headers ?? {})
      .send(answer.body);
  };
