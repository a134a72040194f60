import * as z from 'zod/mini';
import { user } from './auth.ts';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { exact, LONGEST, money, text } from './fields.ts';

/** `YYYY-MM-DD`, or an ISO timestamp, whose date is used as written. */
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

export const enhanceProfileRequest = z.strictObject({
  dateOfBirth: day('Date of birth is required'),
  preferences: z.nullish(
    z.strictObject({
      favoriteCategories: z.nullish(
        z.array(text(LONGEST.name, 'Not a category')).check(z.maxLength(50, 'Too many categories')),
      ),
    }),
  ),
});

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
  receipt: z.string(),
});

/** The password, if the account has one. */
export const deleteProfileRequest = z.nullish(
  z.strictObject({ password: z.optional(exact(LONGEST.password, 0, 'Please enter your password')) }),
);

/** It identifies nobody; its name is the only access control. */
export const erasureReceipt = z.object({
  id: z.string(),
  askedAt: z.string(),
  /** Null while last mails wait. */
  erasedAt: z.nullable(z.string()),
  destroyed: z.object({ sessions: z.int(), mails: z.int() }),
  kept: z.object({ bookings: z.int() }),
  /** Deleted rows in the database's files; `by-operator`: the database's operator must clean them (docs/operations/backup-and-restore.md). */
  files: z.enum(['clean', 'being-cleaned', 'by-operator']),
  cleanedAt: z.nullable(z.string()),
});
export type ErasureReceipt = z.infer<typeof erasureReceipt>;

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
  export: call('GET /api/profile/export', {
    answer: 'application/json',
    capability: 'use-account',
    limit: 'own-data',
  }),
  erasureReceipt: call('GET /api/erasures/{receipt}', {
    params: z.object({
      receipt: z.string().check(z.regex(/^E(-[0-9A-F]{5}){4}$/, 'Not a receipt’s name')),
    }),
    answer: erasureReceipt,
    capability: 'browse',
    session: 'ignored',
  }),
};
