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

it('are what helmet recommends, with policies of our own', async () => {
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

it('promise https only where the site is reached over it', async () => {
  const headers = await headersOf((app) => installSecurityHeaders(app, false));
  expect(headers).not.toHaveProperty('strict-transport-security');
  expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
});
