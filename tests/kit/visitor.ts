/** Browsers for the specs of the APIs. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { AnswerOf, Call } from '#domain/contracts/call.ts';
import type { App } from '#infra/http/server.ts';
import type { Request } from '#web/lib/api/client.ts';

/** How long a reader asks again before a stale answer is taken as it is, in milliseconds. */
const PATIENCE = 60_000;

type Method = Call['method'];

/** What a call is asked with: nothing, where it takes nothing. */
type Asked<C extends Call> =
  Record<string, never> extends Request<C> ? [request?: Request<C>] : [request: Request<C>];

/** A request's parts, whichever call it is for. */
interface Parts {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: object;
  readonly body?: object;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server said; `ask` has the type
  readonly body: any;
}

/** Somebody's browser: it keeps cookies, sends the CSRF token and carries the highest position that it has seen, as the client does. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  /** The highest position seen. */
  position: string | undefined;
  readonly #app: App;
  readonly #address: string;

  /** @param address the IP address that its requests come from */
  constructor(app: App, address: string) {
    this.#app = app;
    this.#address = address;
  }

  async call(
    method: Method,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    if (method !== 'GET' && !this.cookies.has('X-CSRF-Token')) await this.get('/api/auth/csrf-token');
    const csrf = this.cookies.get('X-CSRF-Token');
    const reply = await this.#app.inject({
      method,
      url: path,
      remoteAddress: this.#address,
      headers: {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(method !== 'GET' && csrf ? { 'x-csrf-token': csrf } : {}),
        ...(this.position ? { 'x-min-position': this.position } : {}),
        ...headers,
      },
      ...(body ? { payload: body } : {}),
    });
    for (const { name, value } of reply.cookies) {
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const received = new Headers();
    for (const [name, value] of Object.entries(reply.headers))
      for (const one of [value ?? []].flat()) received.append(name, String(one));
    const seen = received.get('x-log-position') ?? '';
    if (seen > (this.position ?? '')) this.position = seen;
    const isJson = received.get('content-type')?.startsWith('application/json');
    return { status: reply.statusCode, headers: received, body: isJson ? reply.json() : reply.body };
  }

  /** Reads, and asks again while the read models aren't there yet: on a busy machine that may take longer than a query waits. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const answer = await this.call('GET', path, undefined, headers);
      const early = answer.headers.has('x-stale') || answer.status === 503;
      if (!early || performance.now() > deadline) return answer;
      await pause(10);
    }
  }

  post(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('POST', path, body, headers);
  }

  /** Makes a declared call. Its answer may be a refusal. */
  async send<C extends Call>(call: C, ...[request]: Asked<C>): Promise<Answer> {
    const { params = {}, query = {}, body } = (request ?? {}) as Parts;
    const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const address = search.size > 0 ? `${path}?${search}` : path;
    return call.method === 'GET' ? this.get(address) : this.call(call.method, address, body);
  }

  /** Makes a declared call that goes well. Specs fail where it is refused. */
  async ask<C extends Call>(call: C, ...asked: Asked<C>): Promise<AnswerOf<C>> {
    const { status, body } = await this.send(call, ...asked);
    expect(status, JSON.stringify(body)).toBeLessThan(400);
    return body;
  }
}
