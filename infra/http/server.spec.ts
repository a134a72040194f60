import type { AddressInfo } from 'node:net';
import { PassThrough, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { LimitName } from '#domain/contracts/limits.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { createLogger } from '#infra/lib/logger.ts';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import type { SignedIn } from './principal.ts';
import { createRateLimits } from './rate-limits.ts';
import { type App, createServer } from './server.ts';

const TOKEN = 't'.repeat(43);
/** Another session of the same account. */
const SECOND = 's'.repeat(43);
const customer: SignedIn = {
  kind: 'user',
  accountId: '00000000-0000-4000-8000-000000000001',
  role: 'user',
  sessionId: 'session-1',
  secondFactor: false,
  signedInAt: new Date(0),
  emailVerified: true,
  profileComplete: true,
};

const noDatabase = {
  query: () => {
    throw new Error('no database in this spec');
  },
};

interface BuildOptions {
  readonly role?: SignedIn['role'];
  /** What the session says by now, if that is another role; null once it has ended. */
  readonly now?: { role: SignedIn['role'] | null };
  readonly factor?: number | 'off';
  readonly rotate?: boolean;
  readonly logger?: ReturnType<typeof silentLogger>;
  readonly production?: boolean;
  readonly baseUrl?: string;
  /** Gets the names of the limits that are counted. */
  readonly taken?: string[];
}

const build = async (options: BuildOptions = {}) => {
  const principal = { ...customer, role: options.role ?? 'user' };
  const limits = createRateLimits({
    factor: options.factor ?? 'off',
    pool: noDatabase as never,
    clock: () => new Date('2026-01-01T12:00:00Z'),
  });
  const { taken } = options;
  const count = (name: LimitName): number => taken?.push(name) ?? 0;
  const app = await createServer({
    config: {
      baseUrl: options.baseUrl ?? 'http://localhost:3000',
      production: options.production ?? true,
      trustProxy: 0,
    },
    sessions: {
      find: async (token) => {
        const rotate = options.rotate ?? false;
        const { role = principal.role } = options.now ?? {};
        if (role === null) return undefined;
        if (token === TOKEN) return { principal: { ...principal, role }, rotate };
        return token === SECOND ? { principal: { ...principal, sessionId: 'session-2' }, rotate } : undefined;
      },
      rotate: async () => ({ token: 'n'.repeat(43), principal, endsAt: new Date('2030-01-01') }),
    },
    limits: taken ? { ...limits, take: async (name) => count(name), takeNow: count } : limits,
    logId: 'log-1',
    logger: options.logger ?? silentLogger(),
  });
  app.get('/api/open', { config: { capability: 'browse' } }, async () => ({ fine: true }));
  app.get('/api/mine', { config: { capability: 'use-account' } }, async (request) => ({
    id: request.principal.accountId,
  }));
  app.get('/api/checked', { config: { capability: 'buy', limit: 'promotion' } }, async () => ({}));
  app.get('/api/told', { config: { capability: 'contact', limit: 'support' } }, async () => ({}));
  app.get('/api/scanned', { config: { capability: 'use-account', limit: 'scan' } }, async () => ({}));
  app.post(
    '/api/things/:id',
    {
      config: { capability: 'browse', limit: 'changes' },
      schema: { body: z.object({ name: z.string('Name is required') }) },
    },
    async (request, reply) => reply.position('0007').send({ name: request.body.name }),
  );
  app.post(
    '/api/admin/things',
    { config: { capability: 'administer', limit: 'administration' } },
    async () => ({
      fine: true,
    }),
  );
  app.post(
    '/api/hook',
    { config: { capability: 'receive-webhook', csrf: 'exempt', signed: true } },
    async (request) => {
      if (request.rawBody?.toString() === 'forged') throw new Refusal('BAD_INPUT');
      return { bytes: request.rawBody?.length };
    },
  );
  app.get('/api/broken', { config: { capability: 'browse' } }, async () => {
    throw new Error('boom');
  });
  app.get('/api/refused', { config: { capability: 'browse' } }, async () => {
    throw new Refusal('PRICE_CHANGED', { amount: '12.00' });
  });
  return app;
};

/** A visitor's CSRF token with the headers that go with it. */
const csrfOf = async (app: App, cookie = '') => {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/things/1',
    headers: { 'content-type': 'application/json', cookie },
    payload: '{}',
  });
  const token = reply.cookies.find(({ name }) => name === 'X-CSRF-Token')?.value ?? '';
  return { 'x-csrf-token': token, cookie: `${cookie}; X-CSRF-Token=${token}` };
};

const session = `reprise-session=${TOKEN}`;
const json = { 'content-type': 'application/json' };

