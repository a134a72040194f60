import * as z from 'zod/mini';
import { endOfDay, HOME_ZONE, toInstant } from '#domain/kernel/zone.ts';
import type { PromotionTerms } from '#domain/promotion/events.ts';
import { crudCalls } from './crud.ts';
import { amount, flag, idText, LONGEST, missingOr, optionalText, since, text } from './fields.ts';

/** `/api/admin/promotions*`. Texts of the superusers' specification, section 5. */

const missing = 'Please fill in promotion name and code';
const badDiscount = 'The discount has to be a number with at most two places';
const badLimit = 'At least one use, or no limit';

const MINUTE = 60_000;
const LONDON_CLOCK = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)[:.\d]*)?$/;

const instantOf = (value: string, edge: 'first' | 'last'): string => {
  const [, date, time] = LONDON_CLOCK.exec(value) ?? [];
  if (!date) return new Date(value).toISOString();
  if (edge === 'first') return toInstant({ date, time: time ?? '00:00' }, HOME_ZONE);
  const end = time
    ? Date.parse(toInstant({ date, time }, HOME_ZONE)) + MINUTE
    : Date.parse(endOfDay(date, HOME_ZONE));
  return new Date(end - 1).toISOString();
};

/**
 * An edge of the time in which a promotion holds: an ISO instant; or a day, or a day and a minute, on the clock in London. It holds
 * from the first moment of that day or minute, or until the last. Parsed into an instant.
 */
const edge = (which: 'first' | 'last', required: string) =>
  z.pipe(
    z
      .union([z.iso.date(), z.iso.datetime({ local: true, offset: true })], {
        error: missingOr(required, 'Must be a date such as 2026-12-04, or a date and time'),
      })
      .check(z.regex(/^2/, 'Must be in this millennium')),
    z.transform((value: string) => instantOf(value, which)),
  );

/** `PUT /api/admin/promotions/{id}` */
export const editPromotionRequest = z.strictObject({
  name: text(LONGEST.name, missing),
  /** In any case of letters. */
  code: text(LONGEST.code, missing),
  description: optionalText(LONGEST.reason),
  discountType: z.enum(['percentage', 'fixed'], 'Must be percentage or fixed'),
  /** In percent, or in pounds. Parsed into hundredths of them. */
  discountValue: amount(badDiscount),
  /** How many bookings may use it; null for any number. */
  usageLimit: z._default(
    z.nullish(z.int(badLimit).check(z.minimum(1, badLimit), z.maximum(1_000_000_000, badLimit))),
    null,
  ),
  validFrom: edge('first', 'Say when it begins'),
  validUntil: edge('last', 'Say when it ends'),
  isActive: flag(true),
  ...since(),
});
export type EditPromotionRequest = z.input<typeof editPromotionRequest>;

/**
 * `POST /api/admin/promotions`. What is left out is as in a new form: nothing off, in percent, from `at` on. An edit has to say all of
 * it: of a promotion that takes pounds off, what is left out can't mean percent.
 */
export const promotionRequest = z.extend(z.omit(editPromotionRequest, { revision: true }), {
  discountType: z._default(z.optional(editPromotionRequest.shape.discountType), 'percentage'),
  discountValue: z._default(z.optional(editPromotionRequest.shape.discountValue), 0),
  validFrom: z.optional(editPromotionRequest.shape.validFrom),
});

/** The code and the terms that a parsed request asks for. */
export const termsOf = ({
  discountValue,
  ...request
}: Omit<z.output<typeof editPromotionRequest>, 'revision'>): PromotionTerms & { readonly code: string } => ({
  ...request,
  usageLimit: request.usageLimit ?? null,
  discountValue: request.discountType === 'percentage' ? discountValue / 100 : discountValue,
});

/** A promotion in the superusers' list. */
export const adminPromotion = z.object({
  id: z.int(),
  name: z.string(),
  code: z.string(),
  description: z.string(),
  discountType: z.enum(['percentage', 'fixed']),
  /** In percent (`"12.5"`) or in pounds (`"5.00"`). */
  discountValue: z.string(),
  usageLimit: z.nullable(z.int()),
  /** Uses by bookings. */
  usageCount: z.int(),
  /** Uses that open checkouts have reserved. They count towards the limit too. */
  heldCount: z.int(),
  /** ISO instants. */
  validFrom: z.string(),
  validUntil: z.string(),
  isActive: z.boolean(),
  revision: z.string(),
});
export type AdminPromotion = z.infer<typeof adminPromotion>;

/**
 * The calls of `/api/admin/promotions`. The list has the newest first unless the query says otherwise, and searches code, name and
 * description. A code that another promotion has is refused with `CODE_TAKEN`. `remove` frees the code; checkouts that have reserved a use
 * keep it.
 */
export const adminPromotionCalls = {
  ...crudCalls('/api/admin/promotions', {
    request: promotionRequest,
    edited: editPromotionRequest,
    item: adminPromotion,
    sorts: ['code', 'name', 'uses', 'ends'],
    filters: { state: z.optional(z.enum(['active', 'inactive'])) },
    id: idText(),
  }),
};
