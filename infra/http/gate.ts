/** Before the body is read: rate limit by address, session, CSRF token, role. After a slow body, session and role again. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type Capability, may, type Standing } from '#domain/contracts/capabilities.ts';
import type { LimitName } from '#domain/contracts/limits.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { Cookies } from './cookies.ts';
import { countAddressNow, countedAddress } from './counted-address.ts';
import { CSRF_HEADER, isGenuine, isOwnOrigin } from './csrf.ts';
import { toRefusal } from './errors.ts';
import { type Principal, VISITOR, withRights } from './principal.ts';
import { limitOf, type RateLimits } from './rate-limits.ts';
import type { Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
    /** Null without a valid session. Never log it. */
    sessionToken: string | null;
  }
}

/** Milliseconds. */
const SLOW = 1_000;

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

const PUBLIC: ReadonlySet<Standing> = new Set(['visitor', 'user']);

const isApi = (path: string): boolean => path.startsWith('/api/');

/** Throws for a route without a capability, and for a change from our own pages without a limit. */
const demandDeclaration = (route: RouteOptions, ownedBy: readonly string[]): void => {
  const reads = [route.method].flat().every((method) => SAFE.has(method));
  const { capability, limit, csrf } = route.config ?? {};
  if (!reads && !limit && csrf !== 'exempt')
    throw new Error(`${route.method} ${route.url} declares no limit (domain/contracts/limits.ts)`);
  if (capability) return;
  if (reads && (!isApi(route.url) || ownedBy.some((prefix) => route.url.startsWith(prefix)))) {
    route.config = { ...route.config, capability: 'browse', session: 'ignored' };
    return;
  }
  throw new Error(`${route.method} ${route.url} declares no capability (domain/contracts/capabilities.ts)`);
};

const visitorKey = (request: FastifyRequest): string =>
  `${countedAddress(request.ip)} ${(request.headers['user-agent'] ?? '').slice(0, 100)}`;

const callerKey = (request: FastifyRequest, limit: LimitName): string => {
  const { principal } = request;
  if (principal.kind !== 'user') return visitorKey(request);
  return limitOf(limit).by === 'session' ? principal.sessionId : principal.accountId;
};

const reasonOf = (principal: Principal, capability: Capability): ErrorCode =>
  principal.kind === 'user' && principal.withheldRole && may(principal.withheldRole, capability)
    ? 'SECOND_FACTOR_MISSING'
    : 'FORBIDDEN';

/** @throws Refusal NOT_SIGNED_IN, FORBIDDEN, SECOND_FACTOR_MISSING */
const demandRight = (principal: Principal, capability: Capability): void => {
  if (may(principal.role, capability)) return;
  throw new Refusal(principal.kind === 'visitor' ? 'NOT_SIGNED_IN' : reasonOf(principal, capability));
};

export interface GateOptions {
  readonly sessions: Pick<Sessions, 'find' | 'rotate'>;
  readonly limits: RateLimits;
  readonly cookies: Cookies;
  readonly secondFactorRequired: boolean;
  readonly origins: readonly string[];
  /** Of a library's routes under `/api`: read-only and public. */
  readonly libraryPaths: readonly string[];
}

/**
 * No other limit counts refused signed messages.
 * @returns TOO_MANY or the error
 */
export const countRefused = (
  limits: Pick<RateLimits, 'takeNow'>,
  request: FastifyRequest,
  error: unknown,
): unknown => {
  if (!request.routeOptions.config.signed || toRefusal(error).status >= 500) return error;
  try {
    countAddressNow(limits, 'address', request.ip ?? '');
    return error;
  } catch (tooMany) {
    return tooMany;
  }
};

export const installGate = (app: FastifyInstance, options: GateOptions): void => {
  const { sessions, limits, cookies, origins, secondFactorRequired } = options;
  app.decorateRequest('principal');
  app.decorateRequest('sessionToken', null);
  app.addHook('onRoute', (route) => demandDeclaration(route, options.libraryPaths));

  const recognise = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const token = cookies.sessionToken(request);
    if (token === null) return false;
    const found = await sessions.find(token);
    if (!found) {
      cookies.endSession(reply);
      return false;
    }
    request.principal = withRights(found.principal, secondFactorRequired);
    request.sessionToken = token;
    return found.rotate;
  };

  const demandCsrf = (request: FastifyRequest, reply: FastifyReply): void => {
    const { headers, sessionToken } = request;
    const header = headers[CSRF_HEADER];
    const genuine = isGenuine({
      header: typeof header === 'string' ? header : undefined,
      cookie: cookies.csrfToken(request),
      sessionToken,
    });
    if (genuine && isOwnOrigin(headers, origins)) return;
    cookies.giveCsrf(reply, sessionToken);
    throw new Refusal('CSRF');
  };

  app.addHook('onRequest', async (request, reply) => {
    // Fastify's `ip` is undefined after an immediate disconnect.
    if (request.ip === undefined) Object.defineProperty(request, 'ip', { value: '' });
    request.principal = VISITOR;
    const { capability = 'browse', csrf, limit, session, answer, signed } = request.routeOptions.config;
    // The provider's messages come from few addresses and are signed; only refused ones count
    // (`countRefused`).
    if (!signed) countAddressNow(limits, 'address', request.ip);
    if (request.is404) return;
    const reads = SAFE.has(request.method);

    const rotate = session === 'ignored' ? false : await recognise(request, reply);
    const { principal } = request;
    if (principal.kind === 'visitor' && !may('visitor', capability)) throw new Refusal('NOT_SIGNED_IN');
    if (!reads && csrf !== 'exempt') demandCsrf(request, reply);
    demandRight(principal, capability);

    const visits = principal.kind === 'visitor';
    if (!reads && csrf !== 'exempt' && PUBLIC.has(principal.role))
      countAddressNow(limits, 'changes-address', request.ip);
    if (limit && !(visits && limitOf(limit).of === 'accounts')) {
      await limits.take(limit, callerKey(request, limit));
      if (visits) countAddressNow(limits, 'visitors', request.ip);
    } else if (reads && capability !== 'monitor' && isApi(request.routeOptions.url ?? ''))
      limits.takeNow('reads', callerKey(request, 'reads'));

    if (rotate && answer !== 'websocket' && request.sessionToken !== null) {
      const renewed = await sessions.rotate(request.sessionToken);
      if (renewed) {
        request.principal = withRights(renewed.principal, secondFactorRequired);
        request.sessionToken = renewed.token;
        cookies.startSession(reply, renewed);
      }
    }
  });

  app.addHook('preValidation', async (request, reply) => {
    const { sessionToken } = request;
    if (sessionToken === null || SAFE.has(request.method) || reply.elapsedTime < SLOW) return;
    const found = await sessions.find(sessionToken);
    request.principal = found ? withRights(found.principal, secondFactorRequired) : VISITOR;
    if (!found) {
      request.sessionToken = null;
      cookies.endSession(reply);
    }
    demandRight(request.principal, request.routeOptions.config.capability ?? 'browse');
  });
};
