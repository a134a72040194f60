import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/kernel/refusal.ts';
import { type Config, isLoopback } from '#infra/config/config.ts';
import { routeOf } from '#infra/http/request-log.ts';
import { troubleWith } from '#infra/lib/outage.ts';
import { isSameSecret } from '#infra/lib/same-secret.ts';
import type { Metrics } from './metrics.ts';

export interface Check {
  readonly name: string;
  /** If false (payments, mail), a failure only degrades the process. */
  readonly needed: boolean;
  /** Resolves to an optional detail; throws on failure. Both texts are published: no secrets. */
  probe(): Promise<string | undefined>;
}

export interface CheckResult {
  readonly name: string;
  readonly needed: boolean;
  readonly ok: boolean;
  readonly detail?: string;
}

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
  /** In production nothing but the bearer token `metricsToken` opens metrics and check results. */
  readonly config: Pick<Config, 'metricsToken' | 'production'>;
}

const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'] as const;

/** Not through a local proxy. */
const isLocal = ({ headers, raw }: FastifyRequest): boolean =>
  isLoopback((raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
  PROXY_HEADERS.every((name) => headers[name] === undefined);

const bringsToken = ({ headers }: FastifyRequest, token: string | undefined): boolean =>
  token !== undefined && isSameSecret(headers.authorization, `Bearer ${token}`);

class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** Call it before adding the routes that it counts. */
export const installOperations = (app: FastifyInstance, options: OperationsOptions): void => {
  const { metrics, checks } = options;
  const { production, metricsToken } = options.config;
  const config = { capability: 'monitor', session: 'ignored' } as const;
  app.addHook('onResponse', async (request, reply) => {
    metrics.answered(request.method, routeOf(request), reply.statusCode, reply.elapsedTime / 1_000);
  });
  app.get('/healthz', { config, schema: { hide: true } }, async () => ({ status: 'ok' }));
  const mayLookInside = (request: FastifyRequest): boolean =>
    (!production && isLocal(request)) || bringsToken(request, metricsToken);
  const unready = troubleWith(app.log, 'not ready to serve');
  app.get('/readyz', { config, schema: { hide: true } }, async (request, reply) => {
    const { status, checks: results } = await checkReadiness(checks);
    const missing = results.filter(({ ok, needed }) => needed && !ok).map(({ name }) => name);
    if (missing.length > 0) unready.met(new NotReady(missing.join(', ')));
    else unready.over();
    return reply
      .code(status === 'unready' ? 503 : 200)
      .send(mayLookInside(request) ? { status, checks: results } : { status });
  });
  app.get('/metrics', { config, schema: { hide: true } }, async (request, reply) => {
    if (!mayLookInside(request)) throw new Refusal('NOT_FOUND');
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
};
