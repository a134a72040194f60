import * as z from 'zod/mini';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { blankable, countText, LONGEST, prepared } from './fields.ts';

export const headers = {
  /** On every change: `{log id}:{position}`. */
  position: 'X-Log-Position',
  /** The minimum position of an answer. Tokens of another log are ignored. */
  minPosition: 'X-Min-Position',
  /** The wait for `X-Min-Position` timed out: the answer is older. */
  stale: 'X-Stale',
  /** With `X-Stale`: the log ends before `X-Min-Position`, as after a restore. The client drops its position. */
  beyondEnd: 'X-Beyond-End',
  total: 'X-Total-Count',
  cursor: 'X-Next-Cursor',
  /** A UUID; a repeat with the same key gets the same answer. */
  idempotencyKey: 'Idempotency-Key',
  /** On every change. The cookie has the same name, with `__Host-` over https. */
  csrf: 'X-CSRF-Token',
  /** Cached on the scanner's device, since the site did not respond. */
  kept: 'X-Kept',
  retryAfter: 'Retry-After',
  requestId: 'X-Request-Id',
} as const;

/** Without it, the client does not ask for the user. */
export const SIGNED_IN_HINT = 'reprise-signed-in';

export const COOKIE_CONSENT = 'cookie-consent';

export const GIVEN_DATA = 'given';

export interface PositionToken {
  readonly log: string;
  readonly position: string;
}

export const parsePositionToken = (value: string | undefined): PositionToken | undefined => {
  const match = /^([^:\s]{1,100}):([^\s]{1,100})$/.exec(value ?? '');
  return match?.[1] && match[2] ? { log: match[1], position: match[2] } : undefined;
};

/** Body of every refusal. */
export interface ErrorBody {
  readonly message: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly errors?: readonly string[];
  readonly fields?: Readonly<Record<string, string>>;
  readonly requiresEmailVerification?: boolean;
  /** `PRICE_CHANGED`: the right one, as decimal text. */
  readonly amount?: string;
  /** `SOLD_OUT` before payment: tickets available to this caller, including those they hold. */
  readonly available?: number;
  /** `SOLD_OUT`, `SALES_CLOSED`: the payment is refunded in full. */
  readonly refunded?: boolean;
  readonly bookingId?: number;
  /** `CHANGED_MEANWHILE`: which fields, when, by whom (null if unknown), and the call's current answer. */
  readonly changed?: readonly string[];
  readonly at?: string;
  readonly by?: string | null;
  readonly current?: { readonly revision: string };
}

// @__NO_SIDE_EFFECTS__
export function said() {
  return z.object({ message: z.string() });
}

/** Accepts the form, or the row as read. A field that neither has is rejected. */
// @__NO_SIDE_EFFECTS__
export function orRow<S extends z.ZodMiniObject>(form: S, row: z.ZodMiniObject) {
  const beside = Object.keys(row.shape).filter((name) => !Object.hasOwn(form.shape, name));
  return prepared(form, (sent) =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => !beside.includes(name))),
  );
}

export const MOST_ON_A_PAGE = 500;

/**
 * Page number or offset.
 * @param sorts sort keys; `-` before a key reverses the order
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

export interface ListQuery {
  readonly page: number;
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
}
