import type * as z from 'zod/mini';
import type { Capability } from './capabilities.ts';
import type { LimitName } from './limits.ts';

/** Media type, redirect, or WebSocket (RFC 6455). Without an upgrade, a WebSocket call fails with UPGRADE_REQUIRED. */
export type OtherAnswer = 'redirect' | 'websocket' | `${string}/${string}`;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Declares a call for servers, client, documentation and specs. Servers ignore undeclared input. */
export interface Call {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly params?: z.ZodMiniType;
  readonly query?: z.ZodMiniType;
  readonly body?: z.ZodMiniType;
  /** Only specs check answers against it. */
  readonly answer: z.ZodMiniType | OtherAnswer;
  /** The usual one first. Default: 200, or 302 for a redirect. */
  readonly status?: readonly [number, ...number[]];
  readonly capability: Capability;
  /**
   * Per account or session; for visitors per browser and address. Every change from a browser has one, since
   * it is logged for ever. Queries default to `reads`.
   */
  readonly limit?: LimitName;
  readonly idempotent?: true;
  /** For callers other than browsers of this site, such as webhooks. */
  readonly csrf?: 'exempt';
  /** The answer is the same for all: no session is loaded, and the caller counts as a visitor. */
  readonly session?: 'ignored';
  readonly upload?: true;
  readonly form?: true;
  /** The raw bytes are kept, and no schema checks them. */
  readonly signed?: true;
}

export type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type WithParams<Path extends string> = [NamesIn<Path>] extends [never]
  ? unknown
  : { readonly params: z.ZodMiniType<Readonly<Record<NamesIn<Path>, unknown>>> };

type WithLimit<M extends Method, Declared> = M extends 'GET'
  ? unknown
  : Declared extends { readonly csrf: 'exempt' }
    ? unknown
    : { readonly limit: LimitName };

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

export type SentOf<C extends Call> = C extends { readonly upload: true }
  ? FormData
  : C extends { readonly body: infer S extends z.ZodMiniType }
    ? z.input<S>
    : undefined;

export type QueryNames<C extends Call> = C extends { readonly query: infer S extends z.ZodMiniType }
  ? keyof z.input<S>
  : never;

export type AnswerOf<C extends Call> = C extends { readonly answer: infer S extends z.ZodMiniType }
  ? z.output<S>
  : never;
