import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPublic, obstacleTo, post } from './post.ts';
import { newSecret, signedHeaders } from './sign.ts';

describe('a webhook’s signature', () => {
  it('matches the example in the specification of Standard Webhooks', () => {
    const body = '{"test": 2432232314}';
    const at = new Date(1_614_265_330_000);
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const [one, both] = [[secret], [newSecret(), secret]].map(
      (secrets) =>
        signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', body, at, secrets)['webhook-signature'] ?? '',
    );
    expect(one).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    expect(both?.split(' ')[1]).toBe(one);
  });
});

describe('posting to a webhook', () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/moved') response.writeHead(302, { location: '/secret' }).end();
    else if (request.url === '/silent') return;
    else if (request.url === '/long') response.end(`\0${'x'.repeat(100_000)}`);
    else response.writeHead(202).end('taken');
  });
  let origin = '';
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = { locked: false } as const;

  it('returns the status and the beginning of the answer', async () => {
    expect(await post(`${origin}/`, {}, '{}', open)).toMatchObject({ status: 202, answer: 'taken' });
    const { answer } = await post(`${origin}/long`, {}, '{}', open);
    expect(answer).toBe('x'.repeat(499));
  });

  it('follows no redirect', async () => {
    expect(await post(`${origin}/moved`, {}, '{}', open)).toMatchObject({ status: 302 });
    expect(asked).not.toContain('/secret');
  });

  it('times out if nobody answers', async () => {
    expect(await post(`${origin}/silent`, {}, '{}', { ...open, within: 50 })).toMatchObject({ status: null });
    const nobody = await post('http://127.0.0.1:1/', {}, '{}', open);
    expect(nobody).toMatchObject({ status: null, answer: expect.stringContaining('ECONNREFUSED') });
  });

  it('accepts the answer of a server that wants to switch protocols, and ends', async () => {
    const left = Promise.withResolvers<void>();
    const other = createTcpServer((socket) => {
      socket.on('close', () => left.resolve());
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n'),
      );
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    expect(await post(`http://127.0.0.1:${port}/`, {}, '{}', open)).toMatchObject({ status: 101 });
    await left.promise;
    other.close();
  });

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '64:ff9b::a00:1',
    '2001::1',
    '2002:7f00:1::',
    'fc00::1',
    'fe80::1',
    'ff02::1',
  ])('treats %s as not public', (address) => expect(isPublic(address)).toBe(false));

  it('treats internet addresses as public', () => {
    expect(['1.1.1.1', '172.32.0.1', '2606:4700::1111'].filter((address) => !isPublic(address))).toEqual([]);
  });

  it('refuses internal addresses, however written, and plain http', async () => {
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
    ])
      expect(obstacleTo(new URL(`https://${host}/`)), host).toContain('not public');
    expect(obstacleTo(new URL('http://example.org/'))).toContain('https');
    expect(obstacleTo(new URL('https://example.org/'))).toBeUndefined();
    // A name that leads inside is found out on connecting.
    const port = new URL(origin).port;
    const posted = await post(`https://localhost:${port}/`, {}, '{}', { locked: true });
    expect(posted).toMatchObject({ status: null, answer: 'leads to an address that is not public' });
  });
});
