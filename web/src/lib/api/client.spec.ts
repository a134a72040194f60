import { beforeEach, expect, test, vi } from 'vitest';
import { authCalls } from '#domain/contracts/auth.ts';
import { catalogueCalls } from '#domain/contracts/catalogue.ts';
import { refundCalls } from '#domain/contracts/refunds.ts';
import type { call as Call, list as List } from './client.ts';

/** A browser's edge, as far as the client sees it: what was sent, and the answers that wait. */
interface Sent {
  readonly path: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}
let sent: Sent[];
let answers: Response[];

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  answers.push(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }));
const token = (csrfToken: string) => answer(200, { csrfToken });
const callsOf = (path: string) => sent.filter((request) => request.path === path);

const load = async () => {
  vi.resetModules();
  return import('./client.ts');
};

beforeEach(() => {
  vi.restoreAllMocks();
  sent = [];
  answers = [];
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal('document', { cookie: '' });
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    sent.push({
      path,
      method: init.method ?? 'GET',
      headers: new Headers(init.headers),
      body: init.body,
    });
    const next = answers.shift();
    if (!next) throw new TypeError('No answer was prepared.');
    return next;
  });
});

test('a stale answer is fetched again, three times in all', async () => {
  const { call } = await load();
  const read = () => call(catalogueCalls.event, { params: { id: 7 } });
  answer(404, { message: 'Not found' }, { 'X-Stale': 'true' });
  answer(200, { id: 6 }, { 'X-Stale': 'true' });
  answer(200, { id: 7 });
  expect(await read()).toEqual({ id: 7 });
  expect(sent).toHaveLength(3);
  for (const id of [1, 2, 3]) answer(200, { id }, { 'X-Stale': 'true' });
  expect(await read()).toEqual({ id: 3 });
  expect(sent).toHaveLength(6);
});

test('seen positions are forgotten if the log ends before them, and lower ones count from then on', async () => {
  const { call } = await load();
  const { seenPosition } = await import('./position.ts');
  const read = () => call(catalogueCalls.event, { params: { id: 7 } });
  const positions = () => sent.map((request) => request.headers.get('X-Min-Position'));
  answer(200, { id: 7 }, { 'X-Log-Position': 'log-1:9' });
  await read();
  answer(200, { id: 7 }, { 'X-Stale': 'true', 'X-Beyond-End': 'true' });
  answer(200, { id: 7 }, { 'X-Log-Position': 'log-1:3' });
  await read();
  expect(positions()).toEqual([null, 'log-1:9', null]);
  expect(seenPosition()).toBe('log-1:3');
});

test('an answer that is not OK is an error with status and body as its message', async () => {
  const { call } = await load();
  const body = { message: 'Event Not Found', code: 'LISTING_NOT_FOUND', requestId: '1' };
  answer(404, body);
  await expect(call(catalogueCalls.event, { params: { id: 7 } })).rejects.toMatchObject({
    message: `404: ${JSON.stringify(body)}`,
    status: 404,
    body,
  });
  expect(sent[0]?.path).toBe('/api/events/7');
});

test('a body of unknown form is kept in the error’s message', async () => {
  const { call, messageOf } = await load();
  answer(502, '<html>');
  const error = await call(catalogueCalls.cities).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: '502: <html>', body: {} });
  expect(messageOf(error, 'Please try again.')).toBe('Please try again.');
});

