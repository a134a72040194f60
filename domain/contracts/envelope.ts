import * as z from 'zod/mini';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { blankable, countText, LONGEST, prepared } from './fields.ts';

/** The names of headers that client and servers exchange. */
export const headers = {
  /** In the answer to every change: `{log id}:{position}`. */
  position: 'X-Log-Position',
  /** In a query: the answer must not be older than this position. The token of another log is ignored. */
  minPosition: 'X-Min-Position',
  /** `true` in an answer that is older than `X-Min-Position`, because waiting for it took too long. */
  stale: 'X-Stale',
  /** `true` beside `X-Stale`: the log ends before `X-Min-Position`, as after a restore. The client forgets its position. */
  beyondEnd: 'X-Beyond-End',
  /** In the answer of a list: how many items there are in all. */
  total: 'X-Total-Count',
  /** In the answer of a list with a cursor: where the next page starts. Missing on the last page. */
  cursor: 'X-Next-Cursor',
  /** A UUID that the client makes for each change. A repeat with the same key gets the same answer. */
  idempotencyKey: 'Idempotency-Key',
  /** The token that every change needs. The cookie has the same name, with the prefix `__Host-` over https. */
  csrf: 'X-CSRF-Token',
  /** `true` in an answer that the scanner's page had kept on the device, because the site did not answer. */
  kept: 'X-Kept',
  retryAfter: 'Retry-After',
  requestId: 'X-Request-Id',
} as const;

/** The name of a cookie that scripts can read. It says that somebody is signed in; without it the client need not ask who. */
export const SIGNED_IN_HINT = 'reprise-signed-in';

/** What was answered to the question about cookies: its key in the browser's storage (specification), and the name of a cookie. */
export const COOKIE_CONSENT = 'cookie-consent';

/** The id of the element that holds what a page was rendered with, as JSON (`GivenData`). */
export const GIVEN_DATA = 'given';

/** A position together with the id of its log. */
export interface PositionToken {
  readonly log: string;
  readonly position: string;
}

/** The token from its text, `{log}:{position}`; undefined if the text is no token. */
export const parsePositionToken = (value: string | undefined): PositionToken | undefined => {
  const match = /^([^:\s]{1,100}):([^\s]{1,100})$/.exec(value ?? '');
  return match?.[1] && match[2] ? { log: match[1], position: match[2] } : undefined;
};

/** The body of every refusal. Further details for the caller are beside these properties. */
export interface ErrorBody {
  readonly message: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  /** All problems of the input, as sentences. */
  readonly errors?: readonly string[];
  /** The first problem of each field, by the field's name (`a.b` if it is nested). */
  readonly fields?: Readonly<Record<string, string>>;
  readonly requiresEmailVerification?: boolean;
  /** With `PRICE_CHANGED`: the right amount, as a decimal string. */
  readonly amount?: string;
  /** With `SOLD_OUT`, before anything is paid: how many tickets the caller could have, with those that they hold. */
  readonly available?: number;
  /** With `SOLD_OUT` and `SALES_CLOSED`: it was paid, and all of the money goes back. */
  readonly refunded?: boolean;
  /** With `ALREADY_PAID` and `JUST_BOUGHT`: the booking that was paid. */
  readonly bookingId?: number;
  /**
   * With `CHANGED_MEANWHILE`: the fields that changed, when and by whom (null if that isn't known), and what the call would answer about
   * the thing as it is now.
   */
  readonly changed?: readonly string[];
  readonly at?: string;
  readonly by?: string | null;
  readonly current?: { readonly revision: string };
}

/** An answer with nothing but a message. */
// @__NO_SIDE_EFFECTS__
export function said() {
  return z.object({ message: z.string() });
}

/**
 * The body of a call that makes or edits a thing. People send back the row that they have read, so that what the row has beside the
 * form is ignored; a field that neither has is refused, since it is likely misspelt.
 */
// @__NO_SIDE_EFFECTS__
export function orRow<S extends z.ZodMiniObject>(form: S, row: z.ZodMiniObject) {
  const beside = Object.keys(row.shape).filter((name) => !Object.hasOwn(form.shape, name));
  return prepared(form, (sent) =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => !beside.includes(name))),
  );
}

/** The most rows on a page, and how many a page has if the query does not say. */
export const MOST_ON_A_PAGE = 500;

/**
 * The query of a list: a page (by its number, or by an offset as in the specification), an order, words to search for, and the list's
 * own filters. @param sorts the names of its orders; with `-` before a name the order is reversed
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

/** A parsed query of any list, without its own filters. */
export interface ListQuery {
  readonly page: number;
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
}
