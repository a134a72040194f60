import type { AnswerOf, Call, NamesIn, QueryNames, SentOf } from '#domain/contracts/call.ts';
import { headers } from '#domain/contracts/envelope.ts';
import { heardTime } from '#web/lib/clock.ts';
import { ApiError, hasCode, NoAnswer } from '#web/lib/failure.ts';
import { heardAnswer, offlineSpell } from './connection.ts';
import { csrfToken, forgetCsrfToken } from './csrf.ts';
import { forgetPosition, sawPosition, seenPosition } from './position.ts';

/** Request timeout in milliseconds. */
const LIMIT = 20_000;

/**
 * Aborts after the timeout or by the caller's signal.
 * @throws NoAnswer if our server doesn't answer in time
 */
export const withinLimit = async <Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  caller?: AbortSignal,
): Promise<Result> => {
  const offline = offlineSpell();
  const request = new AbortController();
  const over = new AbortController();
  for (const signal of [AbortSignal.timeout(LIMIT), caller]) {
    if (signal?.aborted) request.abort(signal.reason);
    signal?.addEventListener('abort', () => request.abort(signal.reason), { signal: over.signal });
  }
  try {
    return await run(request.signal);
  } catch (error) {
    if (error instanceof ApiError || caller?.aborted) throw error;
    throw new NoAnswer(offline === undefined || offlineSpell() !== offline, error);
  } finally {
    over.abort();
  }
};

export { fieldsOf, hasCode, isUnauthorized, messageOf } from '#web/lib/failure.ts';

type Value = string | number | boolean | undefined;

export type Request<C extends Call> = {
  readonly signal?: AbortSignal;
  /** A repeat with the same key gets the same answer. */
  readonly idempotencyKey?: string;
  readonly query?: { readonly [Name in QueryNames<C>]?: Value };
} & (SentOf<C> extends undefined ? { readonly body?: undefined } : { readonly body: SentOf<C> }) &
  ([NamesIn<C['path']>] extends [never]
    ? unknown
    : { readonly params: Record<NamesIn<C['path']>, string | number> });

export type Arguments<C extends Call> =
  Record<string, never> extends Request<C> ? [options?: Request<C>] : [options: Request<C>];

/** Omits blank query parameters. */
export const addressOf = <C extends Call>(
  { path }: C,
  ...[options = {} as Request<C>]: Arguments<C>
): string => {
  const params = 'params' in options ? (options.params as Record<string, string | number>) : {};
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries<Value>(options.query ?? {}))
    if (value !== undefined && value !== '') search.set(name, String(value));
  // Safari before 17 lacks `URLSearchParams.size`.
  const query = String(search);
  return query ? `${filled}?${query}` : filled;
};

let fetched = (path: string, options: RequestInit): Promise<Response> => fetch(path, options);

/** Replaces `fetch` during server rendering. */
export const answerFrom = (answer: (path: string) => Promise<Response>): void => {
  fetched = answer;
};

interface Sent {
  readonly body?: unknown;
  readonly signal: AbortSignal;
  readonly idempotencyKey?: string | undefined;
}

const send = async (method: string, path: string, request: Sent, freshToken = false): Promise<Response> => {
  const sent = new Headers({ Accept: 'application/json' });
  const form = request.body instanceof FormData ? request.body : undefined;
  if (request.body !== undefined && !form) sent.set('Content-Type', 'application/json');
  if (request.idempotencyKey) sent.set(headers.idempotencyKey, request.idempotencyKey);
  const position = seenPosition();
  if (method === 'GET') {
    if (position) sent.set(headers.minPosition, position);
  } else {
    const token = await csrfToken(freshToken, request.signal);
    if (token) sent.set(headers.csrf, token);
  }
  const response = await fetched(path, {
    method,
    headers: sent,
    credentials: 'include',
    body: form ?? (request.body === undefined ? undefined : JSON.stringify(request.body)),
    signal: request.signal,
  });
  if (!response.headers.has(headers.kept)) {
    heardAnswer();
    heardTime(response.headers.get('Date'));
  }
  if (response.headers.has(headers.beyondEnd)) forgetPosition(position);
  sawPosition(response.headers.get(headers.position));
  return response;
};

/** Attempts while the server reports a stale read model; the server itself waits 2 s each time. */
const TRIES = 3;

/**
 * A 403 clears the CSRF token; if that was the cause, retries once.
 * @throws ApiError
 */
const request = async (method: string, path: string, options: Sent): Promise<Response> => {
  let response = await send(method, path, options);
  for (let n = 1; n < TRIES && response.headers.has(headers.stale); n++)
    response = await send(method, path, options);
  if (response.ok) return response;
  let error = new ApiError(response.status, (await response.text()) || response.statusText);
  if (response.status === 403) forgetCsrfToken();
  if (hasCode(error, 'CSRF') && method !== 'GET') {
    response = await send(method, path, options, true);
    if (response.ok) return response;
    error = new ApiError(response.status, (await response.text()) || response.statusText);
  }
  throw error;
};

const made = <C extends Call, Result>(
  declared: C,
  [options, ...none]: Arguments<C>,
  read: (response: Response) => Result | Promise<Result>,
): Promise<Result> => {
  const path = addressOf(declared, ...([options, ...none] as Arguments<C>));
  return withinLimit(
    async (signal) => read(await request(declared.method, path, { ...options, signal })),
    options?.signal,
  );
};

/** @throws ApiError for any answer that is not OK, NoAnswer */
export const ask = <C extends Call>(declared: C, ...options: Arguments<C>): Promise<Response> =>
  made(declared, options, (response) => response);

/** @throws ApiError for any answer that is not OK, NoAnswer */
export const call = <C extends Call>(declared: C, ...options: Arguments<C>): Promise<AnswerOf<C>> =>
  made(declared, options, (response) => response.json());

export interface Listed<Item> {
  readonly items: Item[];
  readonly total: number;
  readonly cursor: string | undefined;
}

/** @throws ApiError, NoAnswer */
export const list = <C extends Call>(
  declared: C,
  ...options: Arguments<C>
): Promise<Listed<AnswerOf<C> extends (infer Item)[] ? Item : never>> =>
  made(declared, options, async (response) => {
    const items = await response.json();
    return {
      items,
      total: Number(response.headers.get(headers.total) ?? items.length),
      cursor: response.headers.get(headers.cursor) ?? undefined,
    };
  });
