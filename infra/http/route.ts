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
  /** What the gate, the body's parser and the documentation read of a route: the declaration of its call. */
  interface FastifyContextConfig extends Partial<Omit<Call, 'method'>> {}
}

/** The request that a call's handler gets: its input is parsed, and its caller is allowed to call. */
export type Asked<C extends Call> = FastifyRequest & {
  readonly params: ParamsOf<C>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  readonly principal: C['capability'] extends PublicCapability ? Principal : SignedIn;
};

declare const serializedFrom: unique symbol;
/** A value that is serialized as JSON already, with the type that it had. */
export type Serialized<Value> = Buffer & { readonly [serializedFrom]: Value };

/** Serializes an answer that is sent more than once. */
export const serialize = <Value>(value: Value): Serialized<Value> =>
  Buffer.from(JSON.stringify(value)) as Serialized<Value>;

/** The type of an answer with everything read-only, since it is only sent. */
type Sendable<Value> = Value extends object ? { readonly [Key in keyof Value]: Sendable<Value[Key]> } : Value;

/** What a handler returns: the declared answer, or, for a call that does not answer JSON, bytes or the reply that it has sent. */
export type Answered<C extends Call> = C['answer'] extends string
  ? Buffer | Readable | FastifyReply
  : Sendable<AnswerOf<C>> | Serialized<Sendable<AnswerOf<C>>>;

const addressOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** The schemas that parse a call's request. */
const schemasOf = ({ method, params, query, body, signed, upload }: Call) => ({
  ...(params && { params }),
  ...(query && { querystring: query }),
  ...(method !== 'GET' && !signed && !upload && { body: body ?? noBody() }),
});

/**
 * Before the schemas look: a parameter of the query that is blank counts as left out, and a body that is missing as one without fields, so
 * that what is missing is named.
 */
const completed = async (request: FastifyRequest): Promise<void> => {
  const { signed, upload } = request.routeOptions.config;
  request.query = Object.fromEntries(
    Object.entries(request.query as object).filter(([, value]) => value !== ''),
  );
  if (request.method !== 'GET' && !signed && !upload) request.body ??= {};
};

/**
 * HEAD runs the handler of GET. Where not everybody may read, that writes down who was given what, or begins a sign-in; and the answer to
 * HEAD of a stream would never end.
 */
const answersHead = ({ method, capability, answer }: Call): boolean =>
  method === 'GET' && capability === 'browse' && answer !== 'text/event-stream';

/**
 * Registers a call. Its handler runs after the gate has let the caller pass and the schemas have accepted the input. It answers
 * with the call's usual status unless it sets another. An array is sent with its length in `X-Total-Count`, unless the handler
 * sets that header to the length of a longer list.
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
