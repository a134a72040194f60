import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import cookie from '@fastify/cookie';
import websocket from '@fastify/websocket';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type RawServerDefault } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Config } from '#infra/config/config.ts';
import { answerBrokenRequest, installBrokenRequests } from './broken-requests.ts';
import { boundConnections, MOST_CONNECTIONS } from './connections.ts';
import { type Cookies, createCookies } from './cookies.ts';
import { ownOrigins } from './csrf.ts';
import { DOCS_PATH, installDocs } from './docs.ts';
import { errorHandler } from './errors.ts';
import { countRefused, installGate } from './gate.ts';
import { installJsonBody } from './json-body.ts';
import { installNotFound, type PageHandler } from './not-found.ts';
import { installPosition } from './position.ts';
import type { RateLimits } from './rate-limits.ts';
import { installRequestLog, requestLogger } from './request-log.ts';
import { installSecurityHeaders } from './security-headers.ts';
import type { Sessions } from './sessions.ts';
import { trustOf, warnOfUntrusted } from './trusted-proxies.ts';

export type App = FastifyInstance<
  RawServerDefault,
  import('node:http').IncomingMessage,
  import('node:http').ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module 'fastify' {
  interface FastifyInstance {
    siteCookies: Cookies;
  }
}

export interface ServerOptions {
  readonly config: Pick<Config, 'baseUrl' | 'production' | 'trustProxy'> &
    Partial<Pick<Config, 'secondFactorRequired'>>;
  readonly sessions: Pick<Sessions, 'find' | 'rotate'>;
  readonly limits: RateLimits;
  readonly logId: string;
  readonly logger: FastifyBaseLogger;
  readonly page?: PageHandler;
}

const BODY_LIMIT = 64 * 1024;
const LONGEST_PARAMETER = 500;
const REQUEST_TIMEOUT = 30_000;
/** Bytes; our WebSocket clients only listen. */
const LONGEST_MESSAGE = 64;

function asksForWebSocket(this: Server, { headers: { upgrade } }: IncomingMessage): boolean {
  return this.listenerCount('upgrade') > 0 && upgrade?.toLowerCase() === 'websocket';
}

export const createServer = async (options: ServerOptions): Promise<App> => {
  const { config, sessions, limits } = options;
  const trusts = trustOf(config.trustProxy);
  const https = config.baseUrl.startsWith('https:');
  const app = Fastify({
    loggerInstance: options.logger,
    childLoggerFactory: (logger, bindings) => requestLogger(logger, bindings),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT,
    trustProxy: config.trustProxy === 0 ? false : trusts,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: LONGEST_PARAMETER, ignoreTrailingSlash: true },
    frameworkErrors: errorHandler,
    clientErrorHandler: answerBrokenRequest,
    http: { requireHostHeader: false, shouldUpgradeCallback: asksForWebSocket },
    logController: new Fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
  });
  const { factor } = limits;
  if (factor !== 'off') boundConnections(app.server, trusts, MOST_CONNECTIONS * factor);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) =>
    errorHandler(countRefused(limits, request, error), request, reply),
  );

  // Before the gate: its hooks close a connection whose upgrade was refused.
  await app.register(websocket, { options: { maxPayload: LONGEST_MESSAGE } });
  installBrokenRequests(app);
  installNotFound(app, options.page);
  installRequestLog(app);
  warnOfUntrusted(app, trusts);
  installSecurityHeaders(app, https);
  await app.register(cookie);
  installJsonBody(app);
  installPosition(app, options.logId);
  const cookies = createCookies(https);
  app.decorate('siteCookies', cookies);
  installGate(app, {
    sessions,
    limits,
    cookies,
    secondFactorRequired: config.secondFactorRequired ?? false,
    origins: ownOrigins(config),
    libraryPaths: [DOCS_PATH],
  });
  await installDocs(app, config.baseUrl);
  return app.withTypeProvider<ZodTypeProvider>();
};

/** After `within` milliseconds closes what is left. `preClose` hooks end the live streams. */
export const closeGracefully = async (app: App, within = 10_000): Promise<void> => {
  const deadline = setTimeout(() => app.server.closeAllConnections(), within);
  try {
    await app.close();
  } finally {
    clearTimeout(deadline);
  }
};
