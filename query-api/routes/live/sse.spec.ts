import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { START } from '#infra/event-log/event-log.ts';
import { installMinPosition } from '#infra/http/position.ts';
import { createRateLimits } from '#infra/http/rate-limits.ts';
import { type App, createServer } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { liveRoutes } from './sse.ts';

/** However slow the machine: what is waited for comes. */
const PATIENCE = 25_000;

let app: App;
let listening = 0;
const reached = Promise.withResolvers<boolean>();
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
  const visibility = { current: () => START, reached: () => reached.promise };
  const listen = () => {
    listening += 1;
    return () => {
      listening -= 1;
    };
  };
  installMinPosition(app, { id: 'log-1', head: async () => START, heard: START }, visibility);
  const sessions = { find: async () => undefined };
  const context = { live: { listen }, log: { id: 'log-1' }, sessions, visibility };
  liveRoutes(app, context as unknown as QueryContext);
});
afterAll(() => app.close());

it('a live stream refuses HEAD, which it could never answer', async () => {
  const reply = await app.inject({ method: 'HEAD', url: '/api/sse/events' });
  expect(reply.statusCode).toBe(405);
  expect(reply.headers.allow).toBe('GET');
});

it('live streams from one address are limited, so that others can connect', async () => {
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const opened: IncomingMessage[] = [];
  const open = () =>
    new Promise<IncomingMessage>((resolve, reject) =>
      get(`${origin}/api/sse/events`, resolve).on('error', reject),
    );
  for (let count = 0; count < 1_000; count += 1) opened.push(await open());
  expect(opened.every(({ statusCode }) => statusCode === 200)).toBe(true);
  const refused = await open();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
  refused.resume();

  opened.pop()?.destroy();
  await vi.waitFor(async () => {
    const again = await open();
    opened.push(again);
    expect(again.statusCode).toBe(200);
  }, PATIENCE);
  for (const stream of opened) stream.destroy();
  await vi.waitFor(() => expect(listening).toBe(0), PATIENCE);
});

it('a live stream is not kept for a caller who left before it began', async () => {
  let left: boolean | undefined;
  app.server.once('request', (_, response) => response.once('close', () => (left = true)));
  const { port } = app.server.address() as { port: number };
  const headers = { 'x-min-position': `log-1:${'9'.repeat(20)}` };
  const request = get(`http://127.0.0.1:${port}/api/sse/events`, { headers }).on('error', () => undefined);
  await once(app.server, 'request');
  request.destroy();
  await vi.waitFor(() => expect(left).toBe(true), PATIENCE);
  reached.resolve(false);
  await app.inject({ method: 'HEAD', url: '/api/sse/events' });
  expect(listening).toBe(0);
});
