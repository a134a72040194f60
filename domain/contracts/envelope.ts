import * as z from 'zod/mini';
import type { ErrorCode } from '#domain/errors.ts';
import { blankable, countText, LONGEST } from './fields.ts';

/** What stands around every payload: headers, the error body, pages. */

/** Header names, as the client sends and reads them. */
export const headers = {
  /** On every change's answer: `{log id}:{position}`. */
  position: 'X-Log-Position',
  /** On a query: don't answer from before this position. Another log's token is ignored. */
  minPosition: 'X-Min-Position',
  /** `true` on an answer that could not wait long enough for `X-Min-Position`. */
  stale: 'X-Stale',
  /** How many there are in all, on every list. */
  total: 'X-Total-Count',
  /** Where the next page starts, on lists with a cursor; absent on the last page. */
  cursor: 'X-Next-Cursor',
  /** A UUID a purchase step: a repeat gets the same answer. */
  idempotencyKey: 'Idempotency-Key',
  /** The token of every change; the cookie has the same name, over https after `__Host-`. */
  csrf: 'X-CSRF-Token',
  retryAfter: 'Retry-After',
  requestId: 'X-Request-Id',
} as const;

/** A cookie that scripts can read: somebody is signed in here. Without it the client need not ask who. */
export const SIGNED_IN_HINT = 'reprise-signed-in';

/** A position token: which log, and how far. */
export interface PositionToken {
  readonly log: string;
  readonly position: string;
}

/** `log:position`. */
export const positionToken = (token: PositionToken): string => `${token.log}:${token.position}`;

/** Undefined for what is not a token. A log's id holds no colon. */
export const parsePositionToken = (value: string | undefined): PositionToken | undefined => {
  const match = /^([^:\s]{1,100}):([^\s]{1,100})$/.exec(value ?? '');
  return match?.[1] && match[2] ? { log: match[1], position: match[2] } : undefined;
};

/** The body of every refusal. Facts that help the caller stand beside these, at top level. */
export interface ErrorBody {
  readonly message: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  /** Every complaint about the input, as sentences. */
  readonly errors?: readonly string[];
  /** The first complaint about each field, by its name (`a.b` for nested ones). */
  readonly fields?: Readonly<Record<string, string>>;
  readonly requiresEmailVerification?: boolean;
  /** The amount that the server would take, with `PRICE_CHANGED`; a decimal string. */
  readonly amount?: string;
}

/** An answer that only says so. */
// @__NO_SIDE_EFFECTS__
export function said() {
  return z.object({ message: z.string() });
}
export interface Said {
  message: string;
}

/** Rows on a page at the most, and where nobody says how many. */
export const MOST_ON_A_PAGE = 500;

/**
 * What a list may be asked: a page of it (by its number, or by an offset as the specification's client does), an order, words to
 * look for, and the list's own filters. `sorts` are the names of its orders; `-` before one puts the last first.
 */
// @__NO_SIDE_EFFECTS__
export function listQuery<const Sort extends string, Filters extends z.core.$ZodShape>(
  sorts: readonly Sort[],
  filters: Filters,
) {
  return z.object({
    page: z._default(z.optional(countText(1, 1_000_000)), 1),
    limit: z._default(z.optional(countText(1, MOST_ON_A_PAGE)), MOST_ON_A_PAGE),
    offset: z.optional(countText(0, 1_000_000_000)),
    sort: z.optional(z.enum(sorts.flatMap((sort) => [sort, `-${sort}` as const]))),
    search: z.optional(blankable(LONGEST.search)),
    ...filters,
  });
}

/** A list's query as it was parsed, whatever its filters. */
export interface ListQuery {
  readonly page: number;
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
}
