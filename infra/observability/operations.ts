/** The routes `/healthz`, `/readyz` and `/metrics`, which every process has. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#domain/kernel/refusal.ts';
import { type Config, isLoopback } from '#infra/config/config.ts';
import { routeOf } from '#infra/http/request-log.ts';
import { troubleWith } from '#infra/lib/outage.ts';
import { isSameSecret } from '#infra/lib/same-secret.ts';
import type { Metrics } from './metrics.ts';

/** A check of something that a process depends on. */
export interface Check {
  readonly name: string;
  /** Whether the process can't serve without it. If not (payments, mail), the process is only degraded while it fails. */
  readonly needed: boolean;
  /** Resolves if it works, perhaps with a detail; throws if not. Detail and error message are shown: they must hold nothing secret. */
  probe(): Promise<string | undefined>;
}

/** The result of a check. */
export interface CheckResult {
  readonly name: string;
  readonly needed: boolean;
  readonly ok: boolean;
  readonly detail?: string;
}

/** Whether a process can serve. `degraded`: it can, but something fails that the site can do without for a while. */
export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unready';
  readonly checks: readonly CheckResult[];
}

/** How long a check may take, in milliseconds. */
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

/** Runs all checks at the same time. One that takes longer than 2 s counts as failed. */
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
  /** `metricsToken` is a secret with which metrics and the results of the checks can be read, as `Authorization: Bearer …`; in production nothing else opens them. */
  readonly config: Pick<Config, 'metricsToken' | 'production'>;
}

/** Headers that proxies add to the requests that they pass on. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'] as const;

/** Whether a request comes from this machine, and not through a proxy on it. */
const isLocal = ({ headers, raw }: FastifyRequest): boolean =>
  isLoopback((raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
  PROXY_HEADERS.every((name) => headers[name] === undefined);

/** Whether a request carries the token. */
const bringsToken = ({ headers }: FastifyRequest, token: string | undefined): boolean =>
  token !== undefined && isSameSecret(headers.authorization, `Bearer ${token}`);

/** What a process that is not ready misses. */
class NotReady extends Error {
  override readonly name = 'NotReady';
}

/** Adds the three routes and counts every answered request in the metrics. Call it before adding the routes to be counted. */
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
  // Once, however often it is asked for: something asks every few seconds.
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
