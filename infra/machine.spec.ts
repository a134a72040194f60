import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './machine.ts';

test('a free port can be listened at, and is none that the system hands out by itself', async () => {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', listening);
  });
  await new Promise((closed) => server.close(closed));
  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(32_000);
});
