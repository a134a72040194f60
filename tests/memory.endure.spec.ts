/** What `npm start` holds in memory: while it makes its demo, and under load. `REQUESTS=32400` is as much as half an hour brings. */
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { freePort } from '#infra/lib/machine.ts';
import { paymentForm, paymentPath } from './kit/card.ts';
import { atTheEnd } from './kit/endings.ts';
import { freshFolder } from './kit/folder.ts';
import { Program } from './kit/program.ts';

/** By then it holds what it holds after half an hour. */
const REQUESTS = Number(process.env.REQUESTS ?? 8_000);
/** So many people are on the site at once. */
const PEOPLE = 4;

/** A browser with cookies. */
const browserOn = (origin: string) => {
  const cookies = new Map<string, string>();
  let asked = 0;
  const send = async (method: string, path: string, body?: object | URLSearchParams): Promise<Response> => {
    asked += 1;
    const isForm = body instanceof URLSearchParams;
    const reply = await fetch(`${origin}${path}`, {
      method,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-csrf-token': cookies.get('X-CSRF-Token') ?? '',
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    if (reply.status >= 500) throw new Error(`${method} ${path} answered ${reply.status}`);
    return reply;
  };
  const get = async (path: string): Promise<void> => {
    await (await send('GET', path)).arrayBuffer();
  };
  const post = async (path: string, body: object | URLSearchParams) =>
    (await send('POST', path, body)).json();
  return { get, post, asked: () => asked };
};

/** What V8 holds after a full collection, in MB. @param inspector the address that it listens at */
const liveHeap = async (inspector: string): Promise<number> => {
  const socket = new WebSocket(inspector);
  await new Promise((open) => socket.addEventListener('open', open, { once: true }));
  const tell = async (id: number, method: string): Promise<{ readonly usedSize: number }> => {
    const answer = new Promise<{ readonly usedSize: number }>((told) => {
      const hear = ({ data }: MessageEvent<string>): void => {
        const message = JSON.parse(data);
        if (message.id !== id) return;
        socket.removeEventListener('message', hear);
        told(message.result);
      };
      socket.addEventListener('message', hear);
    });
    socket.send(JSON.stringify({ id, method }));
    return answer;
  };
  await tell(1, 'HeapProfiler.collectGarbage');
  const { usedSize } = await tell(2, 'Runtime.getHeapUsage');
  socket.close();
  return usedSize / 2 ** 20;
};

/** The most that a process has held in memory so far, in MB. */
const mostHeld = async (pid: number): Promise<number> =>
  Number(/VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Somebody who looks around, buys, and looks at what they have; now and then a superuser at work. */
const visit = async (origin: string, nth: number): Promise<number> => {
  const { get, post, asked } = browserOn(origin);
  const eventId = 5 + (nth % 40);
  for (const path of ['/', '/api/site-config', '/api/cities', '/api/categories', '/api/events?limit=12'])
    await get(path);
  for (const search of ['jazz', 'supper', 'late']) await get(`/api/events?search=${search}&sort=price-low`);
  for (const id of [eventId, eventId + 1, eventId + 2]) await get(`/api/events/${id}`);
  await get(`/events/${eventId}`);
  const works = nth % 10 === 0;
  const email = `${works ? 'superuser' : 'customer'}@reprise.test`;
  await get('/api/auth/csrf-token');
  await post('/api/auth/login', { email, password: 'Encore-2026!' });
  await get('/api/auth/user');
  if (works) {
    for (const list of ['events', 'users', 'bookings', 'refunds', 'audit-logs', 'stats'])
      await get(`/api/admin/${list}?page=1&limit=25`);
    await get('/api/admin/bookings/export-csv');
    return asked();
  }
  const { publishableKey } = await (await fetch(`${origin}/api/stripe-config`)).json();
  const { price } = await (await fetch(`${origin}/api/events/${eventId}`)).json();
  const wanted = { eventId, quantity: 1, amount: price };
  const intent = await post('/api/create-payment-intent', wanted);
  if (intent.clientSecret) {
    await post(paymentPath(intent), paymentForm(publishableKey, intent));
    const booked = await post('/api/bookings', { eventId, quantity: 1, totalAmount: price });
    if (booked.id) {
      await get(`/api/bookings/${booked.id}/ticket`);
      await get(`/api/bookings/${booked.id}/history`);
    }
  }
  await get('/api/bookings');
  return asked();
};

it.skipIf(process.platform !== 'linux')(
  'a first start stays under 350 MB, thousands of requests under 500 MB, and memory does not grow with them',
  async () => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const env = { PORT: String(port), BASE_URL: origin, DATA_DIR: await freshFolder(), RATE_LIMITS: 'off' };
    const program = new Program('infra/start/main.ts', {
      env: { ...env, NODE_OPTIONS: '--inspect=127.0.0.1:0' },
      held: false,
    });
    atTheEnd(() => program.interrupt());
    await program.says(/Reprise is ready/);
    // It starts anew at once (`modestly.ts`): the last one listens.
    const inspector = program.output.match(/ws:\/\/\S+/g)?.at(-1) ?? '';
    const pid = program.pid ?? 0;
    const openFiles = async (): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;
    const first = await mostHeld(pid);
    expect(first).toBeLessThan(350);

    let visits = 0;
    let requests = 0;
    const come = async (until: number): Promise<void> => {
      const person = async (): Promise<void> => {
        while (requests < until) {
          const asked = await visit(origin, visits++);
          requests += asked;
        }
      };
      await Promise.all(Array.from({ length: PEOPLE }, person));
    };
    await come(REQUESTS / 2);
    const [live, files] = [await liveHeap(inspector), await openFiles()];
    await come(REQUESTS);
    const grown = (await liveHeap(inspector)) - live;
    const most = await mostHeld(pid);
    const [start, load, heap, more] = [first, most, live, grown].map(Math.round);
    console.info(
      `held at most: ${start} MB at the start, ${load} MB under load; live: ${heap} MB and ${more} MB more`,
    );
    expect(grown).toBeLessThan(10);
    expect(await openFiles()).toBeLessThanOrEqual(files + 20);
    expect(most).toBeLessThan(500);
  },
  1_200_000,
);
