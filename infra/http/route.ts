/** Registers the calls that `domain/contracts` declares. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerOf, BodyOf, Call, ParamsOf, QueryOf } from '#domain/contracts/call.ts';
import type { PublicCapability } from '#domain/contracts/capabilities.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { noBody } from '#domain/contracts/fields.ts';
import type { Principal, SignedIn } from './principal.ts';
import type { App } from './server.ts';

declare module 'fastify' {
  /** What the gate, the body's reader and the documentation need to know of a route: a declared call's own words. */
  interface FastifyContextConfig extends Partial<Omit<Call, 'method'>> {}
}

/** A call's request as its handler sees it: parsed, and from somebody who may. */
export type Asked<C extends Call> = FastifyRequest & {
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly principal: C['capability'] extends PublicCapability ? Principal : SignedIn;
};

declare const serializedFrom: unique symbol;
/** JSON that was written before, of a value whose type is still known. */
export type Serialized<Value> = Buffer & { readonly [serializedFrom]: Value };

/** Writes an answer that is to be sent more than once. */
export const serialize = <Value>(value: Value): Serialized<Value> =>
  Buffer.from(JSON.stringify(value)) as Serialized<Value>;

/** An answer as handlers may give it: what is only sent may be read-only. */
type Sendable<Value> = Value extends object ? { readonly [Key in keyof Value]: Sendable<Value[Key]> } : Value;

/** What a handler may return: the declared answer; for what isn't JSON its bytes, or the reply that it sent itself. */
export type Answered<C extends Call> = C['answer'] extends string
  ? Buffer | Readable | FastifyReply
  : Sendable<AnswerOf<C>> | Serialized<Sendable<AnswerOf<C>>>;

const addressOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** What of a request is parsed, and by which schema. */
const schemasOf = ({ method, params, query, body, signed }: Call) => ({
  ...(params && { params }),
  ...(query && { querystring: query }),
  ...(method !== 'GET' && !signed && { body: body ?? noBody() }),
});

/**
 * Registers a call. Its handler runs once the caller was found to be allowed and the input to fit, and answers with the call's
 * usual status unless it sets another. A list tells its length in `X-Total-Count`, unless the handler knows of more.
 */
export const route = <C extends Call>(
  app: App,
  declared: C,
  handle: (request: Asked<C>, reply: FastifyReply) => Answered<C> | Promise<Answered<C>>,
): void => {
  const { method, path, answer } = declared;
  const [status] = declared.status ?? [answer === 'redirect' ? 302 : 200];
  app.route({
    method,
    url: addressOf(path),
    config: { ...declared },
    schema: schemasOf(declared),
    // The answer to HEAD of a stream would never end.
    exposeHeadRoute: method === 'GET' && answer !== 'text/event-stream',
    async handler(request, reply) {
      const answered = await handle(request as Asked<C>, reply.code(status));
      if (Array.isArray(answered) && !reply.hasHeader(headers.total))
        reply.header(headers.total, answered.length);
      if (typeof answer === 'object' && Buffer.isBuffer(answered))
        reply.type('application/json; charset=utf-8');
      return answered;
    },
  });
};
