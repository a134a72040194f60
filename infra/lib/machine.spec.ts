import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { bareEnvironment, freePort } from './machine.ts';

test('a free port can be listened on and is outside the system’s own range', async () => {
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

test('other programs get an environment with paths and without secrets', () => {
  vi.stubEnv('MASTER_KEY', 'canary-5ec2e7');
  const told = bareEnvironment({ TZ: 'UTC' });
  expect(told).toMatchObject({ PATH: process.env.PATH, TZ: 'UTC' });
  expect(JSON.stringify(told)).not.toContain('canary');
  vi.unstubAllEnvs();
});
