import { Writable } from 'node:stream';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { describe, expect, it } from 'vitest';
import { Refusal } from '#domain/kernel/refusal.ts';
import { errorHandler } from '#infra/http/errors.ts';
import { installRequestLog } from '#infra/http/request-log.ts';
import { createLogger } from '#infra/lib/logger.ts';
import { createMetrics } from './metrics.ts';
import { checkReadiness, installOperations } from './operations.ts';

const lines = (level: 'info' | 'trace' = 'trace') => {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  return { logger: createLogger({ name: 'spec', level }, stream), text: () => written.join('') };
};

const CANARY = 'canary-4f9a1c77d2';

describe('a log line', () => {
  it.each([
    ['a password', { password: CANARY }],
    ['a nested password', { command: { data: { password: CANARY } } }],
    ['an address of a person', { user: { email: `${CANARY}@example.com` } }],
    ['a name', { account: { firstName: CANARY, lastName: CANARY } }],
    ['a cookie', { request: { headers: { cookie: CANARY } } }],
    ['a request', { req: { url: `/verify-email?token=${CANARY}`, headers: { cookie: CANARY } } }],
    ['a token', { token: CANARY }],
    ['an address of a machine', { actor: { ip: CANARY } }],
    ['an event’s data', { event: { data: { reason: CANARY } } }],
    ['an error that quotes its input', { err: new Error(`invalid input syntax: "${CANARY}"`) }],
    ['an error that names a person', { err: new Error(`no mailbox for ${CANARY}@example.com`) }],
    [
      'a database’s error',
      { err: Object.assign(new Error(`duplicate key ${CANARY}`), { code: '23505', detail: CANARY }) },
    ],
    ['an error’s cause', { err: new Error('outer', { cause: new Error(`secret '${CANARY}'`) }) }],
    ['a refusal’s details', { err: new Refusal('BAD_INPUT', { fields: { email: CANARY } }) }],
  ])('never has %s', (_name, line) => {
    const { logger, text } = lines();
    logger.error(line, 'something happened');
    expect(text()).toContain('something happened');
    expect(text()).not.toContain(CANARY);
  });

  it('hides secrets at the end of a very long error too', () => {
    const { logger, text } = lines();
    logger.error({ err: new Error(`${'.,'.repeat(60_000)} ${CANARY}@example.com`) }, 'something happened');
    expect(text()).toContain('something happened');
    expect(text()).not.toContain(CANARY);
  });

  it('has what an operator needs', () => {
    const { logger, text } = lines();
    logger
      .child({ requestId: 'r-1' })
      .warn({ route: '/api/events/:id', err: new TypeError('no such thing') }, 'odd');
    expect(JSON.parse(text())).toMatchObject({
      level: 'warn',
      name: 'spec',
      requestId: 'r-1',
      route: '/api/events/:id',
      err: {
        type: 'TypeError',
        text: 'no such thing',
        stack: expect.stringContaining('observability.spec.ts'),
      },
      msg: 'odd',
    });
  });
});

const well = async () => undefined;
const ill = async () => {
  throw new Error('connection refused');
};

describe('readiness', () => {
  it('is unready without a required dependency and degraded without an optional one', async () => {
    const status = async (log: () => Promise<undefined>, mail: () => Promise<undefined>) =>
      (
        await checkReadiness([
          { name: 'log', needed: true, probe: log },
          { name: 'mail', needed: false, probe: mail },
        ])
      ).status;
    expect(await status(well, well)).toBe('ready');
    expect(await status(well, ill)).toBe('degraded');
    expect(await status(ill, well)).toBe('unready');
  });
});

