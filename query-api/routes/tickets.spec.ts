import { expect, it } from 'vitest';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { SignedIn } from '#infra/http/principal.ts';
import { createRateLimits } from '#infra/http/rate-limits.ts';
import { createServer } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { ticketRoutes } from './tickets.ts';

it('an account can make a limited number of ticket documents an hour', async () => {
  const principal: SignedIn = {
    kind: 'user',
    role: 'user',
    accountId: 'ann',
    sessionId: 'session-1',
    secondFactor: false,
    signedInAt: new Date(0),
    emailVerified: true,
    profileComplete: true,
  };
  const app = await createServer({
    config: { baseUrl: 'http://localhost:3000', production: false, trustProxy: 0 },
    sessions: { find: async () => ({ principal, rotate: false }), rotate: async () => undefined },
    limits: createRateLimits({
      factor: 1,
      pool: { query: () => Promise.reject() } as never,
      clock: () => new Date('2026-03-01T12:00:00Z'),
    }),
    logId: 'log-1',
    logger: silentLogger(),
  });
  const db = {
    selectFrom: () => {
      throw new Refusal('BOOKING_NOT_FOUND');
    },
  };
  ticketRoutes(app, { db } as unknown as QueryContext);
  const download = async () =>
    (await app.inject({ url: '/api/tickets/7/download', headers: { cookie: 'reprise-session=token' } }))
      .statusCode;
  for (let count = 0; count < 60; count += 1) expect(await download()).toBe(404);
  expect(await download()).toBe(429);
  await app.close();
});
