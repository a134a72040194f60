/** One line per request: the route's template, no path, query, headers or client address. */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Bindings, ChildLoggerOptions } from 'pino';

const SLOW_MS = 1_000;

export const routeOf = (request: FastifyRequest): string => request.routeOptions?.url ?? '(no route)';

/** Few requests log, and a redacting child logger is expensive. */
class RequestLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: object;
  #own: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: object) {
    this.#parent = parent;
    this.#bindings = bindings;
  }
  get #child(): FastifyBaseLogger {
    this.#own ??= this.#parent.child(this.#bindings);
    return this.#own;
  }
  get level(): string {
    return this.#parent.level;
  }
  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger {
    return this.#child.child(bindings, options);
  }
  fatal(first: unknown, ...rest: unknown[]): void {
    Reflect.apply(this.#child.fatal, this.#child, [first, ...rest]);
  }
  error(first: unknown, ...rest: unknown[]): void {
    Reflect.apply(this.#child.error, this.#child, [first, ...rest]);
  }
  warn(first: unknown, ...rest: unknown[]): void {
    Reflect.apply(this.#child.warn, this.#child, [first, ...rest]);
  }
  info(first: unknown, ...rest: unknown[]): void {
    Reflect.apply(this.#child.info, this.#child, [first, ...rest]);
  }
  debug(first: unknown, ...rest: unknown[]): void {
    if (this.level !== 'debug' && this.level !== 'trace') return;
    Reflect.apply(this.#child.debug, this.#child, [first, ...rest]);
  }
  trace(first: unknown, ...rest: unknown[]): void {
    if (this.level === 'trace') Reflect.apply(this.#child.trace, this.#child, [first, ...rest]);
  }
  silent(): void {}
}

export const requestLogger = (parent: FastifyBaseLogger, bindings: object): FastifyBaseLogger =>
  new RequestLogger(parent, bindings);

export const installRequestLog = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode, elapsedTime } = reply;
    const line = {
      method: request.method,
      route: routeOf(request),
      status: statusCode,
      ms: Math.round(elapsedTime * 10) / 10,
    };
    const isProbe = request.routeOptions.config?.capability === 'monitor';
    if (statusCode >= 500 && !isProbe) request.log.warn(line, 'answered');
    else if (elapsedTime > SLOW_MS) request.log.info(line, 'answered slowly');
    else request.log.debug(line, 'answered');
    done();
  });
};
