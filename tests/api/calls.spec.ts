/** The declared calls against the servers: what is registered, who may call it, and what the documentation says. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ROLES } from '#domain/account/events.ts';
import type { Call } from '#domain/contracts/call.ts';
import { may, type Standing } from '#domain/contracts/capabilities.ts';
import { DOCS_PATH } from '#infra/http/docs.ts';
import { declaredCalls } from '#tests/kit/declared-calls.ts';
import { goalOf } from '#tests/kit/proxy.ts';
import { type Site, startSite } from '#tests/kit/site.ts';
import type { Visitor } from '#tests/kit/visitor.ts';

const calls = await declaredCalls();
const routes: RouteOptions[] = [];
const listen = (message: unknown): void => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', (route) => void routes.push(route));
};

let site: Site;
const browsers = new Map<Standing, Visitor>();
beforeAll(async () => {
  subscribe('fastify.initialization', listen);
  site = await startSite();
  unsubscribe('fastify.initialization', listen);
  browsers.set('visitor', site.visitor());
  for (const role of ROLES) browsers.set(role, (await site.member(role)).browser);
});

const nameOf = ({ method, path }: { method: unknown; path?: string }) => `${method} ${path}`;

describe('every call', () => {
  it('is served by a server, and no other paths are under /api', () => {
    const registered = routes
      .filter(({ method, url, config }) => method !== 'HEAD' && (url.startsWith('/api/') || config?.answer))
      .filter(({ url }) => !url.startsWith(DOCS_PATH))
      .map(({ method, url, config }) => nameOf({ method, path: config?.path ?? url }));
    expect(registered.sort()).toEqual([...calls.values()].map(nameOf).sort());
  });

  it('is reached through the proxy, as are the server’s other paths', () => {
    // Processes answer these for themselves.
    const ownOnes = ['/healthz', '/readyz', '/metrics'];
    const lost = routes
      .filter(({ url }) => !ownOnes.includes(url))
      .flatMap(({ method, url }) => [method].flat().map((one) => nameOf({ method: one, path: url })))
      .filter((name) => {
        const [method = '', path = ''] = name.split(' ');
        return goalOf(method, path) === 'client';
      });
    expect(lost).toEqual([]);
  });

  it('answers HEAD only if its GET changes nothing', () => {
    const heads = routes.filter(({ method, url }) => method === 'HEAD' && url.startsWith('/api/'));
    expect(heads.length).toBeGreaterThan(5);
    expect(heads.filter(({ config }) => config?.capability !== 'browse').map(({ url }) => url)).toEqual([]);
  });

  it.each([...calls])('%s names each of its parameters', (_, { path, params }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(params instanceof z.ZodMiniObject ? Object.keys(params.shape) : []).toEqual(names);
  });

  it.each([...calls])(
    '%s can be repeated under a key by signed-in users only',
    (_, { idempotent, capability }) => {
      expect(idempotent && may('visitor', capability)).not.toBe(true);
    },
  );

  it('is documented with its input, its answer and the capability that it needs', async () => {
    const { body } = await site.visitor().get(`${DOCS_PATH}/json`);
    for (const { method, path, params, query, answer, capability, status = [200] } of calls.values()) {
      const told = body.paths[path]?.[method.toLowerCase()];
      expect(told?.description, nameOf({ method, path })).toContain(capability);
      const inputs = [params, query].flatMap((schema) =>
        schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [],
      );
      expect((told.parameters ?? []).map(({ name }: { name: string }) => name).sort()).toEqual(inputs.sort());
      const usual = answer === 'redirect' ? 302 : answer === 'websocket' ? 101 : status[0];
      const { content } = told.responses[usual];
      if (typeof answer === 'object')
        expect(content['application/json'].schema.type).toMatch(/^(object|array)$/);
      else if (answer !== 'redirect' && answer !== 'websocket')
        expect(Object.keys(content)).toEqual([answer]);
    }
  });
});

/** Makes a call that gets past the gate and no further: a change comes with a body of a type that no call takes. */
const knock = async (browser: Visitor, { method, path, answer }: Call) => {
  const url = path.replace(/\{\w+\}/g, '1');
  if (answer === 'text/event-stream') {
    const stream = await fetch(site.origin + url);
    await stream.body?.cancel();
    return { status: stream.status };
  }
  if (method === 'GET') return browser.get(url);
  return browser.call(method, url, {}, { 'content-type': 'text/plain' });
};

describe('access by role', () => {
  it.each([...calls])('%s', async (_, declared) => {
    for (const [standing, browser] of browsers) {
      const { status } = await knock(browser, declared);
      if (may(standing, declared.capability)) expect([401, 403], standing).not.toContain(status);
      else expect(status, standing).toBe(standing === 'visitor' ? 401 : 403);
    }
  });
});
