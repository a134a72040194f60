import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerOf, BodyOf, Call, ParamsOf, QueryOf } from '#domain/contracts/call.ts';
import type { PublicCapability } from '#domain/contracts/capabilities.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { noBody } from '#domain/contracts/fields.ts';
import type { Principal, SignedIn } from './principal.ts';
import type { App } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<Omit<Call, 'method'>> {}
}

export type Asked<C extends Call> = FastifyRequest & {
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly principal: C['capability'] extends PublicCapability ? Principal : SignedIn;
};

declare const serializedFrom: unique symbol;
export type Serialized<Value> = Buffer & { readonly [serializedFrom]: Value };

export const serialize = <Value>(value: Value): Serialized<Value> =>
  Buffer.from(JSON.stringify(value)) as Serialized<Value>;

type Sendable<Value> = Value extends object ? { readonly [Key in keyof Value]: Sendable<Value[Key]> } : Value;

export type Answered<C extends Call> = C['answer'] extends string
  ? Buffer | Readable | FastifyReply
  : Sendable<AnswerOf<C>> | Serialized<Sendable<AnswerOf<C>>>;

const addressOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const schemasOf = ({ method, params, query, body, signed, upload }: Call) => ({
  ...(params && { params }),
  ...(query && { querystring: query }),
  ...(method !== 'GET' && !signed && !upload && { body: body ?? noBody() }),
});

const completed = async (request: FastifyRequest): Promise<void> => {
  const { signed, upload } = request.routeOptions.config;
  request.query = Object.fromEntries(
    Object.entries(request.query as object).filter(([, value]) => value !== ''),
  );
  if (request.method !== 'GET' && !signed && !upload) request.body ??= {};
};

/** Not for restricted reads, which are logged or begin a sign-in, nor for streams, which never end. */
const answersHead = ({ method, capability, answer }: Call): boolean =>
  method === 'GET' && capability === 'browse' && answer !== 'text/event-stream';

/** `X-Total-Count` is an array's length unless the handler sets it. */
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
    exposeHeadRoute: answersHead(declared),
    preValidation: completed,
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
