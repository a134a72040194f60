import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { boundConnections } from './connections.ts';

const ends: (() => unknown)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

const listening = async (trusted: boolean) => {
  const server = createServer();
  boundConnections(server, () => trusted, 2);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const { port } = server.address() as AddressInfo;
  return async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined /* closed by the server */);
    ends.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
};

it('connections from one address are limited, so that others can connect', async () => {
  const open = await listening(false);
  const [first] = [await open(), await open()];
  await once(await open(), 'close');
  first?.destroy();
  await once(first ?? (await open()), 'close');
  const next = await open();
  next.write('GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(String(await once(next, 'data'))).toContain('HTTP/1.1 400');
});

it('connections of a trusted proxy are not limited', async () => {
  const open = await listening(true);
  for (const socket of [await open(), await open(), await open()]) {
    socket.write('GET / HTTP/1.1\r\nConnection: close\r\n\r\n');
    await once(socket, 'data');
  }
});
