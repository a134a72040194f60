/** `/healthz`, `/readyz` and `/metrics`, the same in every process. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '#infra/config.ts';
import { HttpError } from '#infra/http/errors.ts';
import { routeOf } from '#infra/http/request-log.ts';
import type { Metrics } from './metrics.ts';

/** Something that a process depends on. */
export interface Check {
  readonly name: string;
  /** Without it the process can't serve; otherwise it is merely degraded (payments, mail). */
  readonly needed: boolean;
  /** Resolves if all is well, with a word on how if there is one; throws otherwise. The error's text is shown, so nothing secret goes in. */
  probe(): Promise<string | undefined>;
}

/** What a check said. */
export interface CheckResult {
  readonly name: string;
  readonly needed: boolean;
  readonly ok: boolean;
  readonly detail?: string;
}

/** `degraded`: something is down that the site can do without for a while. */
export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unready';
  readonly checks: readonly CheckResult[];
}

const LONGEST_PROBE = 2_000;

const probe = async ({ name, needed, probe: ask }: Check): Promise<CheckResult> => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${LONGEST_PROBE} ms`)), LONGEST_PROBE);
  try {
    const detail = await Promise.race([ask(), late]);
    return detail === undefined ? { name, needed, ok: true } : { name, needed, ok: true, detail };
  } catch (error) {
    return { name, needed, ok: false, detail: error instanceof Error ? error.message : 'failed' };
  } finally {
    clearTimeout(timer);
  }
};

/** Asks all at once; none is waited for longer than 2 s. */
export const checkReadiness = async (checks: readonly Check[]): Promise<Readiness> => {
  const results = await Promise.all(checks.map(probe));
  const missing = results.some(({ ok, needed }) => needed && !ok);
  const degraded = results.some(({ ok }) => !ok);
  if (missing) return { status: 'unready', checks: results };
  return { status: degraded ? 'degraded' : 'ready', checks: results };
};

export interface OperationsOptions {
  readonly metrics: Metrics;
  readonly checks: readonly Check[];
  /** Lets others than this machine itself read the metrics, and what a process that isn't ready lacks, as `Authorization: Bearer …`. */
  readonly metricsToken?: string | undefined;
}

/** What a proxy adds to what it passes on. */
const PASSED_ON = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'] as const;

/** Whether a request was made on this machine itself: neither through a proxy on it, nor by somebody who says so in a header. */
const isLocal = ({ headers, raw }: FastifyRequest): boolean =>
  isLoopback((raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
  PASSED_ON.every((name) => headers[name] === undefined);

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a request brings the token. Hashes are compared, so that the time taken tells nothing. */
const bringsToken = ({ headers }: FastifyRequest, token: string | undefined): boolean =>
  token !== undefined && timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${token}`));

/** Adds the three routes, and counts every request that this server answers. Before the routes that are counted. */
export const installOperations = (app: FastifyInstance, options: OperationsOptions): void => {
  const { metrics, checks, metricsToken } = options;
  const config = { capability: 'monitor', session: 'ignored' } as const;
  app.addHook('onResponse', async (request, reply) => {
    metrics.answered(request.method, routeOf(request), reply.statusCode, reply.elapsedTime / 1_000);
  });
  app.get('/healthz', { config, schema: { hide: true } }, async () => ({ status: 'ok' }));
  const mayLookInside = (request: FastifyRequest): boolean =>
    isLocal(request) || bringsToken(request, metricsToken);
  app.get('/readyz', { config, schema: { hide: true } }, async (request, reply) => {
    const { status, checks: results } = await checkReadiness(checks);
    return reply
      .code(status === 'unready' ? 503 : 200)
      .send(mayLookInside(request) ? { status, checks: results } : { status });
  });
  app.get('/metrics', { config, schema: { hide: true } }, async (request, reply) => {
    if (!mayLookInside(request)) throw new HttpError('NOT_FOUND');
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
};
