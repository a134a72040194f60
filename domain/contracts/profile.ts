import * as z from 'zod/mini';
import { user } from './auth.ts';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { exact, LONGEST, money, text } from './fields.ts';

/** A day, as `YYYY-MM-DD` or as an ISO timestamp, of which the day as it is written counts. Parsed into `YYYY-MM-DD`. */
// @__NO_SIDE_EFFECTS__
function day(required: string) {
  return z.pipe(
    z.string(required).check(
      z.minLength(1, required),
      z.maxLength(40, 'Must be a date'),
      z.regex(/^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/, 'Must be a date'),
      z.refine((value) => z.safeParse(z.iso.date(), value.slice(0, 10)).success, 'There is no such day'),
    ),
    z.transform((value) => value.slice(0, 10)),
  );
}

/** `PATCH /api/profile/enhance`. Whether the day is in the past is decided by the account (`CompleteProfile`). */
export const enhanceProfileRequest = z.strictObject({
  dateOfBirth: day('Date of birth is required'),
  preferences: z.nullish(
    z.strictObject({
      /** Their slugs, or their names. */
      favoriteCategories: z.nullish(
        z.array(text(LONGEST.name, 'Not a category')).check(z.maxLength(50, 'Too many categories')),
      ),
    }),
  ),
});
export type EnhanceProfileRequest = z.infer<typeof enhanceProfileRequest>;

/** The bookings that deleting the account would cancel, and what it would pay back. */
export const deletionQuote = z.object({
  bookings: z.array(
    z.object({
      id: z.int(),
      reference: z.string(),
      title: z.string(),
      startsAt: z.string(),
      zone: z.string(),
      refundPercent: z.int(),
      refundAmount: money(),
    }),
  ),
  refundTotal: money(),
  /** The name of the receipt that the deletion would have (`profileCalls.erasureReceipt`). */
  receipt: z.string(),
});

/** `DELETE /api/profile`. The password is needed on an account that has one. */
export const deleteProfileRequest = z.nullish(
  z.strictObject({ password: z.optional(exact(LONGEST.password, 0, 'Please enter your password')) }),
);

/** What an erasure has destroyed, and what was kept. It names nobody, so that whoever has its name may read it. */
export const erasureReceipt = z.object({
  id: z.string(),
  askedAt: z.string(),
  /** Since when nobody can read any of it. Null while the account's last mails wait. */
  erasedAt: z.nullable(z.string()),
  /** How many there were. */
  destroyed: z.object({ sessions: z.int(), mails: z.int() }),
  /** Their amounts, dates and events, and the payment provider's ids, are kept for accounting. They name nobody. */
  kept: z.object({ bookings: z.int() }),
  /**
   * Whether the database's own files, which keep deleted rows for a while, hold nothing of it either. `by-operator`: the database is
   * not the site's own, and its operator cleans it (docs/operations.md).
   */
  files: z.enum(['clean', 'being-cleaned', 'by-operator']),
  cleanedAt: z.nullable(z.string()),
});
export type ErasureReceipt = z.infer<typeof erasureReceipt>;

/** The calls of `/api/profile`, for the person's own account. */
export const profileCalls = {
  enhance: call('PATCH /api/profile/enhance', {
    body: enhanceProfileRequest,
    answer: z.extend(said(), { user }),
    capability: 'use-account',
    limit: 'profile',
  }),
  delete: call('DELETE /api/profile', {
    body: deleteProfileRequest,
    answer: said(),
    capability: 'use-account',
    limit: 'changes',
  }),
  deletionQuote: call('GET /api/profile/deletion-quote', {
    answer: deletionQuote,
    capability: 'use-account',
  }),
  /** All that is held on the person, with the events of the log about them, as a file. Recorded in the log. */
  export: call('GET /api/profile/export', {
    answer: 'application/json',
    capability: 'use-account',
    limit: 'own-data',
  }),
  /** The receipt of a deletion, for whoever knows its name. */
  erasureReceipt: call('GET /api/erasures/{receipt}', {
    params: z.object({
      receipt: z.string().check(z.regex(/^E(-[0-9A-F]{5}){4}$/, 'Not a receipt’s name')),
    }),
    answer: erasureReceipt,
    capability: 'browse',
    session: 'ignored',
  }),
};
