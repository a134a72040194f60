import * as z from 'zod/mini';
import { call } from './call.ts';
import { blankable, email, LONGEST, oneLine, text } from './fields.ts';

export const supportCategories = {
  general: 'A general question',
  booking: 'A booking',
  payment: 'A payment or refund',
  technical: 'Something doesn’t work',
  account: 'My account',
  other: 'Something else',
} as const;
const CATEGORIES = Object.keys(supportCategories) as (keyof typeof supportCategories)[];

export const MISSING = 'Please fill in all required fields.';

export const supportRequest = z.strictObject({
  name: text(LONGEST.name, MISSING).check(oneLine()),
  email: email(MISSING),
  subject: z.nullish(blankable(LONGEST.title).check(oneLine())),
  category: z.pipe(
    z.nullish(z.enum([...CATEGORIES, ''], 'Not a category')),
    z.transform((chosen) => chosen || 'general'),
  ),
  message: text(LONGEST.message, MISSING),
  bookingId: z.nullish(z.union([blankable(LONGEST.code).check(oneLine()), z.int()])),
});

/** `fallback`: stored, but the site has no address to mail it to. */
export const supportAnswer = z.object({ message: z.string(), fallback: z.optional(z.boolean()) });

export const supportCalls = {
  contact: call('POST /api/contact-support', {
    body: supportRequest,
    answer: supportAnswer,
    capability: 'contact',
    limit: 'support',
  }),
};
