import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '#tests/kit/silent-logger.ts';
import { createRateLimits } from './rate-limits.ts';
import { type App, createServer } from './server.ts';

const unused = (): never => {
  throw new Error('not in this spec');
};

let app: App;
/** The statuses of what was answered, or would have been. */
const answered: number[] = [];
beforeAll(async () => {
  app = await createServer({
    config: { baseUrl: 'http://localhost:3000', production: false, trustProxy: 0 },
    sessions: { find: unused, rotate: unused },
    limits: createRateLimits({ factor: 'off', pool: { query: unused } as never, clock: () => new Date() }),
    logId: 'log-1',
    logger: silentLogger(),
  });
  app.addHook('onSend', async (_request, reply) => {
    answered.push(reply.statusCode);
  });
  app.get('/api/open', { config: { capability: 'browse' } }, async () => ({ fine: true }));
  app.post('/api/open', { config: { capability: 'browse', csrf: 'exempt' } }, async () => ({ fine: true }));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

/** The status and the body that bytes are answered with. */
const answerTo = async (bytes: string): Promise<{ status: number; body: unknown }> => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined /* the server may close before it has read all; the answer is judged */);
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
};

describe('a malformed request', () => {
  it.each([
    ['no HTTP at all', '\u0016\u0003\u0001\r\n\r\n', 400, 'BAD_INPUT'],
    ['a method that there is not', 'BREW /api/open HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'BAD_INPUT'],
    [
      'a length that is none',
      'GET /api/open HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
      400,
      'BAD_INPUT',
    ],
    ['no host', 'GET /api/open HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_INPUT'],
    [
      'headers without end',
      `GET /api/open HTTP/1.1\r\nHost: x\r\nX-Flood: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
  ])('is answered like any other refusal: %s', async (_name, bytes, status, code) => {
    const answer = await answerTo(bytes);
    expect(answer).toEqual({
      status,
      body: { message: expect.any(String), code, requestId: expect.any(String) },
    });
  });

  it('does not include an unknown Expect header, which is ignored', async () => {
    const answer = await answerTo(
      'GET /api/open HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toEqual({ status: 200, body: { fine: true } });
  });

  it('that breaks off is answered 400 instead of 503', async () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    const asked = once(app.server, 'request');
    socket.write('POST /api/open HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 1000\r\n\r\n{');
    await asked;
    answered.length = 0;
    socket.resetAndDestroy();
    await vi.waitFor(() => expect(answered).toEqual([400]));
  });
});