test('changes send the CSRF token of the cookie, or a fetched one that is kept', async () => {
  vi.stubGlobal('document', { cookie: 'other=1; X-CSRF-Token=from%2Bcookie' });
  const { call } = await load();
  answer(200, { message: 'Sent' });
  await call(authCalls.resendVerification);
  expect(sent[0]?.headers.get('X-CSRF-Token')).toBe('from+cookie');
  expect(sent[0]?.headers.has('Content-Type')).toBe(false);

  vi.stubGlobal('document', { cookie: 'X-CSRF-Token=older; __Host-X-CSRF-Token=bound' });
  const secure = await load();
  answer(200, { message: 'Sent' });
  await secure.call(authCalls.resendVerification);
  expect(sent.at(-1)?.headers.get('X-CSRF-Token')).toBe('bound');

  vi.stubGlobal('document', { cookie: '' });
  const again = await load();
  token('fetched');
  answer(200, {});
  answer(200, {});
  await again.call(authCalls.forgotPassword, { body: { email: 'a@b.c' } });
  await again.call(authCalls.forgotPassword, { body: { email: 'a@b.c' } });
  expect(callsOf('/api/auth/csrf-token')).toHaveLength(1);
  expect(sent.at(-1)?.headers.get('X-CSRF-Token')).toBe('fetched');
  expect(sent.at(-1)?.headers.get('Content-Type')).toBe('application/json');
});

test('a change refused for its token is repeated once with a new one', async () => {
  vi.stubGlobal('document', { cookie: 'X-CSRF-Token=old' });
  const { call } = await load();
  answer(403, { code: 'CSRF', message: 'Your session changed.' });
  token('new');
  answer(200, { message: 'Sent' });
  await call(authCalls.resendVerification);
  const tries = callsOf('/api/auth/resend-verification').map((request) =>
    request.headers.get('X-CSRF-Token'),
  );
  expect(tries).toEqual(['old', 'new']);
});

test('a second refusal is the answer', async () => {
  vi.stubGlobal('document', { cookie: 'X-CSRF-Token=old' });
  const { call } = await load();
  answer(403, { code: 'CSRF' });
  token('new');
  answer(403, { code: 'CSRF' });
  await expect(call(authCalls.resendVerification)).rejects.toMatchObject({ status: 403 });
});

test('any other 403 is not repeated, but clears the token', async () => {
  const { call } = await load();
  token('first');
  answer(403, { code: 'FORBIDDEN' });
  token('second');
  answer(200, {});
  await expect(call(authCalls.resendVerification)).rejects.toMatchObject({ status: 403 });
  await call(authCalls.resendVerification);
  expect(sent.at(-1)?.headers.get('X-CSRF-Token')).toBe('second');
});

test('a change is sent without a token if none can be fetched', async () => {
  const complaint = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { call } = await load();
  answer(503, 'busy');
  answer(200, {});
  await call(authCalls.resendVerification);
  expect(sent.at(-1)?.headers.has('X-CSRF-Token')).toBe(false);
  expect(complaint).toHaveBeenCalledOnce();
  complaint.mockRestore();
});

test('a query requires at least the highest position seen', async () => {
  const { call } = await load();
  answer(200, [], { 'X-Log-Position': 'log:0009' });
  answer(200, [], { 'X-Log-Position': 'log:0004' });
  answer(200, []);
  for (let time = 0; time < 3; time += 1) await call(catalogueCalls.cities);
  expect(sent.map((request) => request.headers.get('X-Min-Position'))).toEqual([
    null,
    'log:0009',
    'log:0009',
  ]);
});

test('another log’s position replaces the highest one seen', async () => {
  const { call } = await load();
  answer(200, [], { 'X-Log-Position': 'old:0009' });
  answer(200, [], { 'X-Log-Position': 'new:0001' });
  answer(200, []);
  for (let time = 0; time < 3; time += 1) await call(catalogueCalls.cities);
  expect(sent.at(-1)?.headers.get('X-Min-Position')).toBe('new:0001');
});

test('a list comes with its total and its cursor, and blank filters are not sent', async () => {
  const { list } = await load();
  answer(200, [{ id: 1 }], { 'X-Total-Count': '41', 'X-Next-Cursor': 'abc' });
  const found = await list(catalogueCalls.events, {
    query: { city: '', search: 'late jazz', featured: undefined },
  });
  expect(found).toMatchObject({ total: 41, cursor: 'abc' });
  expect(sent[0]?.path).toBe('/api/events?search=late+jazz');
});