describe('the server’s checks', () => {
  it('refuse to register a route of the API without a capability', async () => {
    const app = await build();
    expect(() => app.get('/api/anything', async () => ({}))).toThrow('declares no capability');
  });

  it('refuse to register a change without a limit, unless it is a webhook', async () => {
    const app = await build();
    const post = (config: object) =>
      app.post(`/api/${JSON.stringify(config).length}`, { config }, () => ({}));
    expect(() => post({ capability: 'browse' })).toThrow('declares no limit');
    expect(() => post({ capability: 'receive-webhook', csrf: 'exempt' })).not.toThrow();
  });

  it('require a session, then the CSRF token, then the role, then valid input', async () => {
    const app = await build();
    const visitor = await app.inject({ method: 'POST', url: '/api/admin/things' });
    expect(visitor.json()).toMatchObject({ code: 'NOT_SIGNED_IN' });
    const noCsrf = await app.inject({
      method: 'POST',
      url: '/api/admin/things',
      headers: { cookie: session },
    });
    expect(noCsrf.json()).toMatchObject({ code: 'CSRF' });
    const headers = await csrfOf(app, session);
    const wrongRole = await app.inject({ method: 'POST', url: '/api/admin/things', headers });
    expect(wrongRole.json()).toMatchObject({ code: 'FORBIDDEN' });
    const badBody = await app.inject({
      method: 'POST',
      url: '/api/things/1',
      headers: { ...headers, ...json },
      payload: '{}',
    });
    expect(badBody.statusCode).toBe(400);
    expect(badBody.json()).toMatchObject({
      code: 'BAD_INPUT',
      message: 'Name is required',
      errors: ['Name is required'],
      fields: { name: 'Name is required' },
    });
  });

  it('accept changes from the site’s own pages only, and outside production also from this machine’s names', async () => {
    const from = async (app: App, origin: string) => {
      const headers = { ...json, ...(await csrfOf(app)), origin, host: new URL(origin).host };
      const reply = await app.inject({
        method: 'POST',
        url: '/api/things/1',
        headers,
        payload: '{"name":"x"}',
      });
      return reply.statusCode;
    };
    const app = await build({ production: false });
    expect(await from(app, 'http://localhost:3000')).toBe(200);
    expect(await from(app, 'http://127.0.0.1:3000')).toBe(200);
    // A name that somebody else lets point here.
    expect(await from(app, 'http://rebound.example:3000')).toBe(403);
    expect(await from(app, 'http://localhost:4000')).toBe(403);
    expect(await from(await build(), 'http://127.0.0.1:3000')).toBe(403);
  });

  it('bind the cookie of the CSRF token to the host over https', async () => {
    const app = await build({ baseUrl: 'https://reprise.example' });
    const reply = await app.inject({ method: 'POST', url: '/api/things/1', headers: json, payload: '{}' });
    const [cookie] = reply.cookies.filter(({ name }) => name === '__Host-X-CSRF-Token');
    expect(cookie).toMatchObject({ secure: true, path: '/' });
    expect(cookie).not.toHaveProperty('domain');
    expect(cookie).not.toHaveProperty('httpOnly');
    const headers = { ...json, 'x-csrf-token': cookie?.value, cookie: `${cookie?.name}=${cookie?.value}` };
    const change = { method: 'POST', url: '/api/things/1', headers, payload: '{"name":"x"}' } as const;
    expect((await app.inject(change)).statusCode).toBe(200);
  });

  it('accept a CSRF token only with the session that it was made for', async () => {
    const app = await build();
    const visitors = await csrfOf(app);
    const ofSession = await csrfOf(app, session);
    const post = (headers: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: '/api/things/1',
        headers: { ...json, ...headers },
        payload: '{"name":"x"}',
      });
    expect((await post(visitors)).statusCode).toBe(200);
    expect((await post(ofSession)).statusCode).toBe(200);
    expect((await post({ ...visitors, cookie: session })).statusCode).toBe(403);
    expect((await post({ 'x-csrf-token': ofSession['x-csrf-token'] })).statusCode).toBe(403);
    expect((await post({ 'x-csrf-token': visitors['x-csrf-token'] })).statusCode).toBe(403);
  });

  it('refuse changes sent by other sites', async () => {
    const app = await build();
    const headers = { ...(await csrfOf(app, session)), ...json };
    const from = (extra: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: '/api/things/1',
        headers: { ...headers, ...extra },
        payload: '{"name":"x"}',
      });
    expect((await from({ origin: 'http://localhost:3000' })).statusCode).toBe(200);
    expect((await from({ origin: 'https://evil.example' })).statusCode).toBe(403);
    expect((await from({ origin: 'null' })).statusCode).toBe(403);
    expect((await from({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  });

  it('clear the cookie of an ended session and send a visitor’s token', async () => {
    const app = await build();
    const reply = await app.inject({
      url: '/api/open',
      headers: { cookie: `reprise-session=${'x'.repeat(43)}` },
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.cookies.find(({ name }) => name === 'reprise-session')).toMatchObject({ value: '' });
  });

  it('send a new token to a session whose role changed', async () => {
    const app = await build({ rotate: true });
    const reply = await app.inject({ url: '/api/mine', headers: { cookie: session } });
    expect(reply.cookies.find(({ name }) => name === 'reprise-session')).toMatchObject({
      value: 'n'.repeat(43),
      httpOnly: true,
      sameSite: 'Lax',
    });
    expect(reply.cookies.some(({ name }) => name === 'X-CSRF-Token')).toBe(true);
  });

  it('limit the reads of a session in a minute', async () => {
    const app = await build({ factor: 1 });
    const read = () => app.inject({ url: '/api/mine', headers: { cookie: session } });
    for (let count = 0; count < 1_200; count += 1) await read();
    const reply = await read();
    expect(reply.statusCode).toBe(429);
    expect(reply.headers['retry-after']).toBe('60');
  });

  it('count an account’s reads over all its sessions, and a device’s own', async () => {
    const app = await build({ factor: 1 });
    const call = (url: string, token: string) =>
      app.inject({ url, headers: { cookie: `reprise-session=${token}` } });
    const after10 = async (url: string) => {
      for (let count = 0; count < 10; count += 1) await call(url, TOKEN);
      return (await call(url, SECOND)).statusCode;
    };
    expect(await after10('/api/checked')).toBe(429);
    expect(await after10('/api/scanned')).toBe(200);
    expect((await call('/api/scanned', TOKEN)).statusCode).toBe(429);
  });

  it('count visitors by browser, and all callers of one address together', async () => {
    const app = await build({ factor: 1 });
    const call = async (browser: string, remoteAddress = '2001:db8:0:7::1') =>
      (await app.inject({ url: '/api/told', remoteAddress, headers: { 'user-agent': browser } })).statusCode;
    for (let count = 0; count < 5; count += 1) expect(await call('mine')).toBe(200);
    for (let count = 0; count < 100; count += 1) expect(await call('mine')).toBe(429);
    // What was refused counts for nobody else, and a made-up browser on a made-up address is one of the same network.
    for (let count = 5; count < 50; count += 1)
      expect(await call(`browser ${count}`, `2001:db8:0:7::${count}`)).toBe(200);
    expect(await call('one more', '2001:db8:0:7:1:2:3:4')).toBe(429);
    expect(await call('one more', '2001:db8:0:8::1')).toBe(200);
  });

  const changing = async (app: App, cookie = '') => {
    const headers = { ...json, ...(await csrfOf(app, cookie)) };
    return (remoteAddress = '198.51.100.1') =>
      app.inject({ method: 'POST', url: '/api/things/1', remoteAddress, headers, payload: '{"name":"x"}' });
  };

  it('limit the changes of an account, on whatever device and from whatever address', async () => {
    const app = await build({ factor: 1 });
    const [one, two] = [await changing(app, session), await changing(app, `reprise-session=${SECOND}`)];
    for (let count = 0; count < 30; count += 1) {
      expect((await one()).statusCode).toBe(200);
      expect((await two(`2001:db8:${count}::1`)).statusCode).toBe(200);
    }
    const refused = await two();
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('600');
  });

  it('count the changes of visitors and customers by address, but not those of staff, because gates share one', async () => {
    const counted = async (role?: SignedIn['role']): Promise<readonly string[]> => {
      const taken: string[] = [];
      const app = await build({ ...(role && { role }), taken });
      const change = await changing(app, role ? session : '');
      taken.length = 0;
      expect((await change()).statusCode).toBe(200);
      return taken;
    };
    // Of visitors nothing else: thousands in one hall have the same browser.
    expect(await counted()).toEqual(['address', 'changes-address']);
    expect(await counted('user')).toEqual(['address', 'changes-address', 'changes']);
    expect(await counted('staff')).toEqual(['address', 'changes']);
  });

  it('pass a signed message to its handler unchanged, also if it is not JSON', async () => {
    const taken: LimitName[] = [];
    const app = await build({ taken });
    const headers = { 'content-type': 'application/json' };
    const reply = await app.inject({ method: 'POST', url: '/api/hook', headers, payload: '{"broken' });
    expect([reply.statusCode, taken]).toEqual([200, []]);
  });

  it('count refused signed messages by address, whatever the reason', async () => {
    const taken: LimitName[] = [];
    const app = await build({ taken });
    const send = async (payload: string, type: string): Promise<unknown> => {
      taken.length = 0;
      const headers = { 'content-type': type };
      const { statusCode } = await app.inject({ method: 'POST', url: '/api/hook', headers, payload });
      return [statusCode, taken];
    };
    expect(await send('{}', 'application/json')).toEqual([200, []]);
    expect(await send('forged', 'application/json')).toEqual([400, ['address']]);
    expect(await send('{}', 'text/plain')).toEqual([415, ['address']]);
    expect(await send('x'.repeat(70_000), 'application/json')).toEqual([413, ['address']]);
  });

  it('reject an address with too many refused messages, but no correctly signed message', async () => {
    const app = await build({ factor: 1 / 6_000 });
    const send = async (payload: string, type: string): Promise<number> => {
      const headers = { 'content-type': type };
      return (await app.inject({ method: 'POST', url: '/api/hook', headers, payload })).statusCode;
    };
    expect(await send('{}', 'text/plain')).toBe(415);
    expect(await send('{}', 'text/plain')).toBe(429);
    expect(await send('{}', 'application/json')).toBe(200);
  });

  it('treat an escaped path like any other', async () => {
    const app = await build({ factor: 1 });
    const read = () => app.inject({ url: '/%61pi/mine', headers: { cookie: session } });
    const reply = await read();
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['cache-control']).toBe('no-store');
    for (let count = 1; count < 1_200; count += 1) await read();
    expect((await read()).statusCode).toBe(429);
  });

  it.each<[string, SignedIn['role'] | null, number, string]>([
    ['have ended', null, 401, 'NOT_SIGNED_IN'],
    ['have lost the role', 'user', 403, 'FORBIDDEN'],
    ['are as they were', 'superuser', 200, ''],
  ])('are repeated after a slow body for callers who %s', async (_, role, status, code) => {
    const now: NonNullable<BuildOptions['now']> = { role: 'superuser' };
    const app = await build({ now });
    const headers = await csrfOf(app, session);
    const payload = new PassThrough();
    payload.write('{');
    const answered = app.inject({
      method: 'POST',
      url: '/api/admin/things',
      headers: { ...headers, ...json },
      payload,
    });
    await pause(1_100);
    now.role = role;
    payload.end('}');
    const reply = await answered;
    expect([reply.statusCode, reply.json().code ?? '']).toEqual([status, code]);
  });
});

describe('error answers', () => {
  it('have one shape, with the refusal’s details', async () => {
    const app = await build();
    const reply = await app.inject({ url: '/api/refused' });
    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toEqual({
      code: 'PRICE_CHANGED',
      message: 'The price has changed. Please check the new total.',
      amount: '12.00',
      requestId: reply.headers['x-request-id'],
    });
  });

  it('reveal nothing of an unexpected error', async () => {
    const app = await build();
    const reply = await app.inject({ url: '/api/broken' });
    expect(reply.statusCode).toBe(500);
    expect(reply.body).not.toContain('boom');
  });

  it.each([
    ['an unknown call', { method: 'GET', url: '/api/nothing' }, 404, 'NOT_FOUND'],
    ['another method', { method: 'DELETE', url: '/api/things/4' }, 405, 'METHOD_NOT_ALLOWED'],
    ['broken escapes', { method: 'GET', url: '/api/%E0%A4%A' }, 400, 'BAD_INPUT'],
    ['a NUL in the address', { method: 'GET', url: '/api/open?q=%00' }, 400, 'BAD_INPUT'],
  ] as const)('report %s', async (_name, call, status, code) => {
    const app = await build();
    const reply = await app.inject({ ...call });
    expect(reply.statusCode).toBe(status);
    expect(reply.json()).toMatchObject({ code });
    expect(reply.json().requestId).toEqual(expect.any(String));
  });

  it.each([
    ['cut JSON', 'application/json', '{"name":', 400, 'BAD_JSON'],
    ['bytes that are no UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0x22]), 400, 'BAD_JSON'],
    ['a NUL', 'application/json', '{"name":"a\\u0000"}', 400, 'BAD_INPUT'],
    ['half a surrogate pair', 'application/json', '{"name":"\\ud83d"}', 400, 'BAD_INPUT'],
    ['a poisoned prototype', 'application/json', '{"__proto__":{"a":1}}', 400, 'BAD_JSON'],
    ['deep nesting', 'application/json', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 400, 'BAD_INPUT'],
    ['no body', 'application/json', '', 400, 'BAD_INPUT'],
    [
      'a body that is too large',
      'application/json',
      JSON.stringify({ name: 'x'.repeat(70_000) }),
      413,
      'TOO_LARGE',
    ],
    ['another content type', 'text/plain', 'name=x', 415, 'UNSUPPORTED_TYPE'],
  ])('report %s', async (_name, type, payload, status, code) => {
    const app = await build();
    const headers = await csrfOf(app);
    const reply = await app.inject({
      method: 'POST',
      url: '/api/things/1',
      headers: { ...headers, 'content-type': type },
      payload,
    });
    expect(reply.json()).toMatchObject({ code });
    expect(reply.statusCode).toBe(status);
  });

  it('name the allowed methods', async () => {
    const app = await build();
    const reply = await app.inject({ method: 'PUT', url: '/api/things/4' });
    expect(reply.headers.allow).toBe('POST');
  });
});

describe('the server', () => {
  it('answers a change with its position in the log', async () => {
    const app = await build();
    const headers = { ...(await csrfOf(app)), ...json };
    const reply = await app.inject({
      method: 'POST',
      url: '/api/things/1',
      headers,
      payload: '{"name":"x"}',
    });
    expect(reply.headers['x-log-position']).toBe('log-1:0007');
  });

  it('serves a caller without a known address, such as one who has hung up', async () => {
    const app = await build();
    const from = Promise.withResolvers<string>();
    app.get('/api/late', { config: { capability: 'browse' } }, async ({ ip }) => {
      from.resolve(ip);
      return {};
    });
    app.server.on('connection', (socket) =>
      Object.defineProperty(socket, 'remoteAddress', { value: undefined }),
    );
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    expect((await fetch(`http://127.0.0.1:${port}/api/late`)).status).toBe(200);
    expect(await from.promise).toBe('');
    await app.close();
  });

  it('keeps the raw bytes for signed messages, and requires no CSRF token there', async () => {
    const app = await build();
    const reply = await app.inject({ method: 'POST', url: '/api/hook', headers: json, payload: '{"a": 1}' });
    expect(reply.json()).toEqual({ bytes: 8 });
  });

  it('serves its API description and the page that shows it, under the same policy', async () => {
    const app = await build();
    const page = await app.inject({ url: '/api/docs' });
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/<script>[^<]/);
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect(page.headers['permissions-policy']).toContain('camera=(self)');
    const description = await app.inject({ url: '/api/docs/json' });
    expect(Object.keys(description.json().paths)).toContain('/api/things/{id}');
  });

  it('prevents browsers from running its data as a page', async () => {
    const app = await build();
    for (const url of ['/api/nothing', '/api/things/7', '/%61pi/things/7']) {
      const { headers } = await app.inject({ method: 'POST', url });
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
    }
  });
});

describe('the request log', () => {
  it('names the calls that the checks refused, by code and route', async () => {
    const written: string[] = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        written.push(String(chunk));
        done();
      },
    });
    const app = await build({ logger: createLogger({ name: 'spec', level: 'info' }, stream) });
    const headers = await csrfOf(app, session);
    await app.inject({ method: 'POST', url: '/api/admin/things', headers });
    await app.inject({ url: '/api/refused' });
    expect(written.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', code: 'CSRF', route: '/api/things/:id' },
      { level: 'info', code: 'FORBIDDEN', route: '/api/admin/things' },
    ]);
  });

  it('has each call with its result under the id sent to the caller, and no personal data', async () => {
    const canary = 'canary-8d1f0e';
    const written: string[] = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        written.push(String(chunk));
        done();
      },
    });
    const app = await build({ logger: createLogger({ name: 'spec', level: 'trace' }, stream) });
    const headers = { ...(await csrfOf(app)), 'user-agent': canary, 'x-forwarded-for': canary };
    const post = (payload: string, type = 'application/json') =>
      app.inject({
        method: 'POST',
        url: `/api/things/${canary}?q=${canary}`,
        headers: { ...headers, 'content-type': type },
        payload,
      });
    await post(JSON.stringify({ name: canary }));
    await post(JSON.stringify({ name: 1, [canary]: 1 }));
    await post(`{"${canary}`);
    await post(canary, 'text/plain');
    await app.inject({ url: `/api/${canary}?token=${canary}`, headers });
    await app.inject({ url: `/${canary}/%E0%A4%A`, headers });
    const broken = await app.inject({ url: '/api/broken', headers });
    expect(written.join('')).not.toContain(canary);
    expect(written.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        requestId: broken.headers['x-request-id'],
        method: 'GET',
        route: '/api/broken',
        status: 500,
      }),
    );
  });
});
