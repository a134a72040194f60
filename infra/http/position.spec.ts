import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { fromToken, installMinPosition, installPosition, LONGEST_WAIT, toToken } from './position.ts';

/** A server whose read models are at 5, and reach whatever `reaches` allows. */
const build = (reaches: (position: string) => boolean) => {
  const waited: { position: string; within: number }[] = [];
  const app = Fastify();
  installPosition(app, 'log-1');
  installMinPosition(app, 'log-1', {
    current: () => '0005',
    reached: async (position, within) => {
      waited.push({ position, within });
      return reaches(position);
    },
  });
  app.get('/', async () => 'read');
  app.post('/', async (_request, reply) => reply.position('0007').position('0006').send('changed'));
  const read = (token: string) => app.inject({ url: '/', headers: { 'x-min-position': token } });
  return { app, read, waited };
};

describe('a position token', () => {
  it('carries its log', () => {
    expect(fromToken('log-1', toToken('log-1', '0007'))).toBe('0007');
    expect(fromToken('log-1', toToken('log-2', '0007'))).toBeUndefined();
    expect(fromToken('log-1', 'nonsense')).toBeUndefined();
    expect(fromToken('log-1', `log-1:${'9'.repeat(500)}`)).toBeUndefined();
  });
});

describe('a change', () => {
  it('answers with the highest of its positions', async () => {
    const { app } = build(() => true);
    expect((await app.inject({ method: 'POST', url: '/' })).headers['x-log-position']).toBe('log-1:0007');
  });
});

describe('a query', () => {
  it('does not wait for what is there already, for another log, or for nonsense', async () => {
    const { read, waited } = build(() => false);
    for (const token of ['log-1:0005', 'log-1:0001', 'log-2:0009', 'nonsense', '']) {
      const reply = await read(token);
      expect([reply.body, reply.headers['x-stale']]).toEqual(['read', undefined]);
    }
    expect(waited).toEqual([]);
  });

  it('waits for what its caller has seen, and says so when that took too long', async () => {
    const { read, waited } = build((position) => position === '0006');
    expect((await read('log-1:0006')).headers['x-stale']).toBeUndefined();
    expect((await read('log-1:0009')).headers['x-stale']).toBe('true');
    expect(waited).toEqual([
      { position: '0006', within: LONGEST_WAIT },
      { position: '0009', within: LONGEST_WAIT },
    ]);
  });
});
