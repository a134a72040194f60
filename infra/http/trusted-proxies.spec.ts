import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLogger } from '#infra/lib/logger.ts';
import { createRateLimits } from './rate-limits.ts';
import { createServer } from './server.ts';

const PROXY = '10.1.2.3';
const CLIENT = '203.0.113.9';

const build = async (trustProxy: number | readonly string[]) => {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  const app = await createServer({
    config: { baseUrl: 'http://localhost:3000', production: true, trustProxy },
    sessions: { find: async () => undefined, rotate: async () => undefined },
    limits: createRateLimits({
      factor: 'off',
      pool: { query: () => undefined } as never,
      clock: () => new Date(),
    }),
    logId: 'log-1',
    logger: createLogger({ name: 'spec', level: 'warn' }, stream),
  });
  app.get('/api/where', { config: { capability: 'browse' } }, async ({ ip, protocol }) => ({ ip, protocol }));
  const from = async (remoteAddress: string, forwarded = CLIENT) => {
    const headers = { 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' };
    return (await app.inject({ url: '/api/where', remoteAddress, headers })).json();
  };
  return { from, warnings: () => written.filter((line) => line.includes('TRUST_PROXY')) };
};

it('the client’s address is taken from the named proxies, by address or network, and from no one else', async () => {
  for (const trusted of [[PROXY], ['10.0.0.0/8'], ['2001:db8::/32', '10.1.2.0/24']]) {
    const { from, warnings } = await build(trusted);
    expect(await from(PROXY)).toEqual({ ip: CLIENT, protocol: 'https' });
    expect(await from(`::ffff:${PROXY}`)).toEqual({ ip: CLIENT, protocol: 'https' });
    expect(await from(PROXY, `192.0.2.1, ${CLIENT}, ${PROXY}`)).toMatchObject({ ip: CLIENT });
    expect(await from(PROXY, 'nowhere')).toMatchObject({ ip: 'nowhere' });
    expect(warnings()).toHaveLength(0);
    expect(await from('198.51.100.7')).toEqual({ ip: '198.51.100.7', protocol: 'http' });
    expect(warnings()).toHaveLength(1);
  }
});

it('the client’s address is taken from the given number of proxies', async () => {
  const { from, warnings } = await build(1);
  expect(await from(PROXY, `192.0.2.1, ${CLIENT}`)).toEqual({ ip: CLIENT, protocol: 'https' });
  expect(warnings()).toHaveLength(0);
});

it('a forwarded address is ignored without trusted proxies, with one warning', async () => {
  const { from, warnings } = await build(0);
  expect(await from(PROXY)).toEqual({ ip: PROXY, protocol: 'http' });
  expect(await from(PROXY)).toEqual({ ip: PROXY, protocol: 'http' });
  expect(warnings()).toHaveLength(1);
});
