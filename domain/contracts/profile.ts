import * as z from 'zod/mini';
import { user } from './auth.ts';
import { call } from './call.ts';
import { said } from './envelope.ts';
import { exact, LONGEST, money, slug } from './fields.ts';

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
  preferences: z.optional(
    z.strictObject({
      favoriteCategories: z.optional(
        z.array(slug('Not a category')).check(z.maxLength(50, 'Too many categories')),
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
});
export type DeletionQuote = z.infer<typeof deletionQuote>;

/** `DELETE /api/profile`. The password is needed on an account that has one. */
export const deleteProfileRequest = z.nullish(
  z.strictObject({ password: z.optional(exact(LONGEST.password, 0, 'Please enter your password')) }),
);

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
};