test('a query is sent by browsers that cannot report its size, too', async () => {
  vi.spyOn(URLSearchParams.prototype, 'size', 'get').mockReturnValue(undefined as never);
  const { addressOf } = await load();
  expect(addressOf(catalogueCalls.events, { query: { city: 'Leeds', limit: 8 } })).toBe(
    '/api/events?city=Leeds&limit=8',
  );
  expect(addressOf(catalogueCalls.events, { query: { city: '' } })).toBe('/api/events');
});

test('an answer that does not arrive within the limit counts as lost', async () => {
  const { call } = await load();
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    queueMicrotask(() => limit.abort(new DOMException('Over', 'TimeoutError')));
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  });
  await expect(call(catalogueCalls.cities)).rejects.toMatchObject({ name: 'NoAnswer', sent: true });
});

test('an answer whose body never ends counts as lost', async () => {
  const { call } = await load();
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    const endless = new ReadableStream({
      start: (body) => signal?.addEventListener('abort', () => body.error(signal.reason)),
    });
    setTimeout(() => limit.abort(new DOMException('Over', 'TimeoutError')));
    return new Response(endless);
  });
  await expect(call(catalogueCalls.cities)).rejects.toMatchObject({ name: 'NoAnswer' });
});

test('a cancelled call fails with its own reason, and not as lost', async () => {
  const { call } = await load();
  const reason = new DOMException('Left the page', 'AbortError');
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => signal?.throwIfAborted());
  await expect(call(catalogueCalls.cities, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('a proxy’s page instead of an answer counts as no answer', async () => {
  const { call } = await load();
  answer(200, '<html>Please accept our terms to use this Wi-Fi.</html>');
  await expect(call(catalogueCalls.cities)).rejects.toMatchObject({ name: 'NoAnswer', sent: true });
});

test('a change counts as unsent only if the device was offline all the time', async () => {
  const events = new EventTarget();
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  const { call } = await load();
  const change = () => call(authCalls.resendVerification).catch((error: unknown) => error);
  const during = (name: string) => {
    vi.stubGlobal('fetch', async () => {
      events.dispatchEvent(new Event(name));
      throw new TypeError('Failed to fetch');
    });
  };
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await change()).toMatchObject({ name: 'NoAnswer', sent: true });
  events.dispatchEvent(new Event('offline'));
  expect(await change()).toMatchObject({ name: 'NoAnswer', sent: false });
  during('online');
  expect(await change()).toMatchObject({ sent: true });
  during('offline');
  expect(await change()).toMatchObject({ sent: true });
  // Other specs of this process have a connection.
  events.dispatchEvent(new Event('online'));
});

test('a cached answer proves no connection and sets no clock', async () => {
  const events = new EventTarget();
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { call } = await load();
  const { serverNow } = await import('#web/lib/clock.ts');
  const change = () => call(authCalls.resendVerification).catch((error: unknown) => error);
  const date = 'Fri, 04 Dec 2026 19:14:00 GMT';
  events.dispatchEvent(new Event('offline'));
  answer(200, [], { Date: date, 'X-Kept': 'true' });
  await call(catalogueCalls.cities);
  expect(serverNow(0)).toBe(0);
  expect(await change()).toMatchObject({ sent: false });
  answer(200, [], { Date: date });
  await call(catalogueCalls.cities);
  expect(serverNow(0)).not.toBe(0);
  expect(await change()).toMatchObject({ sent: true });
});

/** Compiled and never run: a line under a mark that did compile would fail the check of types. */
const mistakes = (call: typeof Call, list: typeof List): void => {
  // @ts-expect-error no body
  call(authCalls.login);
  // @ts-expect-error a body that lacks something
  call(authCalls.login, { body: { email: 'a@b.test' } });
  // @ts-expect-error a body where none is taken
  call(authCalls.logout, { body: { all: true } });
  // @ts-expect-error no parameter
  call(catalogueCalls.event);
  // @ts-expect-error a name that the query doesn't have
  list(refundCalls.list, { query: { pages: 2 } });
  // @ts-expect-error a field that the answer doesn't have
  call(catalogueCalls.event, { params: { id: 1 } }).then(({ seats }) => seats);
};

test('a call with missing input does not compile', () => expect(mistakes).toBeTypeOf('function'));
