import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRush, type Rush } from './rush.ts';
import type { App } from './server.ts';

let app: App;
let rush: Rush;
let arrived: PromiseWithResolvers<void>;
let answer: () => void;
/** What a request has to pass before it is counted. */
let gate: (response: ServerResponse) => Promise<void>;
beforeEach(async () => {
  app = Fastify() as unknown as App;
  gate = async () => undefined;
  app.addHook('onRequest', (_request, reply) => gate(reply.raw));
  rush = createRush();
  rush.watch(app);
  arrived = Promise.withResolvers();
  const held = Promise.withResolvers<void>();
  answer = held.resolve;
  app.route({
    method: ['GET', 'POST'],
    url: '/held',
    async handler() {
      arrived.resolve();
      await held.promise;
      return {};
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  answer();
  await app.close();
});

const ask = (method: string): Socket => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${method} /held HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n`);
  return socket;
};
const asking = async (method: string): Promise<Socket> => {
  const socket = ask(method);
  await arrived.promise;
  return socket;
};

/** Whether the moment is quiet at once. */
const isQuiet = async (): Promise<boolean> => {
  const gaveUp = new AbortController();
  const next = new Promise<false>((done) => setImmediate(done, false));
  const quiet = await Promise.race([rush.quietMoment(gaveUp.signal).then(() => true), next]);
  gaveUp.abort();
  return quiet;
};

it('the server is busy while a change is in progress, and quiet once it was answered', async () => {
  expect(await isQuiet()).toBe(true);
  const socket = await asking('POST');
  expect(await isQuiet()).toBe(false);
  answer();
  await once(socket, 'data');
  await rush.quietMoment(AbortSignal.any([]));
  await expect.poll(isQuiet).toBe(true);
  socket.destroy();
});

it('the server is quiet while callers only read', async () => {
  const socket = await asking('GET');
  expect(await isQuiet()).toBe(true);
  socket.destroy();
});

it('the server is quiet again when the caller of a change hangs up', async () => {
  const socket = await asking('POST');
  socket.destroy();
  await expect.poll(isQuiet).toBe(true);
});

it('the server does not count a change whose caller hung up during the checks', async () => {
  const socket = Promise.withResolvers<Socket>();
  gate = async (response) => {
    const gone = once(response, 'close');
    (await socket.promise).destroy();
    await gone;
  };
  socket.resolve(ask('POST'));
  await arrived.promise;
  expect(await isQuiet()).toBe(true);
});

it('waiting for a quiet moment ends after a while, however long a change takes', async () => {
  const socket = await asking('POST');
  await rush.quietMoment(AbortSignal.any([]));
  expect(await isQuiet()).toBe(false);
  socket.destroy();
});
