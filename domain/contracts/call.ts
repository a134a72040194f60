import type * as z from 'zod/mini';
import type { Capability } from './capabilities.ts';
import type { LimitName } from './limits.ts';

/** What is answered that is not JSON: a media type, or `redirect` where the browser is sent to another page. */
export type OtherAnswer = 'redirect' | `${string}/${string}`;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A call of the site, declared once: the servers register it, the client makes it, the documentation shows it and the specs
 * hold both sides to it. What it doesn't declare isn't read: a change without `body` takes none (or `{}`).
 */
export interface Call {
  readonly method: Method;
  /** With `{name}` for each parameter. */
  readonly path: `/${string}`;
  /** Parses the path's parameters; has to name each of them. */
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** The answer's schema, or what it is where it isn't JSON. Only specs check an answer against it. */
  readonly answer: z.ZodMiniType | OtherAnswer;
  /** The statuses of good answers, the usual one first. Default: 200, of a redirect 302. */
  readonly status?: readonly [number, ...number[]];
  readonly capability: Capability;
  /** Counts each call by account or session, as the limit says; for a visitor by address and browser, and by address. */
  readonly limit?: LimitName;
  /** A repeat with the same `Idempotency-Key` gets the same answer. */
  readonly idempotent?: true;
  /** `exempt`: its callers are no browsers of ours, such as the provider that sends webhooks. */
  readonly csrf?: 'exempt';
  /** `ignored`: the answer is the same for everybody, so the session isn't looked up and the caller counts as a visitor. */
  readonly session?: 'ignored';
  /** The body is signed: its bytes are kept as they came, and no schema checks it. */
  readonly signed?: true;
}

/** The names of a path's parameters: `'/api/bookings/{id}/history'` → `'id'`. */
export type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A path with parameters says how they are parsed. */
type WithParams<Path extends string> = [NamesIn<Path>] extends [never]
  ? unknown
  : { readonly params: z.ZodMiniType<Readonly<Record<NamesIn<Path>, unknown>>> };

/** Declares a call under its method and path: `'GET /api/bookings/{id}'`. */
// @__NO_SIDE_EFFECTS__
export function call<
  const M extends Method,
  const Path extends `/${string}`,
  const Declared extends Omit<Call, 'method' | 'path'>,
>(
  name: `${M} ${Path}`,
  declared: Declared & WithParams<Path>,
): Declared & { readonly method: M; readonly path: Path } {
  const [method, path] = name.split(' ') as [M, Path];
  return { ...declared, method, path };
}

/** What a call's handler is given: the parsed parameters, query and body. */
export type ParamsOf<C extends Call> = C extends { readonly params: infer S extends z.ZodMiniType }
  ? z.output<S>
  : unknown;
export type QueryOf<C extends Call> = C extends { readonly query: infer S extends z.ZodMiniType }
  ? z.output<S>
  : unknown;
export type BodyOf<C extends Call> = C extends { readonly body: infer S extends z.ZodMiniType }
  ? z.output<S>
  : unknown;

/** What a call's client sends; `undefined` where there is nothing to send. */
export type SentOf<C extends Call> = C extends { readonly body: infer S extends z.ZodMiniType }
  ? z.input<S>
  : undefined;

/** The names that a call's query may have. */
export type QueryNames<C extends Call> = C extends { readonly query: infer S extends z.ZodMiniType }
  ? keyof z.input<S>
  : never;

/** What a call answers, where that is JSON. */
export type AnswerOf<C extends Call> = C extends { readonly answer: infer S extends z.ZodMiniType }
  ? z.output<S>
  : never;
