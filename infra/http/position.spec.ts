import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { toPosition } from '#infra/event-log/batch.ts';
import { fromToken, toToken } from '#infra/event-log/checkpoint.ts';
import { START } from '#infra/event-log/event-log.ts';
import { installMinPosition, installPosition, LONGEST_WAIT, UNASKED_WAIT } from './position.ts';

const [one, five, six, seven, nine] = [1, 5, 6, 7, 9].map(toPosition) as [
  string,
  string,
  string,
  string,
  string,
];

/** A server whose log ends at 7, and whose read models are at 5 and reach whatever `reaches` allows. Its process has heard of nothing. */
const build = (reaches: (position: string) => boolean, isAway = false) => {
  const waited: { position: string; within: number }[] = [];
  const app = Fastify();
  installPosition(app, 'log-1');
  const log = {
    id: 'log-1',
    heard: START,
    head: async () => (isAway ? Promise.reject(new Error('The log is away.')) : seven),
  };
  installMinPosition(app, log, {
    current: () => five,
    reached: async (position, within) => {
      waited.push({ position, within });
      return reaches(position);
    },
  });
  app.get('/', async () => 'read');
  app.get('/missing', () => Promise.reject(new Error('There is none.')));
  app.post('/', async (_request, reply) => reply.position(seven).position(six).send('changed'));
  const read = (token: string, url = '/') => app.inject({ url, headers: { 'x-min-position': token } });
  return { app, log, read, waited };
};

describe('a position token', () => {
  it('is valid only for its own log', () => {
    expect(fromToken('log-1', toToken('log-1', seven))).toBe(seven);
    expect(fromToken('log-1', toToken('log-2', seven))).toBeUndefined();
    expect(fromToken('log-1', 'nonsense')).toBeUndefined();
    expect(fromToken('log-1', `log-1:${'9'.repeat(500)}`)).toBeUndefined();
  });
});

describe('a changing call', () => {
  it('answers with the highest of its positions', async () => {
    const { app } = build(() => true);
    expect((await app.inject({ method: 'POST', url: '/' })).headers['x-log-position']).toBe(`log-1:${seven}`);
  });
});

describe('a reading call', () => {
  it('does not wait for a position already reached, of another log, or malformed', async () => {
    const { read, waited } = build(() => false);
    for (const token of [`log-1:${five}`, `log-1:${one}`, `log-2:${nine}`, 'log-1:zzzz', 'nonsense', '']) {
      const reply = await read(token);
      expect([reply.body, reply.headers['x-stale']]).toEqual(['read', undefined]);
    }
    expect(waited).toEqual([]);
  });

  it('waits for the position that its caller has seen, and reports if that takes too long', async () => {
    const { read, waited } = build((position) => position === six);
    expect((await read(`log-1:${six}`)).headers['x-stale']).toBeUndefined();
    expect((await read(`log-1:${nine}`)).headers['x-stale']).toBe('true');
    expect((await read(`log-1:${nine}`, '/missing')).headers['x-stale']).toBe('true');
    expect(waited).toEqual([
      { position: six, within: LONGEST_WAIT },
      { position: nine, within: LONGEST_WAIT },
      { position: nine, within: LONGEST_WAIT },
    ]);
  });

  it('reports that the log ends before the position that its caller has seen, for example after a restore', async () => {
    const { read } = build(() => false);
    const told = async (token: string) => {
      const { headers } = await read(token);
      return [headers['x-stale'], headers['x-beyond-end']];
    };
    expect(await told(`log-1:${nine}`)).toEqual(['true', 'true']);
    expect(await told(`log-1:${seven}`)).toEqual(['true', undefined]);
    const away = await build(() => false, true).read(`log-1:${nine}`);
    expect([away.body, away.headers['x-stale'], away.headers['x-beyond-end']]).toEqual([
      'read',
      'true',
      undefined,
    ]);
  });

  it('waits briefly for positions that its process has heard of if the caller sends none', async () => {
    const { app, log, waited } = build((position) => position === six);
    const ask = async () => (await app.inject({ url: '/' })).headers['x-stale'];
    await ask();
    log.heard = five;
    await ask();
    expect(waited).toEqual([]);
    log.heard = six;
    await ask();
    log.heard = seven;
    // Read models that are far behind are waited for once.
    expect([await ask(), await ask()]).toEqual([undefined, undefined]);
    log.heard = six;
    await ask();
    await ask();
    expect(waited).toEqual([
      { position: six, within: UNASKED_WAIT },
      { position: seven, within: UNASKED_WAIT },
      { position: seven, within: 0 },
      { position: six, within: 0 },
      { position: six, within: UNASKED_WAIT },
    ]);
  });
});
