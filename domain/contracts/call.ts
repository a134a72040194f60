import type * as z from 'zod/mini';
import type { Capability } from './capabilities.ts';
import type { LimitName } from './limits.ts';

/**
 * An answer that is not JSON: its media type, `redirect` if the browser is sent to another page, or `websocket` if the connection goes on
 * as a WebSocket (RFC 6455), on which a request that asks for none is refused with UPGRADE_REQUIRED.
 */
export type OtherAnswer = 'redirect' | 'websocket' | `${string}/${string}`;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The declaration of a call. Servers register it, the client calls with it, the documentation shows it, and specs check both sides
 * against it. A server reads nothing that is not declared: a change without `body` accepts no body, or `{}`.
 */
export interface Call {
  readonly method: Method;
  /** The path, with `{name}` for each parameter. */
  readonly path: `/${string}`;
  /** The schema of the path's parameters. */
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** The schema of the answer, or its kind if it is not JSON. Answers are checked against it in specs only. */
  readonly answer: z.ZodMiniType | OtherAnswer;
  /** The statuses of successful answers, the usual one first. Default: 200, or 302 for a redirect. */
  readonly status?: readonly [number, ...number[]];
  readonly capability: Capability;
  /**
   * The limit that counts each call: by account or session, as the limit says; for visitors by browser and by address. Every change has
   * one, at least `changes`: what it writes stays in the log for ever. A query without one counts as `reads`.
   */
  readonly limit?: LimitName;
  /** Whether a repeat with the same `Idempotency-Key` gets the same answer. */
  readonly idempotent?: true;
  /** `exempt` if callers are not browsers of this site, such as the provider that sends webhooks. */
  readonly csrf?: 'exempt';
  /** `ignored` if the answer is the same for everybody: the session is not looked up, and the caller counts as a visitor. */
  readonly session?: 'ignored';
  /** Whether the body is a form with a file (`multipart/form-data`), which the handler gets as `FormData`. */
  readonly upload?: true;
  /** Whether the body may also be a form without files: its fields are what the schema parses. */
  readonly form?: true;
  /** Whether the body is signed: its bytes are kept as they came, and no schema checks it. */
  readonly signed?: true;
}

/** The names of a path's parameters: `'/api/bookings/{id}/history'` → `'id'`. */
export type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** Demands `params` for a path with parameters. */
type WithParams<Path extends string> = [NamesIn<Path>] extends [never]
  ? unknown
  : { readonly params: z.ZodMiniType<Readonly<Record<NamesIn<Path>, unknown>>> };

/** Demands a limit for a change, unless its callers are no browsers. */
type WithLimit<M extends Method, Declared> = M extends 'GET'
  ? unknown
  : Declared extends { readonly csrf: 'exempt' }
    ? unknown
    : { readonly limit: LimitName };

/** Declares a call. @param name its method and path, such as `'GET /api/bookings/{id}'` */
// @__NO_SIDE_EFFECTS__
export function call<
  const M extends Method,
  const Path extends `/${string}`,
  const Declared extends Omit<Call, 'method' | 'path'>,
>(
  name: `${M} ${Path}`,
  declared: Declared & WithParams<Path> & WithLimit<M, Declared>,
): Declared & { readonly method: M; readonly path: Path } {
  const [method, path] = name.split(' ') as [M, Path];
  return { ...declared, method, path };
}

/** The parsed parameters, query and body that a call's handler gets. */
export type ParamsOf<C extends Call> = C extends { readonly params: infer S extends z.ZodMiniType }
  ? z.output<S>
  : unknown;
export type QueryOf<C extends Call> = C extends { readonly query: infer S extends z.ZodMiniType }
  ? z.output<S>
  : unknown;
export type BodyOf<C extends Call> = C extends { readonly upload: true }
  ? FormData
  : C extends { readonly body: infer S extends z.ZodMiniType }
    ? z.output<S>
    : unknown;

/** The body that a client sends; `undefined` for a call without one. */
export type SentOf<C extends Call> = C extends { readonly upload: true }
  ? FormData
  : C extends { readonly body: infer S extends z.ZodMiniType }
    ? z.input<S>
    : undefined;

/** The names of the parameters in a call's query. */
export type QueryNames<C extends Call> = C extends { readonly query: infer S extends z.ZodMiniType }
  ? keyof z.input<S>
  : never;

/** The JSON that a call answers. */
export type AnswerOf<C extends Call> = C extends { readonly answer: infer S extends z.ZodMiniType }
  ? z.output<S>
  : never;
