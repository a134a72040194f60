import { afterAll, beforeAll, expect, it } from 'vitest';
import { START } from '#infra/event-log/event-log.ts';
import { createRateLimits } from '#infra/http/rate-limits.ts';
import { type App, createServer } from '#infra/http/server.ts';
import { silentLogger } from '#infra/observability/logger.ts';
import type { QueryContext } from '../server.ts';
import { liveRoutes } from './sse.ts';

let app: App;
beforeAll(async () => {
  const limits = createRateLimits({
    factor: 'off',
    pool: { query: () => Promise.reject() } as never,
    clock: () => new Date(),
  });
  app = await createServer({
    config: { baseUrl: 'http://localhost:3000', production: false, trustProxy: 0 },
    sessions: { find: async () => undefined, rotate: async () => undefined },
    limits,
    logId: 'log-1',
    logger: silentLogger(),
  });
  const context = {
    live: { listen: () => () => undefined },
    log: { id: 'log-1' },
    visibility: { current: () => START },
  };
  liveRoutes(app, context as unknown as QueryContext);
});
afterAll(() => app.close());

it('refuses HEAD, which a stream without an end would leave unanswered', async () => {
  const reply = await app.inject({ method: 'HEAD', url: '/api/sse/events' });
  expect(reply.statusCode).toBe(405);
  expect(reply.headers.allow).toBe('GET');
});
