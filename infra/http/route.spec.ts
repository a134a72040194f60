import Fastify from 'fastify';
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Call, call } from '#domain/contracts/call.ts';
import { idParams } from '#domain/contracts/fields.ts';
import { errorHandler } from './errors.ts';
import { type Answered, type Asked, route, serialize } from './route.ts';
import type { App } from './server.ts';

const thing = z.object({ id: z.int(), kind: z.enum(['big', 'small']) });
const everybody = { capability: 'browse' } as const;
const thingCalls = {
  list: call('GET /things', { answer: z.array(thing), ...everybody }),
  read: call('GET /things/{id}', { params: idParams(), answer: thing, ...everybody }),
  create: call('POST /things', {
    body: thing,
    answer: thing,
    status: [201, 200],
    limit: 'changes',
    ...everybody,
  }),
  drop: call('DELETE /things/{id}', {
    params: idParams(),
    answer: z.object({ by: z.string() }),
    capability: 'administer',
    limit: 'administration',
  }),
  draw: call('GET /things/{id}/drawing', { params: idParams(), answer: 'image/webp', ...everybody }),
};
const big = { id: 1, kind: 'big' } as const;

const serving = <C extends Call>(
  declared: C,
  handle: (request: Asked<C>) => Promise<Answered<C>>,
): ReturnType<typeof Fastify> => {
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setErrorHandler(errorHandler);
  route(app.withTypeProvider<ZodTypeProvider>() as App, declared, handle);
  return app;
};

describe('a declared call', () => {
  it('gets its input parsed and answers with its usual status', async () => {
    const app = serving(thingCalls.create, async ({ body }) => body);
    const created = await app.inject({ method: 'POST', url: '/things', payload: big });
    expect([created.statusCode, created.json()]).toEqual([201, big]);
    expect((await app.inject({ method: 'POST', url: '/things', payload: { id: 'x' } })).statusCode).toBe(400);
  });

  it('refuses a body that it does not declare', async () => {
    const app = serving(thingCalls.drop, async ({ principal }) => ({ by: principal?.accountId ?? '' }));
    const drop = async (payload?: object) =>
      (await app.inject({ method: 'DELETE', url: '/things/1', ...(payload && { payload }) })).statusCode;
    expect([await drop(), await drop({}), await drop({ all: true })]).toEqual([200, 200, 400]);
  });

  it('sends the length of its list, also of a serialized one', async () => {
    const list = await serving(thingCalls.list, async () => [big]).inject('/things');
    expect(list.headers['x-total-count']).toBe('1');
    const written = await serving(thingCalls.list, async () => serialize([big])).inject('/things');
    expect(written.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(written.json()).toEqual([big]);
  });
});

/** Compiled and never run: a line under a mark that did compile would fail the check of types. */
const mistakes = (app: App): void => {
  // @ts-expect-error an answer of another shape
  route(app, thingCalls.read, async ({ params }) => ({ id: params.id }));
  // @ts-expect-error a value that the answer doesn't know
  route(app, thingCalls.read, async ({ params }) => ({ id: params.id, kind: 'huge' as const }));
  // @ts-expect-error JSON that was written of something else
  route(app, thingCalls.list, async () => serialize([{ id: 1 }]));
  // @ts-expect-error JSON where a picture was declared
  route(app, thingCalls.draw, async () => big);
  // @ts-expect-error a parameter that the path doesn't have
  route(app, thingCalls.read, async ({ params }) => ({ ...big, id: params.number }));
  // @ts-expect-error a visitor may call, so there may be no session
  route(app, thingCalls.read, async ({ principal }) => ({ ...big, id: principal.sessionId.length }));
  // @ts-expect-error a path whose parameter nobody parses
  call('GET /things/{id}', { answer: thing, ...everybody });
  // @ts-expect-error a capability that there is not
  call('GET /things', { answer: thing, capability: 'browze' });
  // @ts-expect-error a change that may be made without a limit
  call('POST /things', { body: thing, answer: thing, ...everybody });
  // This does: no visitor may call, so there is a session.
  route(app, thingCalls.drop, async ({ principal }) => ({ by: principal.sessionId }));
};

it('a handler that does not match its declared call does not compile', () =>
  expect(mistakes).toBeTypeOf('function'));