describe('the operations routes', () => {
  const build = (trustProxy = false, production = false) => {
    const metrics = createMetrics('spec');
    const app = Fastify({ trustProxy });
    app.setErrorHandler(errorHandler);
    installOperations(app, {
      metrics,
      checks: [{ name: 'log', needed: true, probe: ill }],
      config: { metricsToken: 'let-me', production },
    });
    app.get('/api/events/:id', async () => ({}));
    return { app, metrics };
  };

  it('report whether the process is alive and whether it is ready', async () => {
    const { app } = build();
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    const ready = await app.inject('/readyz');
    expect(ready.statusCode).toBe(503);
    expect(ready.json().checks).toEqual([
      { name: 'log', needed: true, ok: false, detail: 'connection refused' },
    ]);
  });

  it('log a missing dependency once, and its return once', async () => {
    const { logger, text } = lines('info');
    let away = true;
    const log = { name: 'log', needed: true, probe: () => (away ? ill() : well()) };
    const app = Fastify({
      loggerInstance: logger as FastifyBaseLogger,
      logController: new Fastify.LogController({ disableRequestLogging: true }),
    });
    installRequestLog(app);
    const checks = [log, { name: 'mail', needed: false, probe: ill }];
    installOperations(app, {
      metrics: createMetrics('spec'),
      checks,
      config: { metricsToken: undefined, production: false },
    });
    const statuses: number[] = [];
    const ask = async () => statuses.push((await app.inject('/readyz')).statusCode);
    for (let times = 0; times < 3; times++) await ask();
    away = false;
    for (let times = 0; times < 3; times++) await ask();
    expect(statuses).toEqual([503, 503, 503, 200, 200, 200]);
    const told = text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(told).toMatchObject([
      { level: 'warn', err: { text: 'log' }, msg: 'not ready to serve' },
      { level: 'info', msg: 'works again' },
    ]);
  });

  it('report only the readiness to other machines', async () => {
    const { app } = build();
    const ready = await app.inject({ url: '/readyz', headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'unready' }]);
    const authorization = 'Bearer let-me';
    const told = await app.inject({
      url: '/readyz',
      remoteAddress: '203.0.113.9',
      headers: { authorization },
    });
    expect(told.json().checks).toHaveLength(1);
  });

  it('report the other metrics while the database is down', async () => {
    const { app, metrics } = build();
    metrics.watch('jobs_waiting', () => Promise.reject(new Error('connection refused')));
    metrics.watch('live_clients', () => 3);
    const { statusCode, body } = await app.inject('/metrics');
    expect(statusCode).toBe(200);
    expect(body).toMatch(/^reprise_live_clients\{[^}]*\} 3$/m);
    expect(body).not.toMatch(/^reprise_jobs_waiting\{/m);
  });

  it('count requests by route and read watched values on request', async () => {
    const { app, metrics } = build();
    metrics.watch('projection_lag_events', () => ({ catalogue: 7 }));
    metrics.watch('outbox_age_seconds', async () => 12);
    await app.inject(`/api/events/${CANARY}`);
    const { body } = await app.inject('/metrics');
    expect(body).toMatch(/reprise_http_seconds_count\{[^}]*route="\/api\/events\/:id",status="200"\} 1/);
    expect(body).toContain('reprise_projection_lag_events{of="catalogue",process="spec"} 7');
    expect(body).toContain('reprise_outbox_age_seconds{process="spec"} 12');
    expect(body).not.toContain(CANARY);
  });

  it('show metrics to this machine and to callers with the token', async () => {
    const { app } = build();
    const from = (headers: Record<string, string>) =>
      app.inject({ url: '/metrics', remoteAddress: '203.0.113.9', headers });
    expect((await from({})).statusCode).toBe(404);
    expect((await from({ authorization: 'Bearer let-him' })).statusCode).toBe(404);
    expect((await from({ authorization: 'Bearer let-me' })).statusCode).toBe(200);
  });

  it('require the token in production, also on this machine, because a proxy may look like it', async () => {
    const { app } = build(false, true);
    expect((await app.inject('/metrics')).statusCode).toBe(404);
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'unready' });
    const headers = { authorization: 'Bearer let-me' };
    expect((await app.inject({ url: '/metrics', headers })).statusCode).toBe(200);
  });

  it.each([
    ['a proxy on this machine', false, '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }],
    ['a proxy that speaks the standard', false, '::1', { forwarded: 'for=203.0.113.9' }],
    ['somebody who says to be this machine', true, '203.0.113.9', { 'x-forwarded-for': '127.0.0.1' }],
  ])('show no metrics through %s', async (_who, trusting, remoteAddress, headers) => {
    const { app } = build(trusting);
    expect((await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode).toBe(404);
    const withToken = { ...headers, authorization: 'Bearer let-me' };
    expect((await app.inject({ url: '/metrics', remoteAddress, headers: withToken })).statusCode).toBe(200);
  });
});
