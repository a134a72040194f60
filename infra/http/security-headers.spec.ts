import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, it } from 'vitest';
import { installSecurityHeaders } from './security-headers.ts';

const headersOf = async (install: (app: FastifyInstance) => unknown): Promise<Record<string, unknown>> => {
  const app = Fastify();
  await install(app);
  app.get('/', async () => '');
  const { headers } = await app.inject('/');
  await app.close();
  const { date, ...told } = headers;
  return told;
};

it('security headers are those that helmet recommends, with our own policies', async () => {
  const ours = await headersOf((app) => installSecurityHeaders(app, true));
  const helmets = await headersOf((app) => app.register(helmet));
  const own = [
    'content-security-policy',
    'permissions-policy',
    'referrer-policy',
    'strict-transport-security',
  ];
  const rest = (headers: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
  expect(rest(ours)).toEqual(rest(helmets));
  expect(Object.keys(ours)).toEqual(expect.arrayContaining(own));
});

it('security headers require https only if the site is served over https', async () => {
  const headers = await headersOf((app) => installSecurityHeaders(app, false));
  expect(headers).not.toHaveProperty('strict-transport-security');
  expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
});
